extension Rule {
  /// Not a download manifest.
  public static let downloadManifest = Rule(
    "download-manifest", .error, .downloads, "Not a download manifest", adjustment: .warnings)
  /// No valid record of packs' contents.
  public static let downloadRecords = Rule(
    "download-records", .error, .downloads, "No valid record of packs' contents")
  /// The pack can't be served at this URL.
  public static let downloadURL = Rule(
    "download-url", .error, .downloads, "The pack can't be served at this URL",
    adjustment: .warnings)
  /// A version that devices would ignore.
  public static let downloadVersion = Rule(
    "download-version", .error, .downloads, "A version that devices would ignore",
    adjustment: .warnings)
  /// Two packs with one identifier in a download manifest.
  public static let duplicatePack = Rule(
    "duplicate-pack", .error, .downloads, "Two packs with one identifier in a download manifest")
  /// The pack is not for this platform.
  public static let packPlatform = Rule(
    "pack-platform", .error, .downloads, "The pack is not for this platform")
  /// The list does not state the pack's language.
  public static let downloadLanguage = Rule(
    "download-language", .warning, .downloads, "The list does not state the pack's language")
}
