/// The properties of a container.
public struct ContainerFacts: Sendable, Hashable {
  package let kind: ContainerKind
  /// The number of blocks; 0 in a bare stream.
  package internal(set) var blocks = 0
  package internal(set) var storedBlocks = 0
  /// The size of the archive stream in bytes.
  public internal(set) var rawSize: UInt64 = 0
  /// The size of the file in bytes.
  public internal(set) var packedSize: UInt64
  /// The offsets of the block headers in the file; empty for a bare stream.
  var blockStarts: [UInt64] = []

  /// A container without blocks.
  package init(kind: ContainerKind) {
    self.kind = kind
    packedSize = kind == .bare ? 0 : UInt64(ContainerKind.headerSize)
  }

  /// The number of blocks for which the format has no checksum: stored ones, and all but zlib's. 0
  /// for a bare stream, which has no checksums either.
  package var blocksWithoutChecksum: Int {
    codecs.contains(where: \.hasChecksum) ? storedBlocks : blocks
  }

  /// The compression, without the level, as ``Compression`` describes it; nil if that has no name for
  /// it.
  package var compression: String? {
    let codecs = codecs
    let plain = storedBlocks == blocks ? codecs.first { $0.makeEncoder == nil } : nil
    return (plain ?? codecs.first)?.rawValue
  }

  /// Those that make containers of this kind.
  private var codecs: [Codec] {
    guard case .blocks(let algorithm, _) = kind else { return [] }
    return Codec.allCases.filter { $0.algorithm == algorithm }
  }

  /// Adds the next block, whose `storedSize` includes its header; returns its range in the file.
  package mutating func addBlock(
    rawSize: Int, storedSize: Int, isStored: Bool
  ) -> Range<UInt64> {
    let start = packedSize
    blocks += 1
    if isStored { storedBlocks += 1 }
    blockStarts.append(start)
    self.rawSize += UInt64(rawSize)
    packedSize += UInt64(storedSize)
    return start..<packedSize
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

/// How the blocks that contain a range of an archive stream are compressed.
package enum BlockUse: String, Sendable, CaseIterable {
  case stored
  case compressed
  case both
  /// The range is empty.
  case none
}

extension ContainerFacts {
  /// The number of bytes of the file that `range` of the archive stream takes: of each block,
  /// including its header, in proportion to the range's part of its uncompressed bytes. The shares
  /// of adjacent ranges add up exactly to the share of their union.
  package func share(of range: Range<UInt64>) -> UInt64 {
    range.isEmpty ? 0 : filePosition(of: range.upperBound) - filePosition(of: range.lowerBound)
  }

  /// The offset in the file of `offset` in the stream, if each block were uniformly compressed.
  private func filePosition(of offset: UInt64) -> UInt64 {
    guard offset < rawSize else { return packedSize }
    let place = block(holding: offset)
    // No overflow: both factors are at most a little more than the largest block size, 2^26.
    let size = UInt64(place.headerSize + place.storedSize)
    return place.fileOffset + (offset - place.rawOffset) * size / UInt64(place.rawSize)
  }

  /// How the blocks that contain `range` of the stream are compressed.
  package func blockUse(of range: Range<UInt64>) -> BlockUse {
    var (isStored, isCompressed) = (false, false)
    var offset = range.lowerBound
    while offset < min(range.upperBound, rawSize), !(isStored && isCompressed) {
      let place = block(holding: offset)
      if place.isStored { isStored = true } else { isCompressed = true }
      offset = place.rawRange.upperBound
    }
    switch (isStored, isCompressed) {
    case (true, true): return .both
    case (true, false): return .stored
    case (false, true): return .compressed
    case (false, false): return .none
    }
  }
}
