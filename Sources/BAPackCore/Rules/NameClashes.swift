extension Rule {
  package static let caseClash = Rule(
    "case-clash", .warning, .store, "Two paths differ only in case",
    reason: """
      On most Mac volumes the two are the same name, so one file replaces the other, while devices \
      keep both. The app would work in one place and fail in the other. That holds in a pack, and \
      across packs that a device can have at once, since it merges them.
      """,
    remedy: "Rename one of the two.")

  package static let normalizationClash = Rule(
    "normalization-clash", .warning, .store, "Two paths differ only in Unicode normalization",
    reason: """
      One name has an accented letter as one code point, the other as two. On Apple's file systems \
      they are the same name, so one file replaces the other, in a pack or across packs that a device \
      can have at once.
      """,
    remedy: "Rename one of the two. They look the same: `ls | hexdump -C` shows the difference.")
}

/// A finding for each two names that are the same on other volumes: of a single pack, or of different
/// packs that can be on the same device. What one pack has by itself was found with it.
func nameClashes(
  _ packs: [CheckedPack], _ players: Players, _ paths: [[RelativePath]]
) -> [Finding] {
  equalNames(in: paths).flatMap { names -> [Finding] in
    let owners = names.map { name in packs.indices.filter { packs[$0].first(at: name) != nil } }
    return names.indices.dropFirst().compactMap { second in
      for first in names.indices[..<second] {
        if packs.count > 1, owners[first].contains(where: owners[second].contains) { continue }
        for one in owners[first] {
          guard let other = owners[second].first(where: { players.meet(one, $0) }) else { continue }
          return finding(packs, (one, names[first]), (other, names[second]))
        }
      }
      return nil
    }
  }.limited()
}

private func finding(
  _ packs: [CheckedPack], _ first: (pack: Int, name: RelativePath),
  _ second: (pack: Int, name: RelativePath)
) -> Finding? {
  let (one, other) = (packs[first.pack], packs[second.pack])
  guard let old = one.first(at: first.name), let new = other.first(at: second.name) else {
    return nil
  }
  let isNormalization =
    String(decoding: first.name.bytes, as: UTF8.self)
    == String(decoding: second.name.bytes, as: UTF8.self)
  func shown(_ path: RelativePath) -> String {
    "'\(path)'" + (isNormalization ? " (\(hexadecimal(path.name)))" : "")
  }
  let isOne = first.pack == second.pack
  let place = isOne ? "" : " in the pack '\(one.manifest.name)'"
  return Finding(
    isNormalization ? .normalizationClash : .caseClash,
    "\(shown(first.name))\(place) and \(shown(second.name)) differ only in "
      + (isNormalization ? "Unicode normalization" : "case"),
    at: other.manifest.place(of: new),
    notes: [
      isOne && old.selector == new.selector
        ? nil
        : Note("this selector matches '\(first.name)'", at: one.manifest.place(of: old))
    ], file: new.source, manifests: isOne ? [] : [second.pack, first.pack])
}

extension CheckedPack {
  /// The file at `path`, or the first in the folder there.
  fileprivate func first(at path: RelativePath) -> SelectedFile? {
    let index = files.partitioningIndex { !($0.destination < path) }
    return index < files.count && files[index].destination.isInside(path) ? files[index] : nil
  }
}

/// Names that are different here but the same on other volumes, in the order of the packs: most Mac
/// volumes ignore case, and all of Apple's file systems ignore Unicode normalization.
///
/// Folders clash like files. What is in clashing folders doesn't again.
private func equalNames(in packs: [[RelativePath]]) -> [[RelativePath]] {
  // Folding other letters takes longer.
  let isASCII = packs.allSatisfy { $0.allSatisfy { $0.bytes.allSatisfy { $0 < 0x80 } } }
  /// Paths up to an end, by a hash of the folder and of the folded name, or the next free number.
  var names: [Int: (path: [UInt8], end: Int)] = [:]
  names.reserveCapacity(packs.map(\.count).max() ?? 0)
  var groups = Groups<RelativePath, RelativePath>()
  func add(_ path: [UInt8], to end: Int, from start: Int, _ folder: UInt64, _ folded: UInt64) {
    let own = path[..<end]
    var key = Int(truncatingIfNeeded: folded)
    if !isASCII {
      var hasher = Hasher()
      hasher.combine(folder)
      hasher.combine(caseFolded(own[start...]))
      key = hasher.finalize()
    }
    var equal: ArraySlice<UInt8>?
    while let (path, end) = names[key] {
      let other = path[..<end]
      if other == own { return }
      if equal == nil, other.count > start, other[..<start] == own[..<start],
        !other[start...].contains(ASCII.slash),
        caseFolded(other[start...]) == caseFolded(own[start...])
      {
        equal = other
      }
      key &+= 1
    }
    names[key] = (path, end)
    guard let equal else { return }
    groups.add(RelativePath(unchecked: Array(own)), RelativePath(unchecked: Array(equal)))
  }
  var last: [UInt8] = []
  for path in packs.joined() {
    let bytes = path.bytes
    var (start, isKnown) = (0, true)
    // FNV-1a: of the folder, of all so far, and of both the folder and its name in lowercase.
    var exact: UInt64 = 0xCBF2_9CE4_8422_2325
    var (folder, folded) = (exact, exact)
    for index in 0...bytes.count {
      let byte = index < bytes.count ? bytes[index] : ASCII.slash
      isKnown = isKnown && index < last.count && last[index] == byte
      if byte == ASCII.slash {
        // A folder, unless the previous path had it, or the file.
        if !isKnown { add(bytes, to: index, from: start, folder, folded) }
      }
      exact = (exact ^ UInt64(byte)) &* 0x100_0000_01B3
      folded = (folded ^ UInt64(ASCII.lowercased(byte))) &* 0x100_0000_01B3
      if byte == ASCII.slash { (start, folder, folded) = (index + 1, exact, exact) }
    }
    last = bytes
  }
  return groups.all.map { [$0.key] + $0.elements }
}
