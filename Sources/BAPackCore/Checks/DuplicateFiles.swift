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
  /// at the selector of the first copy; and for each file that could not be compared.
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
    var unreadable: [Finding] = []
    for members in sizes.values where members.count > 1 {
      for same in classes(members, packs, &unreadable) where same.count > 1 {
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
      .map { finding($0, packs) } + unreadable.sorted { $0.message < $1.message }
  }

  /// Whether a device can have both files, which are not the same entry.
  private static func conflict(_ one: Member, _ other: Member, _ packs: [CheckedPack]) -> Bool {
    one.pack == other.pack || meet(packs[one.pack], packs[other.pack])
  }

  /// The members, which have one size, by contents. Large files of one size, such as textures, are
  /// told apart by a few blocks first.
  private static func classes(
    _ members: [Member], _ packs: [CheckedPack], _ unreadable: inout [Finding]
  ) -> [[Member]] {
    var samples: [[UInt8]: [Member]] = [:]
    var order: [[UInt8]] = []
    for member in members {
      do throws(SystemError) {
        guard let sample = try sample(member, packs) else { continue }
        if samples[sample] == nil { order.append(sample) }
        samples[sample, default: []].append(member)
      } catch {
        unreadable.append(finding(member, packs, error))
      }
    }
    var result: [[Member]] = []
    for sample in order {
      var classes: [[Member]] = []
      for member in samples[sample] ?? [] {
        do throws(SystemError) {
          if let index = try index(of: member, in: classes, packs) {
            classes[index].append(member)
          } else {
            classes.append([member])
          }
        } catch {
          unreadable.append(finding(member, packs, error))
        }
      }
      result += classes
    }
    return result
  }

  private static func index(
    of member: Member, in classes: [[Member]], _ packs: [CheckedPack]
  ) throws(SystemError) -> Int? {
    for (index, alike) in classes.enumerated()
    where try !differ(packs[alike[0].pack], alike[0].file, packs[member.pack], member.file) {
      return index
    }
    return nil
  }

  private static func finding(
    _ member: Member, _ packs: [CheckedPack], _ error: SystemError
  ) -> Finding {
    let location = packs[member.pack].manifest.selectors[member.file.selector].location
    return Finding(unreadable: member.file, error, at: location)
  }

  /// A digest of the start, the middle and the end; nil if the file is shorter by now.
  private static func sample(
    _ member: Member, _ packs: [CheckedPack]
  ) throws(SystemError) -> [UInt8]? {
    guard let root = packs[member.pack].selection?.root else { return nil }
    let path = root.appending(member.file.source.bytes)
    let buffer = try mapping({ SystemError(.read, path, code: $0) }, Buffer(size: 1024))
    let descriptor = try path.attempt(.open, FileDescriptor.reading(path))
    var bytes: [UInt8] = []
    let size = member.file.size
    for start in [0, size / 2, size - 1024] {
      let count = unsafe try path.attempt(
        .read, descriptor.read(into: buffer.bytes, atLeast: 1024, at: start))
      guard count == 1024 else { return nil }
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
