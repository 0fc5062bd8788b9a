extension Rule {
  package static let downloadManifest = Rule(
    "download-manifest", .error, .downloads, "Not a download manifest", adjustment: .warnings)
  package static let downloadRecords = Rule(
    "download-records", .error, .downloads, "No valid record of packs' contents")
  package static let downloadURL = Rule(
    "download-url", .error, .downloads, "The pack can't be served at this URL",
    adjustment: .warnings)
  package static let downloadVersion = Rule(
    "download-version", .error, .downloads, "A version that devices would ignore",
    adjustment: .warnings)
  package static let duplicatePack = Rule(
    "duplicate-pack", .error, .downloads, "Two packs with one identifier in a download manifest")
  package static let packPlatform = Rule(
    "pack-platform", .error, .downloads, "The pack is not for this platform")
  package static let downloadLanguage = Rule(
    "download-language", .warning, .downloads, "The list does not state the pack's language")
}
