/// The code point at `offset` and its length in bytes; nil at the end, or if the bytes aren't
/// UTF-8.
package func decodeScalar(
  _ bytes: [UInt8], at offset: Int
) -> (scalar: Unicode.Scalar, length: Int)? {
  guard offset < bytes.count else { return nil }
  if bytes[offset] < 0x80 { return (Unicode.Scalar(bytes[offset]), 1) }
  var parser = Unicode.UTF8.ForwardParser()
  var rest = bytes[offset...].makeIterator()
  guard case .valid(let encoded) = parser.parseScalar(from: &rest) else { return nil }
  return (Unicode.UTF8.decode(encoded), encoded.count)
}

/// At most `limit` ranges of bytes that aren't UTF-8; adjacent bytes share a range.
package func invalidUTF8(in bytes: [UInt8], limit: Int) -> [Range<Int>] {
  var invalid = RangeSet<Int>()
  var offset = 0
  while offset < bytes.count {
    let length = decodeScalar(bytes, at: offset)?.length
    if length == nil {
      invalid.insert(offset, within: bytes)
      if invalid.ranges.count > limit { break }
    }
    offset += length ?? 1
  }
  return Array(invalid.ranges.prefix(limit))
}

/// A name as seen by volumes that ignore case and normalization: two names are the same there if
/// these strings are equal. String comparison ignores normalization.
///
/// Uppercasing first expands letters such as `ß`, which `lowercased()` keeps.
@inlinable
package func caseFolded(_ name: some Collection<UInt8>) -> String {
  String(decoding: name, as: UTF8.self).uppercased().lowercased()
}

/// The width of a code point in terminal columns: 2 for East Asian wide ones (Unicode Standard
/// Annex #11) and emoji, 0 for combining marks, otherwise 1.
package func displayWidth(_ scalar: Unicode.Scalar) -> Int {
  if scalar.value < 0x300 { return 1 }
  let properties = scalar.properties
  switch properties.generalCategory {
  case .nonspacingMark, .enclosingMark, .format: return 0
  default: break
  }
  // The vowels and final consonants of Hangul combine with the consonant before them.
  if (0x1160...0x11FF).contains(scalar.value) { return 0 }
  if properties.isEmojiPresentation { return 2 }
  return wideRanges.contains { $0.contains(scalar.value) } ? 2 : 1
}

private let wideRanges: [ClosedRange<UInt32>] = [
  0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF,
  0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
  0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,
  0x1F200...0x1F2FF, 0x20000...0x3FFFD,
]
