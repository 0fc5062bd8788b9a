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

  /// The bytes that `unpack` reads back into this array.
  func packed() -> [UInt8] {
    var packed: [UInt8] = []
    var bits: UInt64 = 0
    var count = 0
    for value in self {
      let (code, length) = Self.code(UInt64(value))
      bits |= code << UInt64(count)
      count += length
      while count >= 8 {
        packed.append(UInt8(truncatingIfNeeded: bits))
        bits >>= 8
        count -= 8
      }
    }
    if count > 0 { packed.append(UInt8(truncatingIfNeeded: bits)) }
    return packed
  }

  private static func code(_ value: UInt64) -> (bits: UInt64, length: Int) {
    switch value {
    case 0...1: (value << 1, 2)
    case 2...3: ((value - 2) << 2 | 0b01, 3)
    case 4...7: ((value - 4) << 3 | 0b011, 5)
    case 8...23: ((value - 8) << 4 | 0b0111, 8)
    default: ((value - 24) << 4 | 0b1111, 14)
    }
  }
}
