// The 360 frequencies of a packed header: one bit string, the lowest bit of the first byte first.
// The low bits of a code decide its length: small values take 2, 3 or 5 bits, large ones 8 or 14.
extension [UInt16] {
  /// Fills the array with the frequencies packed into `range`, which must be inside `stream`.
  mutating func unpack(_ stream: RawSpan, _ range: Range<Int>) throws(LZFSE.Damage) {
    var bits: UInt64 = 0
    var count = 0
    var offset = range.lowerBound
    for index in indices {
      while count < 14, offset < range.upperBound {
        bits |= UInt64(stream.integer(at: offset, as: UInt8.self)) << UInt64(count)
        offset += 1
        count += 8
      }
      let (value, length) = Self.frequency(UInt16(truncatingIfNeeded: bits))
      guard length <= count else { throw LZFSE.Damage(.packedFrequencies, at: range.upperBound) }
      self[index] = value
      bits >>= UInt64(length)
      count -= length
    }
    // Bits left in the last byte are fillers; a byte more is damage.
    guard offset == range.upperBound, count < 8 else {
      throw LZFSE.Damage(.packedFrequencies, at: offset - count / 8)
    }
  }

  private static func frequency(_ bits: UInt16) -> (value: UInt16, length: Int) {
    switch (~bits).trailingZeroBitCount {
    case 0: ((bits >> 1) & 1, 2)
    case 1: (2 + ((bits >> 2) & 1), 3)
    case 2: (4 + ((bits >> 3) & 3), 5)
    case 3: (8 + ((bits >> 4) & 15), 8)
    default: (24 + ((bits >> 4) & 1023), 14)
    }
  }
}
