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
    position += 1
    // The others are only in JSON5.
    if !"\"\\/bfnrtu".utf8.contains(byte) { isStrict = false }
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"), ASCII.backslash, ASCII.slash:
      text.unicodeScalars.append(Unicode.Scalar(byte))
    case UInt8(ascii: "b"): text += "\u{8}"
    case UInt8(ascii: "f"): text += "\u{C}"
    case UInt8(ascii: "n"): text += "\n"
    case UInt8(ascii: "r"): text += "\r"
    case UInt8(ascii: "t"): text += "\t"
    case UInt8(ascii: "v"): text += "\u{B}"
    case UInt8(ascii: "u"): readUnicodeEscape(start, into: &text)
    case UInt8(ascii: "x"):
      guard let value = hexadecimalDigits(2, from: position) else {
        return reportSyntaxError("'\\x' needs two hexadecimal digits", start..<position)
      }
      position += 2
      text.unicodeScalars.append(Unicode.Scalar(UInt8(truncatingIfNeeded: value)))
    case UInt8(ascii: "0") where current.map(ASCII.isDigit) != true: text += "\0"
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      reportSyntaxError(
        "JSON5 has no octal escapes; write '\\u' and four digits", start..<position)
    case UInt8(ascii: "\n"): break
    case UInt8(ascii: "\r"): if current == UInt8(ascii: "\n") { position += 1 }
    default:
      // U+2028 and U+2029 continue the line too. In JSON5 any other character represents itself,
      // which turns 'art\wood' into 'artwood'; Foundation rejects it as well.
      position = start + 1
      let shown = describeCurrent()
      let continuesLine = lineEnd(from: position) == position
      position += decodeScalar(bytes, at: position)?.length ?? 1
      if continuesLine { return }
      reportSyntaxError(
        "'\\' before \(shown) is not an escape sequence; write '/' between folders,"
          + " or '\\\\' for a backslash",
        start..<position, replacement: "/", of: start..<(start + 1))
    }
  }

  /// `\uXXXX`, or two of them for a code point above U+FFFF. The position is after the `u`.
  private mutating func readUnicodeEscape(_ start: Int, into text: inout String) {
    guard let unit = hexadecimalDigits(4, from: position) else {
      return reportSyntaxError("'\\u' needs four hexadecimal digits", start..<position)
    }
    position += 4
    if let scalar = Unicode.Scalar(unit) {
      text.unicodeScalars.append(scalar)
    } else if unit < 0xDC00, current == ASCII.backslash, peek(1) == UInt8(ascii: "u"),
      let low = hexadecimalDigits(4, from: position + 2), (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))
    {
      position += 6
      text.unicodeScalars.append(scalar)
    } else {
      reportSyntaxError(
        "'\(String(decoding: bytes[start..<position], as: UTF8.self))' is half of a surrogate pair"
          + " and not a character", start..<position)
    }
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
    // What follows directly is part of an invalid number: '1_000', '1.2.3', '12px'.
    while let byte = current {
      let end = wordEnd(from: position)
      guard end > position || "+-.".utf8.contains(byte) else { break }
      position = max(end, position + 1)
    }
    let range = start..<position
    if let problem = problem(ofNumber: bytes[range]) {
      reportSyntaxError("'\(printable(bytes[range].prefix(64)))' \(problem)", range)
      return placeholder
    }
    let text = String(decoding: bytes[range], as: UTF8.self)
    return JSONValue(.number(JSONNumber(text: text)), range: range)
  }

  /// Why a word isn't a number; nil if it is one.
  private mutating func problem(ofNumber word: ArraySlice<UInt8>) -> String? {
    var rest = word
    func skipSign() {
      if let first = rest.first, "+-".utf8.contains(first) { rest.removeFirst() }
    }
    func skipDigits() -> ArraySlice<UInt8> {
      let digits = rest.prefix(while: ASCII.isDigit)
      rest = rest[digits.endIndex...]
      return digits
    }
    if rest.first == UInt8(ascii: "+") { isStrict = false }
    skipSign()
    if rest.elementsEqual("Infinity".utf8) || rest.elementsEqual("NaN".utf8) {
      isStrict = false
      return nil
    }
    if rest.starts(with: "0x".utf8) || rest.starts(with: "0X".utf8) {
      isStrict = false
      let digits = rest.dropFirst(2).prefix { ASCII.hexadecimalValue($0) != nil }
      if digits.isEmpty { return "has no digits" }
      if digits.drop(while: { $0 == UInt8(ascii: "0") }).count > 16 {
        return "does not fit in 64 bits"
      }
      return digits.endIndex == rest.endIndex ? nil : "is not a number"
    }
    let whole = skipDigits()
    if whole.count > 1, whole.first == UInt8(ascii: "0") { return "has a leading zero; remove it" }
    var hasFraction = false
    if rest.first == ASCII.dot {
      rest.removeFirst()
      hasFraction = !skipDigits().isEmpty
      if whole.isEmpty || !hasFraction { isStrict = false }
    }
    if whole.isEmpty, !hasFraction { return "is not a number" }
    if let first = rest.first, "eE".utf8.contains(first) {
      rest.removeFirst()
      skipSign()
      if skipDigits().isEmpty { return "has no digits in its exponent" }
    }
    return rest.isEmpty ? nil : "is not a number"
  }
}
