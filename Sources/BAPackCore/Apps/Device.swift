/// The settings of a device that decide which of an app's packs it has.
public struct Device: Sendable {
  /// The tags of the player's languages, the preferred one first.
  public var languages: [String] = []
  /// The platform; nil for packs of every platform. One that isn't known must be in one of the
  /// packs.
  public var platform: Platform?
  /// The tag of the app's primary language, which takes the place of languages without packs.
  public var primaryLanguage: String?
  /// The identifiers of packs that the app requests, whatever their language.
  public var requestedPacks: [String] = []

  /// A device of a player without preferences.
  public init() {}

  /// The language of packs in those with `tags`; nil if it has none of them.
  func resolve(_ tags: [String]) throws -> ResolvedLanguage? {
    tags.isEmpty
      ? nil : try ResolvedLanguage(languages, primary: primaryLanguage, among: tags)
  }

  /// The indices of the requested packs.
  func requested(of manifests: [Manifest?]) throws -> [Int] {
    try requestedPacks.map { identifier in
      guard let index = manifests.firstIndex(where: { $0?.assetPackID == identifier }) else {
        throw PackagingError("none of the packs is '\(printable(identifier.utf8))'")
      }
      return index
    }
  }
}

extension [PackIndex] {
  /// The indices of the packs of one folder: those that `device` has, on any platform if it has none,
  /// or else all. Also the language that it has of packs in those with `tags`.
  ///
  /// - Throws: ``PackagingError`` if it would have packs in several languages, or none; or if its language
  ///   isn't known.
  package func owned(
    by device: Device?
  ) throws -> (packs: [Int], language: (resolved: ResolvedLanguage?, tags: [String])) {
    let players = try Players(map(\.manifest), device ?? Device())
    let offered = device?.platform.map { players.offers(on: $0).flatMap(\.packs) }
    let tags = players.tags(of: offered ?? indices.map(\.self))
    let languages = players.all.compactMap(\.language).unique()
    if languages.count > 1 {
      throw device?.languages.isEmpty == false
        ? PackagingError.severalPlatforms(languages) : .severalLanguages(tags)
    }
    let packs = device == nil ? indices.map(\.self) : Set(players.all.flatMap(\.packs)).sorted()
    let resolved = players.resolved.first { !$0.isCertain } ?? players.resolved.first
    guard packs.isEmpty else { return (packs, (resolved, tags)) }
    let all = players.tags(of: indices).map { "'\($0)'" }.joined(separator: ", ")
    throw PackError(
      .nothingMatches,
      "a device with this platform and language has none of the packs"
        + (all.isEmpty ? "" : ", which are in \(all)"))
  }
}
