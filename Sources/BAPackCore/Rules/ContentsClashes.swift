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

/// A finding for each pair of packs that can be on the same device and have different contents at
/// the same path, with the first such path, or a file where the other has a folder; and one for each
/// file that could not be compared.
func contentsClashes(
  _ packs: [CheckedPack], _ players: Players, _ paths: AppPaths
) -> [Finding] {
  var candidates: [[AppPaths.Owner]] = []
  var groups: [[AppPaths.Owner]] = []
  for owners in paths.shared {
    let languages = owners.map { players.languageNumbers[$0.pack] }
    // Translations of one file, as a rule.
    if !languages.contains(nil), Set(languages).count == owners.count { continue }
    let meeting = owners.filter { owner in
      owners.contains { $0.pack != owner.pack && players.meet($0.pack, owner.pack) }
    }
    candidates.append(meeting)
    groups += Dictionary(grouping: meeting) { packs[$0].size }.values
  }
  let contents = EqualContents(of: groups, packs)
  var clashes: [Pair: Clash] = [:]
  for classes in candidates.lazy.map(contents.classes(of:)) {
    for (index, own) in classes.enumerated() {
      for (one, other) in classes[..<index].joined().lazy.flatMap({ one in own.map { (one, $0) } })
      where players.meet(one.pack, other.pack) {
        let (first, second) = one.pack < other.pack ? (one, other) : (other, one)
        clashes[Pair(first: first.pack, second: second.pack), default: Clash()]
          .add(packs[first], packs[second])
      }
    }
  }
  return clashes.sorted { ($0.key.second, $0.key.first) < ($1.key.second, $1.key.first) }
    .compactMap { $0.value.finding(packs, $0.key) } + folderClashes(packs, players, paths)
    + contents.unreadable
}

/// A finding for each pair of packs of which one has a file where the other has a folder.
private func folderClashes(
  _ packs: [CheckedPack], _ players: Players, _ paths: AppPaths
) -> [Finding] {
  var findings: [Pair: Finding] = [:]
  for (pack, own) in paths.packs.enumerated() where packs.count > 1 {
    var last: [UInt8] = []
    for (index, path) in own.enumerated() {
      let bytes = path.bytes
      // Folders shared with the previous file have been looked up.
      let shared = zip(bytes, last).prefix { $0 == $1 }.count
      last = bytes
      for end in bytes.indices[shared...] where bytes[end] == ASCII.slash {
        let folder = RelativePath(unchecked: Array(bytes[..<end]))
        for file in paths[folder] where players.meet(file.pack, pack) {
          let pair = Pair(first: file.pack, second: pack)
          if file.pack == pack || findings[pair] != nil { continue }
          let (one, other) = (packs[file.pack].manifest, packs[pack].manifest)
          let inside = packs[pack].files[index]
          findings[pair] = Finding(
            .contentsClash,
            "'\(folder)' is a folder for '\(path)', and a file in the pack"
              + " '\(printable(one.assetPackID.value.utf8))'",
            at: other.selectors[inside.selector].location,
            notes: [
              Note("the file comes from here", at: one.selectors[packs[file].selector].location)
            ], file: inside.source, manifests: [pack, file.pack])
        }
      }
    }
  }
  return findings.sorted { ($0.key.second, $0.key.first) < ($1.key.second, $1.key.first) }
    .map(\.value)
}

/// Two packs, the first of which comes before the second.
struct Pair: Hashable {
  let first: Int
  let second: Int
}

private struct Clash {
  /// The files at the first clashing path.
  private var files: (first: SelectedFile, second: SelectedFile)?
  /// The number of clashing paths.
  private var count = 0

  mutating func add(_ first: SelectedFile, _ second: SelectedFile) {
    count += 1
    if let known = files, known.second.destination < second.destination { return }
    files = (first, second)
  }

  func finding(_ packs: [CheckedPack], _ pair: Pair) -> Finding? {
    guard let files else { return nil }
    let (older, newer) = (packs[pair.first].manifest, packs[pair.second].manifest)
    let tags = [older, newer].compactMap(\.language?.value)
    let sameLanguage =
      tags.count == 2 && tags[0] != tags[1]
      ? Note("'\(tags[0])' and '\(tags[1])' are one language for a device") : nil
    let more = count > 1 ? " and \(counted(count - 1, "more path"))" : ""
    var finding = Finding(
      .contentsClash,
      "'\(files.second.destination)' has different contents in the pack"
        + " '\(printable(older.assetPackID.value.utf8))'" + more,
      at: newer.selectors[files.second.selector].location,
      notes: [
        Note(
          "there it comes from '\(files.first.source)'",
          at: older.selectors[files.first.selector].location), sameLanguage,
      ], file: files.second.source)
    finding.manifests = [pair.second, pair.first]
    return finding
  }
}
