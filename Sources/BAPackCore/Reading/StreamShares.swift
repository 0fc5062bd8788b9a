/// How the blocks are compressed that hold a range of an archive stream.
package enum BlockUse: String, Sendable, CaseIterable {
  /// All of them are stored as they are.
  case stored
  /// All of them are compressed.
  case compressed
  /// Some are stored, and some are compressed.
  case both
  /// The range is empty, so there are none.
  case none
}

extension ContainerFacts {
  /// The bytes of the file that `range` of the archive stream takes: of each block, its header
  /// included, the part that the range has of the block's raw bytes. The shares of ranges that
  /// follow each other add up to the share of all of them, to the byte.
  package func share(of range: Range<UInt64>) -> UInt64 {
    range.isEmpty ? 0 : filePosition(of: range.upperBound) - filePosition(of: range.lowerBound)
  }

  /// The byte of the file at which `offset` of the stream would be if each block were evenly dense.
  private func filePosition(of offset: UInt64) -> UInt64 {
    guard offset < rawSize else { return packedSize }
    let place = block(holding: offset)
    // No overflow: both factors are at most a little more than the largest block size, 2^26.
    let size = UInt64(place.headerSize + place.storedSize)
    return place.fileOffset + (offset - place.rawOffset) * size / UInt64(place.rawSize)
  }

  /// How the blocks are compressed that hold `range` of the stream.
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
