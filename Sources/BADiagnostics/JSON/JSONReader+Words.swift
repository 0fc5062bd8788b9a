extension JSONReader {
  /// Reads a word in place of a value: `true`, `false`, `null`, `Infinity` or `NaN`.
  mutating func readWord() -> JSONValue {
    let start = position
    let end = wordEnd(from: position)
    guard end > start else { return readStray() }
    position = end
    let range = start..<end
    let word = String(decoding: bytes[range], as: UTF8.self)
    switch word {
    case "true": return JSONValue(.bool(true), range: range)
    case "false": return JSONValue(.bool(false), range: range)
    case "null": return JSONValue(.null, range: range)
    case "Infinity", "NaN":
      isStrict = false
      return JSONValue(.number(JSONNumber(text: word)), range: range)
    default: break
    }
    let shown = "'\(printable(bytes[range].prefix(64)))'"
    // The first line of YAML, or of a text property list.
    if isOutside, bytes[end...].first(where: { $0 != 0x20 }) == UInt8(ascii: ":") {
      reportSyntaxError("\(shown) is outside an object; JSON begins with '{'", range)
      position = bytes.count
      return placeholder
    }
    let meant: String? =
      switch word.lowercased() {
      case "none", "nil", "undefined": "null"
      default: nearest(to: word, among: ["true", "false", "null"])
      }
    if let meant {
      reportSyntaxError(
        "\(shown) is not a value; did you mean '\(meant)'?", range, replacement: meant)
    } else {
      reportSyntaxError("\(shown) is not a value; put strings in double quotes", range)
    }
    return placeholder
  }

  /// Skips a character that doesn't begin a value.
  private mutating func readStray() -> JSONValue {
    let start = position
    let range = tokenRange()
    position = range.upperBound
    if let (scalar, _) = decodeScalar(bytes, at: start), isCurlyQuote(scalar) {
      // Up to the closing quote on the same line, so that the text in between isn't parsed.
      let end = lineEnd(from: position)
      var offset = position
      while offset < end, let (scalar, length) = decodeScalar(bytes, at: offset) {
        offset += length
        if isCurlyQuote(scalar) {
          position = offset
          break
        }
      }
      reportSyntaxError("use straight quotes '\"', not '\(scalar)'", range)
      return placeholder
    }
    position = start
    reportSyntaxError("expected a value, found \(describeCurrent())", range)
    position = range.upperBound
    return placeholder
  }

  /// Reads a key that doesn't begin with a straight quote.
  mutating func readUnquotedKey() -> (String, Range<Int>) {
    isStrict = false
    let start = position
    if let (scalar, _) = decodeScalar(bytes, at: position), isCurlyQuote(scalar) {
      _ = readStray()
      return ("", position..<position)
    }
    // The whole word first, so that 'asset-pack-id' is one finding.
    var end = wordEnd(from: position)
    while end < bytes.count, bytes[end] == UInt8(ascii: "-") || bytes[end] == ASCII.dot {
      end = wordEnd(from: end + 1)
    }
    guard end > start else {
      let range = tokenRange()
      reportSyntaxError("expected a key, found \(describeCurrent())", range)
      position = range.upperBound
      return ("", position..<position)
    }
    position = end
    let range = start..<end
    if let name = identifier(range) { return (name, range) }
    reportSyntaxError("put this key in double quotes", range)
    return (String(decoding: bytes[range], as: UTF8.self), range)
  }

  /// The name of an ECMAScript identifier, with its `\u` escapes replaced; nil for other words.
  private func identifier(_ range: Range<Int>) -> String? {
    var name = ""
    var offset = range.lowerBound
    while offset < range.upperBound {
      guard var (scalar, length) = decodeScalar(bytes, at: offset) else { return nil }
      if scalar == "\\" {
        guard offset + 6 <= range.upperBound, bytes[offset + 1] == UInt8(ascii: "u"),
          let value = hexadecimalDigits(4, from: offset + 2), let escaped = Unicode.Scalar(value)
        else { return nil }
        (scalar, length) = (escaped, 6)
      }
      let properties = scalar.properties
      guard
        scalar == "$" || scalar == "_" || properties.isIDStart
          || !name.isEmpty && (properties.isIDContinue || isJoiner(scalar))
      else { return nil }
      name.unicodeScalars.append(scalar)
      offset += length
    }
    return name
  }

  private func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\u{200C}" || scalar == "\u{200D}"
  }

  private func isCurlyQuote(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}", "\u{201E}", "\u{AB}", "\u{BB}": true
    default: false
    }
  }

  /// The end of the run of letters, digits, `$`, `_` and `\` from `offset`.
  func wordEnd(from offset: Int) -> Int {
    var end = offset
    while end < bytes.count {
      switch bytes[end] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"),
        ASCII.backslash:
        end += 1
      case 0x80...:
        guard let (scalar, length) = decodeScalar(bytes, at: end),
          scalar.properties.isIDContinue || isJoiner(scalar)
        else { return end }
        end += length
      default: return end
      }
    }
    return end
  }
}

extension JSONReader {
  mutating func skipSpace() {
    // Whether a comment ends here, which needs the end of the line.
    var endsComment = false
    while let byte = current {
      defer { endsComment = byte == ASCII.slash || byte == UInt8(ascii: "#") }
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
        position += 1
      case ASCII.slash:
        guard skipComment() else { return }
      case UInt8(ascii: "#"):
        let end = lineEnd(from: position)
        reportSyntaxError("comments begin with '//', not '#'", here)
        position = end
      case 0x0B, 0x0C:
        isStrict = false
        position += 1
      case 0x80...:
        guard let (scalar, length) = decodeScalar(bytes, at: position), isSpace(scalar) else {
          // Invalid UTF-8 has been reported.
          if decodeScalar(bytes, at: position) == nil {
            position += 1
            continue
          }
          return
        }
        isStrict = false
        warnOfJSON5(
          "\(describeCurrent()) between values", position..<(position + length),
          replacement: endsComment && isLineEnd(scalar) ? "\n" : " ")
        position += length
      default:
        return
      }
    }
  }

  /// Whether a code point above ASCII is whitespace in JSON5.
  private func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\u{FEFF}" || isLineEnd(scalar)
      || scalar.properties.generalCategory == .spaceSeparator
  }

  /// Whether a code point above ASCII ends a line, and so a comment.
  private func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\u{2028}" || scalar == "\u{2029}"
  }

  /// Skips a comment; false if the slash doesn't begin one.
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
        // The comment includes everything that follows.
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
      let isSeparator =
        byte == 0xE2 && end + 2 < bytes.count && bytes[end + 1] == 0x80
        && bytes[end + 2] & 0xFE == 0xA8
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") || isSeparator { break }
      end += 1
    }
    return end
  }
}
