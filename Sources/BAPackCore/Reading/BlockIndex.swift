/// Where each block of a file stands, for reading them in any order: eight bytes a block, and none
/// for a bare stream.
package struct BlockIndex: Sendable, Hashable {
  /// The bytes of the file where the headers of the blocks begin.
  private(set) var starts: [UInt64] = []

  /// Notes the next block.
  mutating func append(_ place: BlockPlace) {
    if place.headerSize > 0 { starts.append(place.fileOffset) }
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
    let start = index.starts[Int(number)]
    let end = Int(number) + 1 < index.starts.count ? index.starts[Int(number) + 1] : packedSize
    return BlockPlace(
      number: Int(number), fileOffset: start, rawOffset: rawOffset, rawSize: rawSize,
      storedSize: Int(end - start) - ContainerFormat.blockHeaderSize,
      headerSize: ContainerFormat.blockHeaderSize)
  }
}
