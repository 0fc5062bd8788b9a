/// The line of a location, for a terminal: tabs become four spaces, unprintable characters are
/// replaced, and a long line is truncated around the location.
struct SourceExcerpt {
  let lineNumber: Int
  let text: String
  /// The number of columns of `text` before the location.
  let indent: Int
  /// The number of columns of the location, at least 1. A location of several lines ends with the
  /// first.
  let length: Int

  /// The maximum width by default, in columns.
  static let standardWidth = 120

  init(_ location: SourceLocation, maximumWidth: Int = standardWidth) {
    let source = location.source
    let start = source.position(at: location.range.lowerBound)
    let line = source.line(start.line)
    lineNumber = start.line
    let from = min(max(location.range.lowerBound, line.startIndex), line.endIndex)
    let to = min(max(location.range.upperBound, from), line.endIndex)

    // Only this much of a long line is examined.
    let reach = 4 * maximumWidth
    let before = terminalText(line[max(line.startIndex, from - reach)..<from])
    let marked = terminalText(line[from..<min(to, from + reach)])
    let after = terminalText(line[to..<min(line.endIndex, to + reach)])

    var text = ""
    var width = 0
    let excess = before.reduce(0) { $0 + $1.width } - maximumWidth / 2
    if excess > 0 || from - line.startIndex > reach {
      (text, width) = ("…", 1)
      var dropped = 0
      for part in before {
        if dropped < excess { dropped += part.width } else { append(part) }
      }
    } else {
      for part in before { append(part) }
    }
    indent = width
    for part in marked where width < maximumWidth { append(part) }
    length = max(1, width - indent)
    for part in after where width < maximumWidth { append(part) }
    if width >= maximumWidth { text += "…" }
    self.text = text

    func append(_ part: (text: String, width: Int)) {
      text += part.text
      width += part.width
    }
  }
}

/// Each code point of `bytes` as printed, with its width in columns.
func terminalText(_ bytes: ArraySlice<UInt8>) -> [(text: String, width: Int)] {
  // Bytes that aren't UTF-8, and incomplete characters, become U+FFFD.
  String(decoding: bytes, as: UTF8.self).unicodeScalars.map { scalar in
    switch scalar.value {
    case 0x09: return ("    ", 4)
    case 0..<0x20: return (String(Unicode.Scalar(scalar.value + 0x2400) ?? "\u{FFFD}"), 1)
    case 0x7F: return ("\u{2421}", 1)
    case 0x80..<0xA0, 0x2028, 0x2029: return ("\u{FFFD}", 1)
    // Joiners are part of emoji; other format characters could reorder the line.
    case 0x200C, 0x200D: return (String(scalar), 0)
    default:
      if scalar.properties.generalCategory == .format { return ("\u{FFFD}", 1) }
      return (String(scalar), displayWidth(scalar))
    }
  }
}
