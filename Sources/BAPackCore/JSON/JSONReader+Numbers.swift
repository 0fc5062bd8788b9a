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

  /// Reads digits with an optional fraction and exponent; returns what is wrong with them, if
  /// anything.
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

  /// Skips decimal digits and returns their number.
  private mutating func skipDigits() -> Int {
    let start = position
    while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
      position += 1
    }
    return position - start
  }
}
