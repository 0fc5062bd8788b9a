/// Files with the same contents, in one or several packs.
package struct PackCopies: Sendable {
  package struct File: Sendable {
    package let pack: Int
    package let number: Int
    /// Its share of the blocks that contain it.
    package let share: UInt64
  }

  package let size: UInt64
  /// The copies in the order of the packs and of their files; at least two.
  package let files: [File]

  package var wastedSize: UInt64 { size * UInt64(files.count - 1) }
  /// The compressed size of all copies but the largest, in bytes.
  package var wastedDownload: UInt64 {
    files.size(\.share) - (files.map(\.share).max() ?? 0)
  }
}

extension [PackIndex] {
  /// Finds the hashes of all files, or else of those with the size of another, which may be copies.
  package mutating func findHashes(ofAll: Bool, jobs: Int) throws {
    var counts: [UInt64: Int] = [:]
    for file in lazy.flatMap(\.storedFiles) { counts[file.size, default: 0] += 1 }
    for index in indices {
      let wanted = self[index].storedFiles.filter {
        ofAll || $0.size > 0 && counts[$0.size, default: 0] > 1
      }
      self[index].hashes = try self[index].hashes(of: wanted.map(\.number), jobs: jobs)
    }
  }

  package var copies: [PackCopies] { copies(for: players) }

  /// The contents that one of the players has more than once among the files with hashes, those that
  /// waste the most first.
  package func copies(for players: Players) -> [PackCopies] {
    let owned = players.all.map { Set($0.packs) }
    var copies: [[UInt8]: [PackCopies.File]] = [:]
    for (index, pack) in enumerated() {
      for file in pack.storedFiles where file.size > 0 {
        guard let hash = pack.hashes[file.number] else { continue }
        copies[hash, default: []].append(
          PackCopies.File(pack: index, number: file.number, share: pack.share(of: file)))
      }
    }
    return copies.values.filter { $0.count > 1 }.compactMap { files -> PackCopies? in
      let own = owned.map { packs in files.filter { packs.contains($0.pack) } }
      guard let files = own.max(by: { $0.count < $1.count }), files.count > 1 else { return nil }
      return PackCopies(size: self[files[0].pack].entries[files[0].number].size, files: files)
    }.sorted { left, right in
      if left.wastedSize != right.wastedSize { return left.wastedSize > right.wastedSize }
      let (a, b) = (left.files[0], right.files[0])
      return (a.pack, a.number) < (b.pack, b.number)
    }
  }
}
