/// A finding for each pair of packs that can be on the same device and have different contents at
/// the same path, with the first such path; and one for each file that could not be compared.
func contentsClashes(_ packs: [CheckedPack]) -> [Finding] {
  guard packs.count > 1 else { return [] }
  var owners: [RelativePath: [(pack: Int, file: SelectedFile)]] = [:]
  var clashes: [Clash] = []
  var unreadable: [Finding] = []
  for (index, pack) in packs.enumerated() {
    for file in pack.selection?.files ?? [] {
      for owner in owners[file.destination, default: []] where meet(packs[owner.pack], pack) {
        let known = clashes.firstIndex { $0.first == owner.pack && $0.second == index }
        do throws(SystemError) {
          guard try differ(packs[owner.pack], owner.file, pack, file) else { continue }
        } catch {
          let location = pack.manifest.selectors[file.selector].location
          var finding = Finding(unreadable: file, error, at: location)
          finding.manifests = [index]
          unreadable.append(finding)
          continue
        }
        if let known {
          clashes[known].further += 1
        } else {
          clashes.append(
            Clash(
              first: owner.pack, second: index, firstFile: owner.file, secondFile: file))
        }
      }
      owners[file.destination, default: []].append((index, file))
    }
  }
  return clashes.map { $0.finding(packs) } + unreadable
}

private struct Clash {
  let first: Int
  let second: Int
  let firstFile: SelectedFile
  let secondFile: SelectedFile
  /// The number of other clashing paths.
  var further = 0

  func finding(_ packs: [CheckedPack]) -> Finding {
    let (older, newer) = (packs[first].manifest, packs[second].manifest)
    let more = further > 0 ? " and \(counted(further, "more path"))" : ""
    var finding = Finding(
      .contentsClash,
      "'\(secondFile.destination)' has different contents in the pack"
        + " '\(printable(older.assetPackID.value.utf8))'" + more,
      at: newer.selectors[secondFile.selector].location,
      notes: [
        Note(
          "there it comes from '\(firstFile.source)'",
          at: older.selectors[firstFile.selector].location)
      ], file: secondFile.source)
    finding.manifests = [second, first]
    return finding
  }
}

/// Whether one device can have both packs, because their platforms overlap.
func meet(_ one: CheckedPack, _ other: CheckedPack) -> Bool {
  let (a, b) = (one.manifest.platforms, other.manifest.platforms)
  return a.isEmpty || b.isEmpty || a.contains { b.contains($0) }
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
