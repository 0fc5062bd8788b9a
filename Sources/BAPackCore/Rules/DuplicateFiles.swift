extension Rule {
  package static let duplicateFiles = Rule(
    "duplicate-files", .warning, .contents, "Files with the same contents",
    reason: """
      The same bytes are in a pack twice, or in two packs that a device can have at once; they are \
      downloaded and stored twice. Files below 4 kB are not compared. Packs for different platforms \
      are never on one device.
      """,
    remedy: """
      Keep one of the files, in a pack that is present whenever either is needed, and let the game read \
      that one.
      """)
}

/// Files with the same contents, in one pack or in two packs that can be on one device.
enum DuplicateFiles {
  /// Smaller files are not worth a finding.
  private static let smallest: UInt64 = 4096

  private struct Member {
    let pack: Int
    let file: SelectedFile
  }

  private typealias Copy = (original: SelectedFile, copy: SelectedFile)

  /// A finding for each pack with duplicates, and for each pair of packs that share files, at the
  /// selector of the first copy; and one for each file that could not be compared.
  static func findings(
    _ packs: [CheckedPack], _ players: Players,
    isOff: (_ pack: Int, _ file: RelativePath) -> Bool
  ) -> [Finding] {
    var found = Groups<Pair, Copy>()
    var unreadable: [Finding] = []
    for same in groups(packs, &unreadable) {
      // The first file of each pack: whether files conflict depends on their packs.
      var originals: [Member] = []
      for copy in same {
        let original = originals.first {
          $0.pack == copy.pack || players.meet($0.pack, copy.pack)
        }
        if originals.last?.pack != copy.pack { originals.append(copy) }
        guard let original, !isOff(copy.pack, copy.file.source) else { continue }
        found.add((original.file, copy.file), Pair(first: original.pack, second: copy.pack))
      }
    }
    return found.all.sorted { ($0.key.second, $0.key.first) < ($1.key.second, $1.key.first) }
      .map { finding($0.key, $0.elements, packs) } + unreadable.sorted { $0.message < $1.message }
  }

  /// The files with the same contents. Large files of equal size, such as textures, are first
  /// compared by a few bytes.
  private static func groups(
    _ packs: [CheckedPack], _ unreadable: inout [Finding]
  ) -> [[Member]] {
    var sizes: [UInt64: [Member]] = [:]
    for (index, pack) in packs.enumerated() {
      for file in pack.selection?.files ?? [] where file.size >= smallest {
        sizes[file.size, default: []].append(Member(pack: index, file: file))
      }
    }
    func split(
      _ groups: [[Member]],
      by ranges: @escaping @Sendable (_ size: UInt64) -> [Range<UInt64>]
    ) -> [[Member]] {
      let members = groups.enumerated().flatMap { index, group in
        group.count > 1 ? group.map { (group: index, member: $0) } : []
      }
      let keys = mapOnThreads(members.count, share: 16) { index in
        let (pack, file) = (members[index].member.pack, members[index].member.file)
        return Result<[UInt8]?, SystemError> { () throws(SystemError) in
          guard let root = packs[pack].selection?.root else { return nil }
          return try root.appending(file.source.bytes).digest(of: ranges(file.size))
        }
      }
      var parts: [Part: [Member]] = [:]
      for ((group, member), key) in zip(members, keys) {
        switch key {
        case .success(let key?): parts[Part(group: group, key: key), default: []].append(member)
        // The file was truncated meanwhile.
        case .success(nil): break
        case .failure(let error): unreadable.append(finding(member, packs, error))
        }
      }
      return Array(parts.values)
    }
    let sample: UInt64 = 1024
    var groups = split(Array(sizes.values)) { size in [size / 2..<size / 2 + sample] }
    groups = split(groups) { size in [0..<sample, size - sample..<size] }
    return split(groups) { size in [0..<size] }
  }

  /// What the files in a subset of a group have in common.
  private struct Part: Hashable {
    let group: Int
    let key: [UInt8]
  }

  private static func finding(
    _ member: Member, _ packs: [CheckedPack], _ error: SystemError
  ) -> Finding {
    let location = packs[member.pack].manifest.selectors[member.file.selector].location
    var finding = Finding(unreadable: member.file, error, at: location)
    finding.manifests = [member.pack]
    return finding
  }

  private static func finding(
    _ pair: Pair, _ copies: [Copy], _ packs: [CheckedPack]
  ) -> Finding {
    let sorted = copies.sorted { $0.copy.destination < $1.copy.destination }
    let (original, copy) = sorted[0]
    let (first, second) = (packs[pair.first], packs[pair.second])
    let name = printable(first.manifest.assetPackID.value.utf8)
    let size = byteCount(copies.size(\.copy.size))
    let notes = [
      Note(onOtherFiles: sorted.dropFirst().lazy.map { "'\($0.copy.destination)'" }),
      pair.first == pair.second && original.selector == copy.selector
        ? nil
        : Note("the first copy is here", at: first.manifest.selectors[original.selector].location),
    ]
    var finding = Finding(
      .duplicateFiles,
      "'\(copy.destination)' has the same contents as '\(original.destination)'"
        + (pair.first == pair.second ? "" : " in the pack '\(name)'")
        + (sorted.count > 1
          ? "; \(counted(sorted.count, "file")) with \(size) are copies" : " (\(size))"),
      at: second.manifest.selectors[copy.selector].location, notes: notes.compactMap(\.self),
      file: copy.source)
    finding.manifests = [pair.second, pair.first]
    return finding
  }
}

extension BytePath {
  /// The SHA-256 of these ranges of the file here; nil if it ends before.
  fileprivate func digest(of ranges: [Range<UInt64>]) throws(SystemError) -> [UInt8]? {
    let file = try attempt(.open, FileDescriptor.reading(self))
    var digest = SHA256()
    for range in ranges {
      var offset = range.lowerBound
      while offset < range.upperBound {
        let part = Int(min(range.upperBound - offset, 1 << 20))
        let bytes = try attempt(.read, file.read(part, at: offset))
        guard bytes.count == part else { return nil }
        digest.update(bytes)
        offset += UInt64(part)
      }
    }
    return digest.finalize()
  }
}
