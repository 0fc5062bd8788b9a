/// The width of a code point in terminal columns: 2 for East Asian wide ones (Unicode Standard
/// Annex #11) and emoji, 0 for combining marks, otherwise 1.
package func displayWidth(_ scalar: Unicode.Scalar) -> Int {
  if scalar.value < 0x300 { return 1 }
  let properties = scalar.properties
  switch properties.generalCategory {
  case .nonspacingMark, .enclosingMark: return 0
  case .format: return 0
  default: break
  }
  // The vowels and final consonants of Hangul combine with the consonant before them.
  if (0x1160...0x11FF).contains(scalar.value) { return 0 }
  if properties.isEmojiPresentation { return 2 }
  return wideRanges.contains { $0.contains(scalar.value) } ? 2 : 1
}

/// The blocks of wide characters.
private let wideRanges: [ClosedRange<UInt32>] = [
  0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF,
  0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
  0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,
  0x1F200...0x1F2FF, 0x20000...0x3FFFD,
]
