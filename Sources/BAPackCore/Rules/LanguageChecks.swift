extension AppCheck {
  /// Files that languages lack, families without the primary language, and the reach of localized
  /// packs.
  static func languageFindings(
    _ packs: [CheckedPack], _ shared: SharedPaths, primaryLanguage: String?
  ) -> [Finding] {
    let families = shared.families
    return families.flatMap { gaps(in: $0, packs, shared) }
      + families.compactMap { lack(of: primaryLanguage, in: $0, packs) } + reach(packs)
  }

  /// A finding for each language that lacks paths of other languages in the family.
  private static func gaps(
    in family: [Int], _ packs: [CheckedPack], _ shared: SharedPaths
  ) -> [Finding] {
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
    return languages.all.compactMap { _, group in
      let own = Set(group.flatMap { shared.numbers[$0] })
      return gap(
        of: group[0], incomplete.filter { !own.contains($0.key) }.map(\.value.first), packs)
    }
  }

  private static func gap(
    of pack: Int, _ missing: [SharedPaths.Owner], _ packs: [CheckedPack]
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
