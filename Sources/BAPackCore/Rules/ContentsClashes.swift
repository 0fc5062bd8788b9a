extension Rule {
  package static let contentsClash = Rule(
    "contents-clash", .warning, .packs, "Different contents at one path in two packs",
    reason: """
      A device merges all packs of an app into one folder. If two packs have different files at one \
      path, it is undefined which one the app reads. Packs of different languages may have different \
      files there, as the app asks for those of one language: `en` and `en-US` are the same language, \
      `en-GB` is another.
      """,
    remedy: "Give one of the files another destination, or exclude it from one pack.")
}

/// A finding for each pair of packs that can be on the same device and have different contents at
/// the same path, with the first such path; and one for each file that could not be compared.
func contentsClashes(
  _ packs: [CheckedPack], _ players: Players, _ paths: AppPaths
) -> [Finding] {
  var clashes: [Pair: Clash] = [:]
  var unreadable: [Finding] = []
  for owners in paths.shared {
    let languages = owners.map { players.languageNumbers[$0.pack] }
    // Translations of one file, as a rule.
    if !languages.contains(nil), Set(languages).count == owners.count { continue }
    let files = owners.compactMap { owner in
      packs[owner.pack].selection.map { (pack: owner.pack, file: $0.files[owner.file]) }
    }
    /// Adds a file to groups of those with the same contents: it is compared with one of each.
    func add(_ index: Int, to groups: inout [[Int]]) {
      let (pack, file) = files[index]
      func meets(_ other: Int) -> Bool { players.meet(files[other].pack, pack) }
      var (same, others): ([Int], [[Int]]) = ([], [])
      for group in groups {
        guard let first = group.first(where: meets).map({ files[$0] }) else {
          others.append(group)
          continue
        }
        var differs = false
        do throws(SystemError) {
          differs = try differ(packs[first.pack], first.file, packs[pack], file)
        } catch {
          let location = packs[pack].manifest.selectors[file.selector].location
          var finding = Finding(unreadable: file, error, at: location)
          finding.manifests = [pack]
          unreadable.append(finding)
        }
        guard differs else {
          same += group
          continue
        }
        others.append(group)
        for other in group where meets(other) {
          let pair = Pair(first: min(files[other].pack, pack), second: max(files[other].pack, pack))
          let (one, two) = (files[other].file, file)
          clashes[pair, default: Clash()].add(
            pair.second == pack ? one : two, pair.second == pack ? two : one)
        }
      }
      groups = others + [same + [index]]
    }
    // Packs in two languages never meet: each language is compared with itself and those without one.
    var common: [[Int]] = []
    var localized = Groups<Int, Int>()
    for (index, (pack, _)) in files.enumerated() {
      if let language = players.languageNumbers[pack] {
        localized.add(index, language)
      } else {
        add(index, to: &common)
      }
    }
    for (_, members) in localized.all {
      var groups = common
      for index in members { add(index, to: &groups) }
    }
  }
  return clashes.sorted { ($0.key.second, $0.key.first) < ($1.key.second, $1.key.first) }
    .compactMap { $0.value.finding(packs, $0.key) } + unreadable
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

/// Whether two files differ.
private func differ(
  _ onePack: CheckedPack, _ one: SelectedFile, _ otherPack: CheckedPack, _ other: SelectedFile
) throws(SystemError) -> Bool {
  guard one.size == other.size else { return true }
  guard let oneRoot = onePack.selection?.root, let otherRoot = otherPack.selection?.root else {
    return true
  }
  if oneRoot == otherRoot, one.source == other.source { return false }
  let (onePath, otherPath) = (
    oneRoot.appending(one.source.bytes), otherRoot.appending(other.source.bytes)
  )
  if one.pointer != nil || other.pointer != nil {
    return try one.sha256(at: onePath) != other.sha256(at: otherPath)
  }
  let oneFile = try onePath.attempt(.open, FileDescriptor.reading(onePath))
  let otherFile = try otherPath.attempt(.open, FileDescriptor.reading(otherPath))
  while true {
    let part = try onePath.attempt(.read, oneFile.read(upTo: 1 << 18))
    guard try otherPath.attempt(.read, otherFile.read(upTo: 1 << 18)) == part else { return true }
    if part.isEmpty { return false }
  }
}
