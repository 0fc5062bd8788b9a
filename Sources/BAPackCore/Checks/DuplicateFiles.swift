/// Files with the same contents, in a pack or in two packs that a device can have at once.
enum DuplicateFiles {
  /// Smaller files are not worth a finding.
  private static let smallest: UInt64 = 4096

  private struct Member {
    let pack: Int
    let file: SelectedFile
  }

  private struct Pair: Hashable {
    let first: Int
    let second: Int
  }

  /// The files of one pair of packs.
  private struct Copies {
    let pair: Pair
    var copies: [(original: SelectedFile, copy: SelectedFile)] = []
    var size: UInt64 { copies.reduce(0) { $0 + $1.copy.size } }
  }

  /// A finding for each pack with copies in itself, and for each two packs with copies of one another,
  /// at the selector of the first copy.
  static func findings(
    _ packs: [CheckedPack], isOff: (_ pack: Int, _ file: RelativePath) -> Bool
  ) -> [Finding] {
    var sizes: [UInt64: [Member]] = [:]
    for (index, pack) in packs.enumerated() {
      for file in pack.selection?.files ?? [] where file.size >= smallest {
        sizes[file.size, default: []].append(Member(pack: index, file: file))
      }
    }
    var found: [Pair: Copies] = [:]
    for members in sizes.values where members.count > 1 {
      for same in classes(members, packs) where same.count > 1 {
        for (index, copy) in same.enumerated() where !isOff(copy.pack, copy.file.source) {
          guard let original = same[..<index].first(where: { conflict($0, copy, packs) }) else {
            continue
          }
          let pair = Pair(first: original.pack, second: copy.pack)
          found[pair, default: Copies(pair: pair)].copies.append((original.file, copy.file))
        }
      }
    }
    return found.values.sorted { ($0.pair.second, $0.pair.first) < ($1.pair.second, $1.pair.first) }
      .map { finding($0, packs) }
  }

  /// Whether a device can have both files, which are not the same entry.
  private static func conflict(_ one: Member, _ other: Member, _ packs: [CheckedPack]) -> Bool {
    one.pack == other.pack || meet(packs[one.pack], packs[other.pack])
  }

  /// The members, which have one size, by contents. Large files of one size, such as textures, are
  /// told apart by a few blocks first.
  private static func classes(_ members: [Member], _ packs: [CheckedPack]) -> [[Member]] {
    var samples: [[UInt8]: [Member]] = [:]
    var order: [[UInt8]] = []
    for member in members {
      guard let sample = sample(member, packs) else { continue }
      if samples[sample] == nil { order.append(sample) }
      samples[sample, default: []].append(member)
    }
    return order.flatMap { sample in
      var classes: [[Member]] = []
      for member in samples[sample] ?? [] {
        let index = classes.firstIndex { alike in
          !differ(packs[alike[0].pack], alike[0].file, packs[member.pack], member.file)
        }
        if let index { classes[index].append(member) } else { classes.append([member]) }
      }
      return classes
    }
  }

  /// A digest of the start, the middle and the end; nil if the file can't be read.
  private static func sample(_ member: Member, _ packs: [CheckedPack]) -> [UInt8]? {
    guard let root = packs[member.pack].selection?.root, let buffer = try? Buffer(size: 1024) else {
      return nil
    }
    let path = root.appending(member.file.source.bytes)
    guard let descriptor = try? FileDescriptor.reading(path) else { return nil }
    var bytes: [UInt8] = []
    let size = member.file.size
    for start in [0, size / 2, size - 1024] {
      guard
        let count = unsafe try? descriptor.read(
          into: buffer.bytes, atLeast: 1024, at: start, of: path), count == 1024
      else { return nil }
      unsafe bytes.append(contentsOf: buffer.bytes)
    }
    return SHA256.digest(of: bytes)
  }

  private static func finding(_ copies: Copies, _ packs: [CheckedPack]) -> Finding {
    let sorted = copies.copies.sorted { $0.copy.destination < $1.copy.destination }
    let (original, copy) = sorted[0]
    let (first, second) = (packs[copies.pair.first], packs[copies.pair.second])
    let isOnePack = copies.pair.first == copies.pair.second
    let name = printable(first.manifest.assetPackID.value.utf8)
    let more = sorted.count - 1
    let shown = sorted.dropFirst().prefix(5).map { "'\($0.copy.destination)'" }
    var notes: [Note] = []
    if more > 0 {
      notes.append(
        Note(
          "also " + shown.joined(separator: ", ")
            + (more > shown.count ? " and \(counted(more - shown.count, "more file"))" : "")))
    }
    notes.append(
      Note(
        "the first copy is here",
        at: first.manifest.selectors[original.selector].location))
    return Finding(
      .duplicateFiles,
      "'\(copy.destination)' has the same contents as '\(original.destination)'"
        + (isOnePack ? "" : " in the pack '\(name)'")
        + (more > 0
          ? "; \(counted(sorted.count, "file")) with \(byteCount(copies.size)) are copies"
          : " (\(byteCount(copies.size)))"),
      at: second.manifest.selectors[copy.selector].location, notes: notes, file: copy.source)
  }
}
