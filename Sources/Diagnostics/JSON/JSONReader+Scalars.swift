extension JSONReader {
  /// Reads the string that begins with the quote at the position. An unterminated string ends at
  /// the end of its line.
  mutating func readString() -> (String, Range<Int>) {
    let start = position
    let quote = bytes[position]
    if quote != UInt8(ascii: "\"") { isStrict = false }
    position += 1
    var text = ""
    var pieceStart = position
    while let byte = current {
      switch byte {
      case quote:
        // Without escapes, the common case, the text is copied at once.
        text += String(decoding: bytes[pieceStart..<position], as: UTF8.self)
        position += 1
        return (text, start..<position)
      case ASCII.backslash:
        text += String(decoding: bytes[pieceStart..<position], as: UTF8.self)
        readEscape(into: &text)
        pieceStart = position
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        return unclosed(text, piece: pieceStart, start: start)
      case 0..<0x20:
        if byte == UInt8(ascii: "\t") {
          isStrict = false
          warnOfJSON5("a tab in a string", here, replacement: "\\t")
        } else {
          reportSyntaxError("\(describeCurrent()) must be written as an escape in a string", here)
        }
        position += 1
      default:
        position += 1
      }
    }
    return unclosed(text, piece: pieceStart, start: start)
  }

  private mutating func unclosed(
    _ text: String, piece: Int, start: Int
  ) -> (String, Range<Int>) {
    reportSyntaxError(
      "unterminated string; close it with"
        + " \(bytes[start] == UInt8(ascii: "'") ? "\"'\"" : "'\"'") on the same line",
      start..<position)
    expectsConsequence = true
    if bytes[start..<position].contains(where: { "{}[]".utf8.contains($0) }) {
      hasLostBrackets = true
    }
    return (text + String(decoding: bytes[piece..<position], as: UTF8.self), start..<position)
  }

  private mutating func readEscape(into text: inout String) {
    let start = position
    position += 1
    guard let byte = current else { return }
    switch byte {
    case UInt8(ascii: "\""), ASCII.backslash, ASCII.slash:
      text.unicodeScalars.append(Unicode.Scalar(byte))
    case UInt8(ascii: "b"): text += "\u{8}"
    case UInt8(ascii: "f"): text += "\u{C}"
    case UInt8(ascii: "n"): text += "\n"
    case UInt8(ascii: "r"): text += "\r"
    case UInt8(ascii: "t"): text += "\t"
    case UInt8(ascii: "u"): return readUnicodeEscape(start, into: &text)
    default:
      isStrict = false
      return readLooseEscape(byte, start, into: &text)
    }
    position += 1
  }

  /// The escapes that only JSON5 has.
  private mutating func readLooseEscape(_ byte: UInt8, _ start: Int, into text: inout String) {
    switch byte {
    case UInt8(ascii: "v"):
      text += "\u{B}"
      position += 1
    case UInt8(ascii: "x"):
      guard let value = hexadecimalDigits(2, from: position + 1) else {
        position += 1
        reportSyntaxError("'\\x' needs two hexadecimal digits", start..<position)
        return
      }
      position += 3
      text.unicodeScalars.append(Unicode.Scalar(UInt8(truncatingIfNeeded: value)))
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      let next = peek(1).map(ASCII.isDigit) ?? false
      position += 1
      if byte == UInt8(ascii: "0"), !next {
        text += "\0"
      } else {
        reportSyntaxError(
          "JSON5 has no octal escapes; write '\\u' and four digits", start..<position)
      }
    case UInt8(ascii: "\r"):
      position += peek(1) == UInt8(ascii: "\n") ? 2 : 1
    case UInt8(ascii: "\n"):
      position += 1
    case UInt8(ascii: "'"):
      text += "'"
      position += 1
    default:
      // U+2028 and U+2029 continue the line too. In JSON5 any other character represents itself,
      // which turns 'art\wood' into 'artwood'; Foundation rejects it as well.
      let length = decodeScalar(bytes, at: position)?.length ?? 1
      if lineEnd(from: position) == position {
        position += length
        return
      }
      let shown = describeCurrent()
      position += length
      reportSyntaxError(
        "'\\' before \(shown) is not an escape sequence; write '/' between folders,"
          + " or '\\\\' for a backslash",
        start..<position, replacement: "/", of: start..<(start + 1))
    }
  }

  /// `\uXXXX`, or two of them for a code point above U+FFFF. The position is at the `u`.
  private mutating func readUnicodeEscape(_ start: Int, into text: inout String) {
    guard let unit = hexadecimalDigits(4, from: position + 1) else {
      position += 1
      reportSyntaxError("'\\u' needs four hexadecimal digits", start..<position)
      return
    }
    position += 5
    if let scalar = Unicode.Scalar(unit) {
      text.unicodeScalars.append(scalar)
      return
    }
    if unit < 0xDC00, current == ASCII.backslash, peek(1) == UInt8(ascii: "u"),
      let low = hexadecimalDigits(4, from: position + 2), (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    {
      position += 6
      text.unicodeScalars.append(scalar)
      return
    }
    reportSyntaxError(
      "'\(String(decoding: bytes[start..<position], as: UTF8.self))' is half of a surrogate pair"
        + " and not a character", start..<position)
  }

  /// The value of `count` hexadecimal digits at `offset`; nil if there are other characters.
  func hexadecimalDigits(_ count: Int, from offset: Int) -> UInt32? {
    guard offset + count <= bytes.count else { return nil }
    var value: UInt32 = 0
    for byte in bytes[offset..<(offset + count)] {
      guard let digit = ASCII.hexadecimalValue(byte) else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}

extension JSONReader {
  /// Reads the number that begins with the digit, sign or dot at the position.
  mutating func readNumber() -> JSONValue {
    let start = position
    if current == UInt8(ascii: "+") { isStrict = false }
    if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
    let problem: String?
    if current == UInt8(ascii: "0"), peek(1).map({ $0 | 0x20 }) == UInt8(ascii: "x") {
      problem = readHexadecimal()
    } else if current == UInt8(ascii: "I") || current == UInt8(ascii: "N") {
      let end = wordEnd(from: position)
      let word = bytes[position..<end]
      isStrict = false
      position = end
      problem =
        word.elementsEqual("Infinity".utf8) || word.elementsEqual("NaN".utf8)
        ? nil : "is not a number"
    } else {
      problem = readDecimal()
    }
    // What follows directly is part of the invalid number: '1_000', '1.2.3', '12px'.
    let clean = position
    while position < bytes.count {
      let end = wordEnd(from: position)
      if end > position {
        position = end
      } else if bytes[position] == ASCII.dot || bytes[position] == UInt8(ascii: "+")
        || bytes[position] == UInt8(ascii: "-")
      {
        position += 1
      } else {
        break
      }
    }
    let range = start..<position
    if let problem = problem ?? (clean < position ? "is not a number" : nil) {
      reportSyntaxError("'\(printable(bytes[range].prefix(64)))' \(problem)", range)
      return placeholder
    }
    let text = String(decoding: bytes[range], as: UTF8.self)
    return JSONValue(.number(JSONNumber(text: text)), range: range)
  }

  /// Reads digits with an optional fraction and exponent; returns the error, if any.
  private mutating func readDecimal() -> String? {
    let whole = skipDigits()
    if whole > 1, bytes[position - whole] == UInt8(ascii: "0") {
      return "has a leading zero; remove it"
    }
    var fraction = 0
    if current == ASCII.dot {
      position += 1
      fraction = skipDigits()
      if whole == 0 || fraction == 0 { isStrict = false }
    }
    if whole == 0, fraction == 0 { return "is not a number" }
    if current.map({ $0 | 0x20 }) == UInt8(ascii: "e") {
      position += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
      if skipDigits() == 0 { return "has no digits in its exponent" }
    }
    return nil
  }

  private mutating func readHexadecimal() -> String? {
    isStrict = false
    position += 2
    let start = position
    while let byte = current, ASCII.hexadecimalValue(byte) != nil { position += 1 }
    if position == start { return "has no digits" }
    let significant = bytes[start..<position].drop { $0 == UInt8(ascii: "0") }
    return significant.count > 16 ? "does not fit in 64 bits" : nil
  }

  private mutating func skipDigits() -> Int {
    let start = position
    while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
      position += 1
    }
    return position - start
  }
}
