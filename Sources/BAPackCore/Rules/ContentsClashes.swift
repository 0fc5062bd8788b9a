extension Rule {
  package static let contentsClash = Rule(
    "contents-clash", .warning, .packs, "Different contents at one path in two packs",
    reason: """
      A device merges all packs of an app into one folder. If two packs have different files at one \
      path, it is undefined which one the app reads; a file of one pack can't be where another has a \
      folder. Packs of different languages may have different \
      files there, as the app asks for those of one language: `en` and `en-US` are the same language, \
      `en-GB` is another.
      """,
    remedy: "Give one of the files another destination, or exclude it from one pack.")
}

/// For each path that several packs have, the files there that can be on one device.
func meetingFiles(_ players: Players, _ paths: AppPaths) -> [[AppPaths.Owner]] {
  paths.shared.compactMap { owners in
    let languages = owners.map { players.languageNumbers[$0.pack] }
    // Translations of one file, as a rule.
    if !languages.contains(nil), Set(languages).count == owners.count { return nil }
    return owners.filter { owner in
      owners.contains { $0.pack != owner.pack && players.meet($0.pack, owner.pack) }
    }
  }
}

/// A finding for each pair of packs that can be on the same device and have different contents at
/// the same path, with the first such path.
func contentsClashes(
  _ packs: [CheckedPack], _ players: Players, _ meeting: [[AppPaths.Owner]],
  _ contents: EqualContents
) -> [Finding] {
  var clashes = Groups<Pair, (first: AppPaths.Owner, second: AppPaths.Owner)>()
  for classes in meeting.lazy.map(contents.classes(of:)) {
    for (index, own) in classes.enumerated() {
      for (one, other) in classes[..<index].joined().lazy.flatMap({ one in own.map { (one, $0) } })
      where players.meet(one.pack, other.pack) {
        let (first, second) = one.pack < other.pack ? (one, other) : (other, one)
        clashes.add((first, second), Pair(first: first.pack, second: second.pack))
      }
    }
  }
  return clashes.all.sorted { $0.key < $1.key }.compactMap { pair, paths in
    let files = paths.lazy.map { (first: packs[$0.first], second: packs[$0.second]) }
    guard let (first, second) = files.min(by: { $0.second.destination < $1.second.destination })
    else { return nil }
    let (older, newer) = (packs[pair.first].manifest, packs[pair.second].manifest)
    let tags = [older, newer].compactMap(\.language?.value)
    let sameLanguage =
      tags.count == 2 && tags[0] != tags[1]
      ? Note("'\(tags[0])' and '\(tags[1])' are one language for a device") : nil
    let more = paths.count > 1 ? " and \(counted(paths.count - 1, "more path"))" : ""
    return Finding(
      .contentsClash,
      "'\(second.destination)' has different contents in the pack '\(older.name)'\(more)",
      at: newer.place(of: second),
      notes: [
        Note("there it comes from '\(first.source)'", at: older.place(of: first)), sameLanguage,
      ], file: second.source, manifests: [pair.second, pair.first])
  }
}

/// A finding for each pair of packs of which one has a file where the other has a folder.
func folderClashes(_ packs: [CheckedPack], _ players: Players, _ paths: AppPaths) -> [Finding] {
  var findings: [Pair: Finding] = [:]
  for (pack, own) in paths.packs.enumerated() where packs.count > 1 {
    var last = RelativePath.root
    for (index, path) in own.enumerated() {
      defer { last = path }
      for folder in path.folders(notOf: last) {
        for file in paths[folder] where players.meet(file.pack, pack) {
          let pair = Pair(first: file.pack, second: pack)
          if file.pack == pack || findings[pair] != nil { continue }
          let (one, other) = (packs[file.pack].manifest, packs[pack].manifest)
          let inside = packs[pack].files[index]
          findings[pair] = Finding(
            .contentsClash,
            "'\(folder)' is a folder for '\(path)', and a file in the pack '\(one.name)'",
            at: other.place(of: inside),
            notes: [Note("the file comes from here", at: one.place(of: packs[file]))],
            file: inside.source, manifests: [pack, file.pack])
        }
      }
    }
  }
  return findings.sorted { $0.key < $1.key }.map(\.value)
}

/// Two packs, the first of which comes before the second.
struct Pair: Hashable, Comparable {
  let first: Int
  let second: Int

  static func < (left: Pair, right: Pair) -> Bool {
    (left.second, left.first) < (right.second, right.first)
  }
}
