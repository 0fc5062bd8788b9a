extension JSONReader {
  /// Skips white space and comments.
  mutating func skipSpace() {
    while let byte = current {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
        position += 1
      case ASCII.slash:
        guard skipComment() else { return }
      case UInt8(ascii: "#"):
        let end = lineEnd(from: position)
        reportSyntaxError("comments begin with '//', not '#'", position..<(position + 1))
        position = end
      case 0x0B, 0x0C:
        isStrict = false
        position += 1
      case 0x80...:
        guard let (scalar, length) = decodeScalar(bytes, at: position), isSpace(scalar) else {
          // A byte that is not UTF-8 has been reported.
          if decodeScalar(bytes, at: position) == nil {
            position += 1
            continue
          }
          return
        }
        isStrict = false
        warnOfJSON5(
          "\(describeCurrent()) between values", position..<(position + length), replacement: " ")
        position += length
      default:
        return
      }
    }
  }

  /// Whether a code point above ASCII is white space in JSON5.
  private func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xFEFF, 0x2028, 0x2029: true
    default: scalar.properties.generalCategory == .spaceSeparator
    }
  }

  /// Skips a comment; false if the slash does not begin one.
  private mutating func skipComment() -> Bool {
    let start = position
    switch peek(1) {
    case ASCII.slash:
      position = lineEnd(from: position)
    case UInt8(ascii: "*"):
      position += 2
      while let byte = current, byte != UInt8(ascii: "*") || peek(1) != ASCII.slash {
        position += 1
      }
      if position >= bytes.count {
        reportSyntaxError("unterminated comment; close it with '*/'", start..<(start + 2))
        // The comment has swallowed what follows.
        expectsConsequence = true
        return true
      }
      position += 2
    default:
      reportSyntaxError("unexpected '/'; comments begin with '//' or '/*'", start..<(start + 1))
      position += 1
    }
    isStrict = false
    return true
  }

  /// The end of the line that `offset` is in: a line feed, a carriage return, U+2028 or U+2029, or
  /// the end of the text.
  func lineEnd(from offset: Int) -> Int {
    var end = offset
    while end < bytes.count {
      let byte = bytes[end]
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { break }
      if byte == 0xE2, end + 2 < bytes.count, bytes[end + 1] == 0x80, bytes[end + 2] & 0xFE == 0xA8
      {
        break
      }
      end += 1
    }
    return end
  }
}
