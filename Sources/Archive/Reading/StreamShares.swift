/// How the blocks that contain a range of an archive stream are compressed.
package enum BlockUse: String, Sendable, CaseIterable {
  /// All are stored.
  case stored
  /// All are compressed.
  case compressed
  /// Some are stored and some are compressed.
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
