import BAPackCore

/// Splits a KeyValues text into tokens like Valve's KeyValues.h: whitespace and `//` comments
/// separate tokens; a quoted token ends at the next quote, a bare one at whitespace, a brace or a
/// quote.
struct KeyValuesLexer {
  /// How a backslash in a quoted token is read.
  enum Backslashes {
    /// Literally, which is KeyValues' default and what Steam's own examples require: `"ContentRoot"
    /// "..\content\"`.
    case literal
    /// As the start of an escape, `\\`, `\"`, `\n` or `\t`, as written by some script generators.
    case escapes
  }

  enum Token {
    case text(Located<[UInt8]>, quoted: Bool)
    case open(Range<Int>)
    case close(Range<Int>)
    case conditional(Range<Int>)
    case end
  }

  private let source: SourceText
  private let backslashes: Backslashes
  private var offset: Int
  private(set) var findings: [Finding] = []

  init(_ source: SourceText, _ backslashes: Backslashes) {
    self.source = source
    self.backslashes = backslashes
    offset = source.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// The next token; `.end` after the last one.
  mutating func next() -> Token {
    skipSpace()
    guard let byte = peek() else { return .end }
    switch byte {
    case UInt8(ascii: "{"):
      offset += 1
      return .open(offset - 1..<offset)
    case UInt8(ascii: "}"):
      offset += 1
      return .close(offset - 1..<offset)
    case UInt8(ascii: "\""): return quoted()
    case UInt8(ascii: "["): return conditional()
    default: return bare()
    }
  }

  private func peek(_ distance: Int = 0) -> UInt8? {
    offset + distance < source.bytes.count ? source.bytes[offset + distance] : nil
  }

  private mutating func skipSpace() {
    while let byte = peek() {
      if isSpace(byte) {
        offset += 1
      } else if byte == ASCII.slash, peek(1) == ASCII.slash {
        while let inside = peek(), !isLineEnd(inside) { offset += 1 }
      } else if byte == ASCII.slash, peek(1) == UInt8(ascii: "*") {
        skipBlockComment()
      } else {
        return
      }
    }
  }

  private mutating func skipBlockComment() {
    let start = offset
    offset += 2
    while let byte = peek() {
      offset += 1
      if byte == UInt8(ascii: "*"), peek() == ASCII.slash {
        offset += 1
        break
      }
    }
    report("KeyValues has no '/* */' comments; use '//' on each line", start..<start + 2)
  }

  /// Reads a quoted token, which must end on its line: Steam allows line breaks, but no path or
  /// number in a depot script has one, and this reports a missing quote where it is missing.
  private mutating func quoted() -> Token {
    let opening = offset
    var text: [UInt8] = []
    offset += 1
    while let byte = peek() {
      if byte == UInt8(ascii: "\"") {
        offset += 1
        return .text(located(text, opening + 1..<offset - 1), quoted: true)
      }
      if isLineEnd(byte) { break }
      if backslashes == .escapes, byte == ASCII.backslash {
        text.append(escape())
      } else {
        text.append(byte)
        offset += 1
      }
    }
    report("unterminated string; close it on this line", opening..<offset)
    return .text(located(text, opening + 1..<offset), quoted: true)
  }

  private mutating func escape() -> UInt8 {
    let start = offset
    offset += 1
    guard let byte = peek(), !isLineEnd(byte) else { return ASCII.backslash }
    offset += 1
    switch byte {
    case ASCII.backslash, UInt8(ascii: "\""): return byte
    case UInt8(ascii: "n"): return UInt8(ascii: "\n")
    case UInt8(ascii: "t"): return UInt8(ascii: "\t")
    default:
      report("'\\\(printable([byte]))' is not an escape sequence of KeyValues", start..<offset)
      return byte
    }
  }

  private mutating func bare() -> Token {
    let start = offset
    while let byte = peek(), !isSpace(byte), !isDelimiter(byte) { offset += 1 }
    if start > 0, source.bytes[start - 1] == UInt8(ascii: "\"") {
      report("missing space after the closing quote", start..<offset)
      // Ignored, so that the next value isn't read as a key.
      return next()
    }
    return .text(located(Array(source.bytes[start..<offset]), start..<offset), quoted: false)
  }

  private mutating func conditional() -> Token {
    let start = offset
    while let byte = peek(), !isLineEnd(byte) {
      offset += 1
      if byte == UInt8(ascii: "]") { break }
    }
    return .conditional(start..<offset)
  }

  private func located(_ text: [UInt8], _ range: Range<Int>) -> Located<[UInt8]> {
    Located(text, at: SourceLocation(source, range))
  }

  private mutating func report(_ message: String, _ range: Range<Int>) {
    // There may be any number of errors before a token.
    guard findings.count <= KeyValuesReader.errorLimit else { return }
    findings.append(Finding(.depotSyntax, message, at: SourceLocation(source, range)))
  }
}

private func isLineEnd(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
}

/// All control characters are whitespace, as in Steam.
private func isSpace(_ byte: UInt8) -> Bool { byte <= UInt8(ascii: " ") }

private func isDelimiter(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "\"")
}
