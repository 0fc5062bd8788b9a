/// The code point at `offset` and its length in bytes; nil at the end, or if the bytes aren't
/// UTF-8.
package func decodeScalar(
  _ bytes: [UInt8], at offset: Int
) -> (scalar: Unicode.Scalar, length: Int)? {
  guard offset < bytes.count else { return nil }
  let first = bytes[offset]
  if first < 0x80 { return (Unicode.Scalar(first), 1) }
  let length: Int
  var value: UInt32
  switch first {
  case 0xC2...0xDF: (length, value) = (2, UInt32(first & 0x1F))
  case 0xE0...0xEF: (length, value) = (3, UInt32(first & 0x0F))
  case 0xF0...0xF4: (length, value) = (4, UInt32(first & 0x07))
  default: return nil
  }
  guard offset + length <= bytes.count else { return nil }
  for byte in bytes[(offset + 1)..<(offset + length)] {
    guard byte & 0xC0 == 0x80 else { return nil }
    value = value << 6 | UInt32(byte & 0x3F)
  }
  let minimum: UInt32 = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x1_0000
  guard value >= minimum, let scalar = Unicode.Scalar(value) else { return nil }
  return (scalar, length)
}

/// At most `limit` ranges of bytes that aren't UTF-8; adjacent bytes share a range.
package func invalidUTF8(in bytes: [UInt8], limit: Int) -> [Range<Int>] {
  var ranges: [Range<Int>] = []
  var offset = 0
  while offset < bytes.count {
    if bytes[offset] < 0x80 {
      offset += 1
    } else if let (_, length) = decodeScalar(bytes, at: offset) {
      offset += length
    } else {
      if let last = ranges.last, last.upperBound == offset {
        ranges[ranges.count - 1] = last.lowerBound..<(offset + 1)
      } else {
        guard ranges.count < limit else { break }
        ranges.append(offset..<(offset + 1))
      }
      offset += 1
    }
  }
  return ranges
}
