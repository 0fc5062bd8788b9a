/// The settings of a device that decide which of an app's packs it has.
public struct Device: Sendable {
  /// The tags of the player's languages, the preferred one first.
  public var languages: [String] = []
  /// The platform; nil for packs of every platform.
  public var platform: Platform?
  /// The tag of the app's primary language, which takes the place of languages without packs.
  public var primaryLanguage: String?

  /// A device of a player without preferences.
  public init() {}

  /// The indices of the packs that this device has, and the tags of localized packs with common
  /// paths of which it has none, because they are in other languages.
  package func choose(
    among packs: [PackIndex]
  ) throws -> (chosen: [Int], missed: [[String]]) {
    var chosen = packs.indices.filter { index in
      guard let platform, let manifest = packs[index].manifest else { return true }
      return manifest.isFor(platform)
    }
    if languages.isEmpty {
      let tags = tags(of: chosen, packs)
      if tags.count > 1 { throw PackagingError.severalLanguages(tags) }
    }
    let localized = chosen.filter { packs[$0].manifest?.language != nil }
    if languages.isEmpty || localized.isEmpty {
      return (try nonempty(chosen, packs), [])
    }
    let shared = SharedPaths(
      localized.map { index in
        let paths = packs[index].files.compactMap(\.path)
        return (packs[index].manifest?.likelyLanguage, Array(paths))
      })
    var missed: [[String]] = []
    let families = shared.families()
    let alone = localized.indices.filter { index in !families.contains { $0.contains(index) } }
    for family in families + alone.map({ [$0] }) {
      let family = family.map { localized[$0] }
      let tags = tags(of: family, packs)
      let language = try language(among: tags)
      if language == nil, tags.count > 1 { missed.append(tags) }
      let others = Set(family.filter { packs[$0].manifest?.likelyLanguage != language })
      chosen.removeAll(where: others.contains)
    }
    return (try nonempty(chosen, packs), missed)
  }

  private func nonempty(_ chosen: [Int], _ packs: [PackIndex]) throws -> [Int] {
    guard chosen.isEmpty else { return chosen }
    let tags = tags(of: Array(packs.indices), packs).map { "'\($0)'" }.joined(separator: ", ")
    throw PackagingError(
      "a device with this platform and language has none of the packs"
        + (tags.isEmpty ? "" : ", which are in \(tags)"))
  }

  private func tags(of indices: [Int], _ packs: [PackIndex]) -> [String] {
    indices.forPlayers { packs[$0].manifest?.language?.value }.compactMap(\.language)
  }

  /// The language that is downloaded if there are packs in those of `tags`: one of the player's, or
  /// the same with another region; otherwise the primary language.
  private func language(among tags: [String]) throws -> Language? {
    for wanted in languages {
      if tags.contains(where: { Language($0) == Language(wanted) }) { return Language(wanted) }
      let others = tags.filter { Language($0).hasRegion(of: Language(wanted)) }
      if others.count > 1 { throw PackagingError.severalRegions(of: wanted, others) }
      if let other = others.first { return Language(other) }
    }
    return primaryLanguage.map { Language($0) }
      .flatMap { primary in tags.contains { Language($0) == primary } ? primary : nil }
  }
}
