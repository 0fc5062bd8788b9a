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

  /// The indices of the packs that this device has: without a platform, of the packs for any. Also
  /// the language that it has of packs in those with `tags`.
  package func choose(
    among packs: [PackIndex]
  ) throws -> (chosen: [Int], language: (resolved: ResolvedLanguage?, tags: [String])) {
    let manifests = packs.map(\.manifest)
    let players = Players(manifests)
    try platform?.check(in: manifests.map { $0?.platforms ?? [] })
    let offered = packs.indices.filter { index in
      platform.flatMap { manifests[index]?.isFor($0) } ?? true
    }
    let requested = try requested(of: manifests)
    let tags = players.tags(of: offered)
    var chosen = offered
    var resolved: ResolvedLanguage?
    if !languages.isEmpty {
      resolved = try resolve(tags)
      chosen.removeAll { index in
        guard let own = manifests[index]?.likelyLanguage else { return false }
        return own != resolved?.language && !requested.contains(index)
      }
    } else if tags.count > 1 {
      throw PackagingError.severalLanguages(tags)
    }
    guard chosen.isEmpty else { return (chosen, (resolved, tags)) }
    let all = players.tags(of: packs.indices).map { "'\($0)'" }.joined(separator: ", ")
    throw PackagingError(
      "a device with this platform and language has none of the packs"
        + (all.isEmpty ? "" : ", which are in \(all)"))
  }

  /// The language of packs in those with `tags`; nil if it has none of them.
  func resolve(_ tags: [String]) throws -> ResolvedLanguage? {
    tags.isEmpty
      ? nil : try ResolvedLanguage(languages, primary: primaryLanguage, among: tags)
  }

  /// The indices of the requested packs.
  func requested(of manifests: [Manifest?]) throws -> [Int] {
    try requestedPacks.map { identifier in
      guard let index = manifests.firstIndex(where: { $0?.assetPackID.value == identifier }) else {
        throw PackagingError("none of the packs is '\(printable(identifier.utf8))'")
      }
      return index
    }
  }
}
