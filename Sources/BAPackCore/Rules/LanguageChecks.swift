extension AppCheck {
  /// Files that languages lack, families without the primary language, and the reach of localized
  /// packs.
  static func languageFindings(
    _ packs: [CheckedPack], _ shared: SharedPaths, primaryLanguage: String?
  ) -> [Finding] {
    gaps(packs, shared)
      + shared.families().compactMap { lack(of: primaryLanguage, in: $0, packs) } + reach(packs)
  }

  /// The paths that a language lacks, both by number.
  private struct Gap: Hashable {
    let language: Int?
    let paths: [Int]
  }

  /// The language's packs in the family, and the first file at each path.
  private typealias Place = (packs: [Int], owners: [SharedPaths.Owner])

  /// A finding for each language that lacks paths of other languages in the family, on a platform
  /// that has both.
  private static func gaps(_ packs: [CheckedPack], _ shared: SharedPaths) -> [Finding] {
    // Platforms with the same packs are judged together.
    var offers = Groups<Set<Int>, Platform>()
    for platform in Platform.allCases {
      offers.add(platform, Set(packs.indices.filter { packs[$0].manifest.isFor(platform) }))
    }
    var gaps = Groups<Gap, (platforms: [Platform], place: Place)>()
    for (offer, platforms) in offers.all {
      for family in shared.families(where: offer.contains) {
        for (gap, place) in Self.gaps(in: family, shared) { gaps.add((platforms, place), gap) }
      }
    }
    return gaps.all.compactMap { _, gaps in
      let lacking = Set(gaps.flatMap(\.platforms))
      let own = Set(gaps.flatMap(\.place.packs))
      let platforms = Platform.allCases.filter { platform in
        own.contains { packs[$0].manifest.isFor(platform) }
      }
      return finding(
        gaps[0].place.packs[0], gaps[0].place.owners,
        on: lacking.isSuperset(of: platforms) ? [] : platforms.filter(lacking.contains), packs)
    }
  }

  /// The paths that languages of a family lack, with the first file at each.
  private static func gaps(
    in family: [Int], _ shared: SharedPaths
  ) -> [(Gap, Place)] {
    var languages = Groups<Int?, Int>()
    for pack in family { languages.add(pack, shared.languages[pack]) }
    // For each path, the number of languages that have it, the last of them, and the first file.
    var paths: [Int: (count: Int, last: Int, first: SharedPaths.Owner)] = [:]
    for (language, group) in languages.all.enumerated() {
      for pack in group.elements {
        for (file, number) in shared.numbers[pack].enumerated() {
          let owner = SharedPaths.Owner(pack: pack, file: file)
          let known = paths[number] ?? (0, -1, owner)
          if known.last != language { paths[number] = (known.count + 1, language, known.first) }
        }
      }
    }
    let incomplete = paths.filter { $0.value.count < languages.all.count }
      .sorted { $0.key < $1.key }
    if incomplete.isEmpty { return [] }
    return languages.all.compactMap { language, group in
      let own = Set(group.flatMap { shared.numbers[$0] })
      let missing = incomplete.filter { !own.contains($0.key) }
      if missing.isEmpty { return nil }
      let gap = Gap(language: language, paths: missing.map(\.key))
      return (gap, (group, missing.map(\.value.first)))
    }
  }

  private static func finding(
    _ pack: Int, _ missing: [SharedPaths.Owner], on platforms: [Platform], _ packs: [CheckedPack]
  ) -> Finding? {
    let files = missing.prefix(3).compactMap { packs[$0.pack].selection?.files[$0.file] }
    guard let file = files.first, let language = packs[pack].manifest.language else { return nil }
    let other = packs[missing[0].pack]
    let isInOne = missing.allSatisfy { packs[$0.pack].language == other.language }
    let more = missing.count - files.count
    return Finding(
      .languageGap,
      "'\(language.value)' has no " + files.map { "'\($0.destination)'" }.joined(separator: ", ")
        + (more > 0 ? " and \(counted(more, "more file"))" : "")
        + (platforms.isEmpty
          ? "" : " on " + platforms.map(\.rawValue).joined(separator: ", "))
        + (isInOne
          ? ", which '\(other.manifest.language?.value ?? "")' has"
          : ", which other languages have"),
      at: language.location,
      notes: [
        Note(
          "'\(file.destination)' is in the pack"
            + " '\(printable(other.manifest.assetPackID.value.utf8))'",
          at: other.manifest.selectors[file.selector].location)
      ], manifests: [pack, missing[0].pack])
  }

  private static func lack(
    of primaryLanguage: String?, in family: [Int], _ packs: [CheckedPack]
  ) -> Finding? {
    guard let primaryLanguage, let location = packs[family[0]].manifest.language?.location,
      !family.contains(where: { packs[$0].language == Language(primaryLanguage) })
    else { return nil }
    let tags = family.map(\.self).forPlayers { packs[$0].manifest.language?.value }
      .compactMap(\.language)
    return Finding(
      .noPrimaryLanguage,
      "of this pack and its translations, none is in the primary language '\(primaryLanguage)'",
      at: location,
      notes: [Note("they are in " + tags.map { "'\($0)'" }.joined(separator: ", "))],
      manifests: [family[0]])
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
          + " before OS 27 don't get \(them)", at: packs[first].manifest.language?.location,
        manifests: [first])
    ]
  }
}
