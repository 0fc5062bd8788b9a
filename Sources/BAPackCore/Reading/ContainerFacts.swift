/// What a pass over a container found.
package struct ContainerFacts: Sendable, Hashable {
  /// How the archive stream stands in the file.
  package let kind: ContainerKind
  /// How many blocks there are; 0 in a bare stream.
  package internal(set) var blocks = 0
  /// How many of them are stored.
  package internal(set) var storedBlocks = 0
  /// How many blocks have no checksum in the format: stored ones, and all but zlib's. Of a bare
  /// stream, which has none either, 0.
  package var blocksWithoutChecksum: Int {
    if case .blocks(.zlib, _) = kind { return storedBlocks }
    return blocks
  }
  /// Bytes of the archive stream.
  package internal(set) var rawSize: UInt64 = 0
  /// Bytes of the file.
  package internal(set) var packedSize: UInt64 = 0
  /// The bytes of the file where the headers of the blocks begin; empty for a bare stream.
  var blockStarts: [UInt64] = []
}

extension ContainerFacts {
  /// The facts of a container that was made just now, and the bytes of the file where its blocks
  /// begin.
  init(_ counts: PackedCounts, _ algorithm: Algorithm, blockStarts: [UInt64]) {
    self.init(kind: .blocks(algorithm, blockSize: ContainerFormat.blockSize))
    blocks = counts.blocks
    storedBlocks = counts.storedBlocks
    rawSize = counts.raw
    packedSize = counts.packed
    self.blockStarts = blockStarts
  }
}

extension ContainerFacts {
  /// The block that holds byte `offset` of the archive stream, which must be less than ``rawSize``.
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
    // Every block before the last is full, so there is one for each number below the raw size.
    let start = blockStarts[Int(number)]
    let end = Int(number) + 1 < blockStarts.count ? blockStarts[Int(number) + 1] : packedSize
    return BlockPlace(
      number: Int(number), fileOffset: start, rawOffset: rawOffset, rawSize: rawSize,
      storedSize: Int(end - start) - ContainerFormat.blockHeaderSize,
      headerSize: ContainerFormat.blockHeaderSize)
  }
}
