/// The properties of a container, found by reading it once.
package struct ContainerFacts: Sendable, Hashable {
  /// How the file contains the archive stream.
  package let kind: ContainerKind
  /// The number of blocks; 0 in a bare stream.
  package internal(set) var blocks = 0
  /// The number of stored blocks.
  package internal(set) var storedBlocks = 0
  /// The number of blocks for which the format has no checksum: stored ones, and all but zlib's. 0
  /// for a bare stream, which has no checksums either.
  package var blocksWithoutChecksum: Int {
    if case .blocks(.zlib, _) = kind { return storedBlocks }
    return blocks
  }
  /// The size of the archive stream in bytes.
  package internal(set) var rawSize: UInt64 = 0
  /// The size of the file in bytes.
  package internal(set) var packedSize: UInt64 = 0
  /// The offsets of the block headers in the file; empty for a bare stream.
  var blockStarts: [UInt64] = []

  /// A container without blocks.
  package init(kind: ContainerKind) { self.kind = kind }
}

extension ContainerFacts {
  /// The properties of a container that was just written, with the offsets of its blocks in the
  /// file.
  package init(_ counts: PackedCounts, _ algorithm: Algorithm, blockStarts: [UInt64]) {
    self.init(kind: .blocks(algorithm, blockSize: ContainerFormat.blockSize))
    blocks = counts.blocks
    storedBlocks = counts.storedBlocks
    rawSize = counts.raw
    packedSize = counts.packed
    self.blockStarts = blockStarts
  }
}

extension ContainerFacts {
  /// The block that contains byte `offset` of the archive stream, which must be less than
  /// ``rawSize``.
  package func block(holding offset: UInt64) -> BlockPlace {
    let pieceSize = UInt64(kind.pieceSize)
    let number = offset / pieceSize
    let rawOffset = number * pieceSize
    let rawSize = Int(min(pieceSize, rawSize - rawOffset))
    guard kind != .bare else {
      return BlockPlace(
        number: Int(number), fileOffset: rawOffset, rawOffset: rawOffset, rawSize: rawSize,
        storedSize: rawSize, headerSize: 0)
    }
    // All blocks but the last are full, so there is one for each offset below the uncompressed
    // size.
    let start = blockStarts[Int(number)]
    let end = Int(number) + 1 < blockStarts.count ? blockStarts[Int(number) + 1] : packedSize
    return BlockPlace(
      number: Int(number), fileOffset: start, rawOffset: rawOffset, rawSize: rawSize,
      storedSize: Int(end - start) - ContainerFormat.blockHeaderSize,
      headerSize: ContainerFormat.blockHeaderSize)
  }
}
