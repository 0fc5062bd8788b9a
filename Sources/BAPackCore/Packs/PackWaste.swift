/// The space that duplicate files waste in a pack.
package struct PackWaste: Sendable {
  /// The number of files with the contents of an earlier file.
  package internal(set) var files = 0
  /// Their total uncompressed size in bytes.
  package internal(set) var size: UInt64 = 0
  /// The size of their shares of the blocks that contain them, in bytes.
  package internal(set) var compressedSize: UInt64 = 0
}

extension Pack {
  /// The space wasted by duplicates among the files that apps read. Only reads contents of files
  /// that have the same size as another. Nil for a pipe, which can't be read again.
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
