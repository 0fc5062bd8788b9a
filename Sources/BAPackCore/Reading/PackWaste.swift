/// What the same contents more than once waste in a pack.
package struct PackWaste: Sendable {
  /// Files whose contents an earlier file has.
  package internal(set) var files = 0
  /// Bytes of these files, uncompressed.
  package internal(set) var size: UInt64 = 0
  /// Their shares of the blocks that contain them, in bytes of the pack.
  package internal(set) var compressedSize: UInt64 = 0
}

extension Pack {
  /// What duplicates among the files that games read waste. Only contents are read of which another
  /// file has the size. Nil for a pipe, which can't be read again.
  package func waste(jobs: Int) throws(ArchiveError) -> PackWaste? {
    guard isFile else { return nil }
    let isPack = isAssetPack
    let files = entries.indices.filter {
      entries[$0].kind == .file && entries[$0].size > 0 && entries[$0].isFile(ofPack: isPack)
    }
    var counts: [UInt64: Int] = [:]
    for index in files { counts[entries[index].size, default: 0] += 1 }
    let hashes = try sha256(
      ofEntries: files.filter { counts[entries[$0].size, default: 0] > 1 }, jobs: jobs)
    var seen: Set<[UInt8]> = []
    var waste = PackWaste()
    for index in files {
      guard let hash = hashes[index], !seen.insert(hash).inserted else { continue }
      waste.files += 1
      waste.size += entries[index].size
      waste.compressedSize += entries[index].contents.map { container.share(of: $0) } ?? 0
    }
    return waste
  }
}
