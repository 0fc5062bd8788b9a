import BAPackCore

/// Parses OpenStep property lists, the format of `project.pbxproj`: dictionaries in braces, arrays
/// in parentheses, strings with and without quotes, and comments.
struct OpenStepReader {
  private let source: SourceText
  private let bytes: [UInt8]
  private var position = 0
  private var stack = PropertyListStack()

  /// Parses `source`. Throws its first error.
  static func read(_ source: SourceText) throws(Finding) -> PropertyListValue {
    var reader = OpenStepReader(source)
    return try reader.read()
  }

  private init(_ source: SourceText) {
    self.source = source
    bytes = source.bytes
  }

  private mutating func read() throws(Finding) -> PropertyListValue {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    while true {
      try skipSpace()
      if let root = stack.root {
        guard position == bytes.count else { throw unexpected("the end of the file") }
        return root
      }
      try readValue()
    }
  }

  /// Reads a value or a key, or closes the innermost array or dictionary.
  private mutating func readValue() throws(Finding) {
    let start = position
    guard let byte = current else { throw endOfFile() }
    switch byte {
    case UInt8(ascii: "}"), UInt8(ascii: ")"):
      guard stack.isInDictionary == (byte == UInt8(ascii: "}")),
        byte == UInt8(ascii: ")") || stack.expectsKey
      else { throw unexpected(stack.isOpen ? "a value" : "a property list") }
      position += 1
      stack.close(at: position)
      return try readSeparator()
    case UInt8(ascii: "{"), UInt8(ascii: "("):
      if stack.expectsKey { throw unexpected("a key or '}'") }
      position += 1
      guard stack.open(isDictionary: byte == UInt8(ascii: "{"), at: start) else {
        throw error(
          "values are nested more than \(PropertyListLimits.depth) deep", start..<position)
      }
      return
    case UInt8(ascii: "<"):
      if isAtConflictMarker { throw unexpected("a value") }
      try readData()
      if stack.expectsKey { throw error("data can't be a key", start..<position) }
      stack.add(PropertyListValue(.other("data"), start..<position))
      return try readSeparator()
    default:
      let text = try readString()
      if stack.expectsKey {
        stack.setKey(text, start..<position)
        try skipSpace()
        guard current == UInt8(ascii: "=") else { throw unexpected("'='") }
        position += 1
      } else {
        stack.add(PropertyListValue(.string(text), start..<position))
        try readSeparator()
      }
    }
  }

  /// Reads the separator after a value: a semicolon in dictionaries, a comma in arrays, optional
  /// after the last element.
  private mutating func readSeparator() throws(Finding) {
    guard let isInDictionary = stack.isInDictionary else { return }
    try skipSpace()
    if isInDictionary {
      guard current == UInt8(ascii: ";") else { throw unexpected("';'") }
      position += 1
    } else if current == UInt8(ascii: ",") {
      position += 1
    } else if current != UInt8(ascii: ")") {
      throw unexpected("',' or ')'")
    }
  }

  private mutating func readString() throws(Finding) -> String {
    let start = position
    guard let quote = current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      while let byte = current, isUnquoted(byte) { position += 1 }
      guard position > start else { throw unexpected("a value") }
      return String(decoding: bytes[start..<position], as: UTF8.self)
    }
    position += 1
    var text: [UInt8] = []
    while let byte = current, byte != quote {
      position += 1
      if byte == ASCII.backslash { text += try readEscape() } else { text.append(byte) }
    }
    guard current == quote else {
      throw error("the string is not closed", start..<min(start + 1, bytes.count))
    }
    position += 1
    guard let valid = String(validating: text, as: UTF8.self) else {
      throw error("the string is not UTF-8", start..<position)
    }
    return valid
  }

  private mutating func readEscape() throws(Finding) -> [UInt8] {
    let start = position - 1
    guard let byte = current else { throw endOfFile() }
    position += 1
    switch byte {
    case UInt8(ascii: "a"): return [7]
    case UInt8(ascii: "b"): return [8]
    case UInt8(ascii: "f"): return [12]
    case UInt8(ascii: "n"): return [10]
    case UInt8(ascii: "r"): return [13]
    case UInt8(ascii: "t"): return [9]
    case UInt8(ascii: "v"): return [11]
    case UInt8(ascii: "U"), UInt8(ascii: "u"):
      let digits = bytes[position...].prefix(4).prefix { ASCII.hexadecimalValue($0) != nil }
      position += digits.count
      let value = digits.reduce(UInt32(0)) { $0 << 4 | UInt32(ASCII.hexadecimalValue($1) ?? 0) }
      guard digits.count == 4, let scalar = Unicode.Scalar(value) else {
        throw error("this is not an escape of property lists", start..<position)
      }
      return Array(String(scalar).utf8)
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      // Octal escapes are in NEXTSTEP encoding, of which only ASCII is ever used.
      let digits = bytes[(position - 1)...].prefix(3).prefix {
        (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0)
      }
      position += digits.count - 1
      let value = digits.reduce(0) { $0 << 3 | Int($1 - UInt8(ascii: "0")) }
      guard value < 0x80 else {
        throw error("this is not an escape of property lists", start..<position)
      }
      return [UInt8(value)]
    default:
      return [byte]
    }
  }

  private mutating func readData() throws(Finding) {
    let start = position
    position += 1
    while let byte = current, byte != UInt8(ascii: ">") {
      guard ASCII.hexadecimalValue(byte) != nil || isSpace(byte) else { throw unexpected("'>'") }
      position += 1
    }
    guard current != nil else {
      throw error("the data is not closed", start..<(start + 1))
    }
    position += 1
  }

  private mutating func skipSpace() throws(Finding) {
    while let byte = current {
      if isSpace(byte) {
        position += 1
      } else if byte == ASCII.slash, peek == ASCII.slash {
        while let byte = current, byte != UInt8(ascii: "\n") { position += 1 }
      } else if byte == ASCII.slash, peek == UInt8(ascii: "*") {
        let start = position
        position += 2
        while current != nil, !(current == UInt8(ascii: "*") && peek == ASCII.slash) {
          position += 1
        }
        guard current != nil else {
          throw error("the comment is not closed", start..<(start + 2))
        }
        position += 2
      } else {
        return
      }
    }
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }
  private var peek: UInt8? { position + 1 < bytes.count ? bytes[position + 1] : nil }

  private func unexpected(_ expected: String) -> Finding {
    guard let byte = current else { return endOfFile() }
    return error(
      "expected \(expected), found '\(printable([byte]))'", position..<(position + 1),
      note: isAtConflictMarker ? "this is a conflict marker of a merge" : nil)
  }

  private var isAtConflictMarker: Bool {
    ["<<<<<<<", "=======", ">>>>>>>"].contains { bytes[position...].starts(with: $0.utf8) }
  }

  private func endOfFile() -> Finding {
    guard let start = stack.start else {
      return error("the file has no property list", bytes.count..<bytes.count)
    }
    return Finding(
      .propertyListSyntax,
      "the file ends before the \(stack.isInDictionary == true ? "dictionary" : "array") is closed",
      at: SourceLocation(source, bytes.count..<bytes.count),
      notes: [Note("it begins here", at: SourceLocation(source, start..<(start + 1)))])
  }

  private func error(_ message: String, _ range: Range<Int>, note: String? = nil) -> Finding {
    Finding(
      .propertyListSyntax, message, at: SourceLocation(source, range),
      notes: note.map { [Note($0)] } ?? [])
  }
}

private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

/// The bytes that need no quotes: those that Xcode leaves unquoted, and a hyphen, as in old
/// versions.
private func isUnquoted(_ byte: UInt8) -> Bool {
  ASCII.isLetter(byte) || ASCII.isDigit(byte) || "_$/:.-".utf8.contains(byte)
}
