extension Rule {
  /// Two paths differ only in case.
  public static let caseClash = Rule(
    "case-clash", .warning, .store, "Two paths differ only in case")
  /// Two paths differ only in Unicode normalization.
  public static let normalizationClash = Rule(
    "normalization-clash", .warning, .store, "Two paths differ only in Unicode normalization")
}

/// A finding for each two names that are the same on other volumes: of a single pack, or of different
/// packs that can be on the same device. What one pack has by itself was found with it.
func nameClashes(
  _ packs: [CheckedPack], _ players: Players, _ paths: [[RelativePath]]
) -> [Finding] {
  let groups = equalNames(in: paths)
  if packs.count == 1 {
    return groups.lazy.flatMap { names in names.dropFirst().map { (names[0], $0) } }
      .compactMap { finding(packs, (0, $0), (0, $1)) }.limited()
  }
  if groups.isEmpty { return [] }
  let owners = owners(of: Set(groups.joined()), in: paths)
  return groups.compactMap { names -> Finding? in
    // Names are known from each other if a pack has both, or each with a third.
    var known = DisjointSets(names.count)
    var firstNames: [Int: Int] = [:]
    for (number, name) in names.enumerated() {
      for pack in owners[name] ?? [] {
        if let first = firstNames[pack] {
          known.join(first, number)
        } else {
          firstNames[pack] = number
        }
      }
    }
    let items = players.meeting(
      firstNames.sorted { $0.key < $1.key }.map { pack, name in
        Players.Item(AppPaths.Owner(pack: pack, file: name), group: known.root(name))
      })
    guard let first = items.first,
      let second = items.first(where: {
        $0.group != first.group && players.meet(first.owner.pack, $0.owner.pack)
      })
    else { return nil }
    var clash = finding(
      packs, (first.owner.pack, names[first.owner.file]),
      (second.owner.pack, names[second.owner.file]))
    let shown = [first.owner.file, second.owner.file]
    let others = items.map(\.owner.file).unique().filter { !shown.contains($0) }
    if let note = Note(onOther: "name", others.map { "'\(names[$0])'" }) {
      clash?.notes.append(note)
    }
    return clash
  }.limited()
}

/// The packs that have each of these names, which may be folders.
private func owners(
  of names: Set<RelativePath>, in packs: [[RelativePath]]
) -> [RelativePath: [Int]] {
  var owners: [RelativePath: [Int]] = [:]
  for (pack, paths) in packs.enumerated() {
    var last = RelativePath.root
    for path in paths {
      for name in path.folders(notOf: last) + [path] where names.contains(name) {
        owners[name, default: []].append(pack)
      }
      last = path
    }
  }
  return owners
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
  let isCase = first.name.lowercasedBytes == second.name.lowercasedBytes
  func shown(_ path: RelativePath) -> String {
    "'\(path)'" + (isNormalization ? " (\(hexadecimal(path.name)))" : "")
  }
  let isOne = first.pack == second.pack
  let suffix = isOne ? "" : " in the pack '\(one.manifest.name)'"
  return Finding(
    isNormalization ? .normalizationClash : .caseClash,
    "\(shown(first.name))\(suffix) and \(shown(second.name)) differ only in "
      + (isNormalization
        ? "Unicode normalization" : isCase ? "case" : "case and Unicode normalization"),
    at: other.manifest.location(of: new),
    notes: [
      isOne && old.selector == new.selector
        ? nil
        : Note("this selector matches '\(first.name)'", at: one.manifest.location(of: old))
    ], file: new.source, manifests: isOne ? [] : [second.pack, first.pack])
}

extension RelativePath {
  fileprivate var lowercasedBytes: [UInt8] {
    Array(String(decoding: bytes, as: UTF8.self).lowercased().utf8)
  }
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
  var tree = NameTree<Void>()
  var groups = Groups<RelativePath, RelativePath>()
  for path in packs.joined() {
    _ = tree.add(path, isDirectory: false, ())
    if let clash = tree.clash { groups.add(clash.path, clash.other) }
  }
  return groups.all.map { [$0.key] + $0.elements }
}
