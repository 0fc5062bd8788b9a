extension Rule {
  /// A language lacks a file that others have.
  public static let languageGap = Rule(
    "language-gap", .warning, .packs, "A language lacks a file that others have")
  /// A language lacks packs that others have.
  public static let languageWithoutPack = Rule(
    "language-without-pack", .warning, .packs, "A language lacks packs that others have")
  /// No localized pack in the primary language.
  public static let noPrimaryLanguage = Rule(
    "no-primary-language", .warning, .packs, "No localized pack in the primary language")
  /// Older devices don't get localized packs.
  public static let localizedReach = Rule(
    "localized-reach", .note, .packs, "Older devices don't get localized packs")
}

extension AppCheck {
  /// Files that languages lack, families without some of the app's languages, the primary language,
  /// and the reach of localized packs.
  static func languageFindings(
    _ packs: [CheckedPack], _ players: Players, _ paths: AppPaths, primaryLanguage: String?
  ) -> [Finding] {
    let families = players.allFamilies(paths)
    let offers = players.offers()
    return gaps(packs, players, paths, families, offers)
      + families.compactMap { lack($0, packs, players, offers, primaryLanguage) }
      + (primaryLanguage.flatMap { lack(of: $0, packs, players, offers) }.map { [$0] } ?? [])
      + reach(packs)
  }

  private typealias Offers = [(packs: [Int], platforms: [Platform])]

  /// A language of a family.
  private struct Expected: Hashable {
    let language: Int?
    let family: Int
  }

  /// The files that a language lacks, by the number of their path, and the platforms of its packs
  /// that lack some.
  private struct Gap {
    var platforms: Set<Platform> = []
    var packs: Set<Int> = []
    var missing: [Int: AppPaths.Owner] = [:]
  }

  /// What languages lack, the first file at each path, and ` on iOS`.
  private struct Lacking: Hashable {
    let files: [AppPaths.Owner]
    let platforms: String
  }

  /// A finding for the languages of a family that lack the same paths of its other languages, on a
  /// platform that has both.
  private static func gaps(
    _ packs: [CheckedPack], _ players: Players, _ paths: AppPaths, _ families: [[Int]],
    _ offers: Offers
  ) -> [Finding] {
    var familyOfPack: [Int: Int] = [:]
    for (number, family) in families.enumerated() {
      for pack in family { familyOfPack[pack] = number }
    }
    var gaps: [Expected: Gap] = [:]
    var order: [Expected] = []
    for (offer, platforms) in offers {
      for family in players.families(paths, among: offer) {
        for (own, missing) in Self.gaps(in: family, players, paths) {
          let expected = Expected(
            language: players.languageNumbers[own[0]], family: familyOfPack[family[0]] ?? 0)
          if gaps[expected] == nil { order.append(expected) }
          gaps[expected, default: Gap()].platforms.formUnion(platforms)
          gaps[expected]?.packs.formUnion(own)
          gaps[expected]?.missing.merge(missing) { first, _ in first }
        }
      }
    }
    // Languages that lack the same files on the same platforms.
    var alike = Groups<Lacking, Int>()
    for gap in order.compactMap({ gaps[$0] }) {
      let lacking = Lacking(
        files: gap.missing.sorted { $0.key < $1.key }.map(\.value),
        platforms: names(of: gap.platforms, among: gap.packs.map { packs[$0] }))
      alike.add(gap.packs.min() ?? 0, lacking)
    }
    return alike.all.compactMap { finding($1, $0, packs) }
  }

  /// The packs of each language of a family that lacks paths, with the first file at each.
  private static func gaps(
    in family: [Int], _ players: Players, _ paths: AppPaths
  ) -> [(packs: [Int], missing: [Int: AppPaths.Owner])] {
    var languages = Groups<Int?, Int>()
    for pack in family { languages.add(pack, players.languageNumbers[pack]) }
    // For each path, the number of languages that have it, the last of them, and the first file.
    var known: [Int: (count: Int, last: Int, first: AppPaths.Owner)] = [:]
    for (language, group) in languages.all.enumerated() {
      for pack in group.elements {
        for (file, number) in paths.numbers[pack].enumerated() {
          let path = known[number] ?? (0, -1, AppPaths.Owner(pack: pack, file: file))
          if path.last != language { known[number] = (path.count + 1, language, path.first) }
        }
      }
    }
    let incomplete = known.filter { $0.value.count < languages.all.count }
    if incomplete.isEmpty { return [] }
    return languages.all.compactMap { _, group in
      let own = Set(group.flatMap { paths.numbers[$0] })
      let missing = incomplete.filter { !own.contains($0.key) }.mapValues(\.first)
      return missing.isEmpty ? nil : (group, missing)
    }
  }

  /// ` on iOS`, or nothing for all platforms of these packs.
  private static func names(of platforms: Set<Platform>, among packs: [CheckedPack]) -> String {
    let all = Platform.all(in: packs.map(\.manifest.platforms)).filter { platform in
      packs.contains { $0.manifest.isFor(platform) }
    }
    return platforms.isSuperset(of: all) ? "" : " on \(all.filter(platforms.contains).shown)"
  }

  private static func finding(
    _ own: [Int], _ lacking: Lacking, _ packs: [CheckedPack]
  ) -> Finding? {
    let missing = lacking.files
    let files = missing.prefix(3).map { packs[$0] }
    guard let file = files.first, let pack = own.first else { return nil }
    let other = packs[missing[0].pack]
    let isInOne = missing.allSatisfy { packs[$0.pack].language == other.language }
    let more = missing.count - files.count
    return Finding(
      .languageGap,
      fewTags(own.compactMap { packs[$0].manifest.language })
        + (own.count == 1 ? " has no " : " have no ")
        + files.map { "'\($0.destination)'" }.joined(separator: ", ")
        + (more > 0 ? " and \(counted(more, "more file"))" : "") + lacking.platforms
        + (isInOne
          ? ", which '\(other.manifest.language ?? "")' has"
          : ", which other languages have"),
      at: packs[pack].manifest.writtenLanguage?.location,
      notes: [
        Note(
          "'\(file.destination)' is in the pack '\(other.manifest.name)'",
          at: other.manifest.location(of: file))
      ], manifests: [pack, missing[0].pack])
  }

  /// A finding if the app has languages on a platform that have no pack of the family there.
  private static func lack(
    _ family: [Int], _ packs: [CheckedPack], _ players: Players, _ offers: Offers,
    _ primaryLanguage: String?
  ) -> Finding? {
    var lacking: Set<Language> = []
    var platforms: Set<Platform> = []
    for (offer, own) in offers {
      let there = Set(family.filter(Set(offer).contains).compactMap { packs[$0].language })
      if there.isEmpty { continue }
      let missing = Set(offer.compactMap { packs[$0].language }).subtracting(there)
      if missing.isEmpty { continue }
      lacking.formUnion(missing)
      platforms.formUnion(own)
    }
    let paths = family.lazy.flatMap { packs[$0].files.map(\.destination) }
    guard !lacking.isEmpty, let contents = words(for: paths) else { return nil }
    let primary = primaryLanguage.map { Language($0) }
    var tags = players.tags(
      of: packs.indices.filter { packs[$0].language.map(lacking.contains) == true })
    if let first = tags.firstIndex(where: { Language($0) == primary }) {
      tags.insert(tags.remove(at: first), at: 0)
    }
    let own = players.tags(of: family).map { "'\($0)'" }.joined(separator: ", ")
    return Finding(
      .languageWithoutPack,
      "players in \(fewTags(tags)) get no \(contents)"
        + Self.names(of: platforms, among: family.map { packs[$0] })
        + (family.count == 1 ? ": this pack is in " : ": these packs are in ") + own,
      at: packs[family[0]].manifest.writtenLanguage?.location, manifests: [family[0]])
  }

  private static func lack(
    of primaryLanguage: String, _ packs: [CheckedPack], _ players: Players, _ offers: Offers
  ) -> Finding? {
    var platforms: [Platform] = []
    var first: Int?
    for (offer, own) in offers {
      do {
        let tags = players.tags(of: offer)
        if try ResolvedLanguage([], primary: primaryLanguage, among: tags) != nil { continue }
      } catch {
        // One of several regions, though it isn't known which.
        continue
      }
      platforms += own
      first = first ?? offer.first { packs[$0].language != nil }
    }
    guard let first, let location = packs[first].manifest.writtenLanguage?.location else {
      return nil
    }
    let tags = players.tags(of: packs.indices)
    return Finding(
      .noPrimaryLanguage,
      "no localized pack is in the primary language '\(primaryLanguage)'"
        + names(of: Set(platforms), among: packs.filter { $0.language != nil }),
      at: location,
      notes: [Note("they are in " + tags.map { "'\($0)'" }.joined(separator: ", "))],
      manifests: [first])
  }

  /// `'de', 'fr', 'it' and 20 more languages`.
  private static func fewTags(_ tags: [String]) -> String {
    let more = tags.count - 3
    return tags.prefix(more > 1 ? 3 : 4).map { "'\($0)'" }.joined(separator: ", ")
      + (more > 1 ? " and \(grouped(more)) more languages" : "")
  }

  private static func reach(_ packs: [CheckedPack]) -> [Finding] {
    let localized = packs.indices.filter { packs[$0].language != nil }
    // A single manifest is no app.
    guard packs.count > 1, let first = localized.first else { return [] }
    let (verb, them) = localized.count == 1 ? ("is", "it") : ("are", "them")
    return [
      Finding(
        .localizedReach,
        "\(grouped(localized.count)) of \(counted(packs.count, "pack")) \(verb) localized: devices"
          + " before OS 27 don't get \(them)", at: packs[first].manifest.writtenLanguage?.location,
        manifests: [first])
    ]
  }
}

/// What files at these paths are called: `'Voices/...'` for the folder with all of them, or the first
/// of them; nil if there are none.
func words(for paths: some Sequence<RelativePath>) -> String? {
  let sorted = paths.sorted()
  guard let first = sorted.first, let last = sorted.last else { return nil }
  if first == last { return "'\(first)'" }
  // All others begin as these two do.
  let common = zip(first.bytes, last.bytes).prefix { $0 == $1 }.map(\.0)
  guard let end = common.lastIndex(of: ASCII.slash) else {
    return named(first, of: Set(sorted).count)
  }
  return "'\(RelativePath(unchecked: Array(common[...end])))...'"
}
