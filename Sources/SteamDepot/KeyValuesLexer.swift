import BAPackCore

/// Cuts a KeyValues text into tokens, by the rules of Valve's KeyValues.h: white space and `//`
/// comments stand between tokens, a quoted token ends at the next quote, a bare one at white space,
/// a brace or a quote.
struct KeyValuesLexer {
  /// How a backslash in a quoted token is read.
  enum Backslashes {
    /// As itself, which is KeyValues' default and what Steam's own examples need:
    /// `"ContentRoot" "..\content\"`.
    case literal
    /// As the start of `\\`, `\"`, `\n` or `\t`, as some generators of scripts write them.
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

  /// The next token; after the last one `.end`, again and again.
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
    report("KeyValues has no '/* */' comments: begin each line with '//'", start..<start + 2)
  }

  /// A quoted token, which must end on its line: Steam reads on over line ends, but no path or number
  /// of a depot script holds one, and a lost quote is found where it is missing.
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
    report("the quote is not closed on this line", opening..<offset)
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
      report("'\\\(printable([byte]))' is not an escape of KeyValues", start..<offset)
      return byte
    }
  }

  private mutating func bare() -> Token {
    let start = offset
    while let byte = peek(), !isSpace(byte), !isDelimiter(byte) { offset += 1 }
    if start > 0, source.bytes[start - 1] == UInt8(ascii: "\"") {
      report("a space is missing between the closing quote and this text", start..<offset)
      // Left out, it can't make a key out of the next value. What follows is no bare text.
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
    // A single token may have any number of errors before it.
    guard findings.count <= KeyValuesReader.errorLimit else { return }
    findings.append(Finding(.depotSyntax, message, at: SourceLocation(source, range)))
  }
}

private func isLineEnd(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
}

/// Every control character counts as white space, as it does in Steam's reader.
private func isSpace(_ byte: UInt8) -> Bool { byte <= UInt8(ascii: " ") }

private func isDelimiter(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "\"")
}
