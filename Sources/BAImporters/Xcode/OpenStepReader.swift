import BAApps
import BAPackCore

/// Parses OpenStep property lists, the format of `project.pbxproj`: dictionaries in braces, arrays
/// in parentheses, strings with and without quotes, and comments.
struct OpenStepReader {
  private var cursor: TextCursor
  /// The arrays and dictionaries being read, outermost first.
  private var open: [(start: Int, isDictionary: Bool)] = []

  static func read(_ source: SourceText) throws(Finding) -> JSONValue {
    var reader = OpenStepReader(cursor: TextCursor(source))
    try reader.skipSpace()
    if reader.cursor.isAt("}") || reader.cursor.isAt(")") {
      throw reader.unexpected("a property list")
    }
    let root = try reader.value()
    try reader.skipSpace()
    guard reader.cursor.isAtEnd else { throw reader.unexpected("the end of the file") }
    return root
  }

  private mutating func value() throws(Finding) -> JSONValue {
    try skipSpace()
    let start = cursor.position
    let content: JSONValue.Content
    if try begins("{", isDictionary: true) {
      content = .object(try members())
      open.removeLast()
    } else if try begins("(", isDictionary: false) {
      content = .array(try elements())
      open.removeLast()
    } else if cursor.isAt("<") {
      try skipData()
      content = .null
    } else {
      content = .string(try string())
    }
    return JSONValue(content, range: start..<cursor.position)
  }

  private mutating func begins(_ brace: String, isDictionary: Bool) throws(Finding) -> Bool {
    let start = cursor.position
    guard cursor.skip(brace) else { return false }
    open.append((start, isDictionary))
    guard open.count <= PropertyListLimits.depth else {
      throw error(
        "values are nested more than \(PropertyListLimits.depth) deep", start..<cursor.position)
    }
    return true
  }

  /// Up to the brace: each key is followed by an equals sign, and each value by a semicolon.
  private mutating func members() throws(Finding) -> [JSONMember] {
    var members: [JSONMember] = []
    while true {
      try skipSpace()
      if cursor.skip("}") { return members }
      let start = cursor.position
      if cursor.isAt("{") || cursor.isAt("(") { throw unexpected("a key or '}'") }
      if cursor.isAt("<") {
        try skipData()
        throw error("data can't be a key", start..<cursor.position)
      }
      let key = try string()
      let range = start..<cursor.position
      try skipSpace()
      guard cursor.skip("=") else { throw unexpected("'='") }
      members.append(JSONMember(key, keyRange: range, try value()))
      try skipSpace()
      guard cursor.skip(";") else { throw unexpected("';'") }
    }
  }

  /// Up to the parenthesis; a comma follows each value, but need not follow the last one.
  private mutating func elements() throws(Finding) -> [JSONValue] {
    var elements: [JSONValue] = []
    while true {
      try skipSpace()
      if cursor.skip(")") { return elements }
      elements.append(try value())
      try skipSpace()
      guard cursor.skip(",") || cursor.isAt(")") else { throw unexpected("',' or ')'") }
    }
  }

  private mutating func string() throws(Finding) -> String {
    let start = cursor.position
    guard let quote = cursor.current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
    else {
      let text = cursor.take(while: isUnquoted)
      guard !text.isEmpty else { throw unexpected("a value") }
      return String(decoding: text, as: UTF8.self)
    }
    cursor.position += 1
    var text: [UInt8] = []
    while let byte = cursor.current, byte != quote {
      cursor.position += 1
      if byte == ASCII.backslash { text += try escape() } else { text.append(byte) }
    }
    guard !cursor.isAtEnd else { throw error("the string is not closed", start..<start + 1) }
    cursor.position += 1
    guard let valid = String(validating: text, as: UTF8.self) else {
      throw error("the string is not UTF-8", start..<cursor.position)
    }
    return valid
  }

  private mutating func escape() throws(Finding) -> [UInt8] {
    let start = cursor.position - 1
    guard let byte = cursor.current else { throw endOfFile() }
    cursor.position += 1
    let value: UInt32
    switch byte {
    case UInt8(ascii: "a"): return [7]
    case UInt8(ascii: "b"): return [8]
    case UInt8(ascii: "f"): return [12]
    case UInt8(ascii: "n"): return [10]
    case UInt8(ascii: "r"): return [13]
    case UInt8(ascii: "t"): return [9]
    case UInt8(ascii: "v"): return [11]
    case UInt8(ascii: "U"), UInt8(ascii: "u"):
      value = digits(4, radix: 16, from: cursor.position) ?? .max
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      // Octal escapes are in NEXTSTEP encoding, of which only ASCII is ever used.
      value =
        digits(3, radix: 8, from: cursor.position - 1).flatMap { $0 < 0x80 ? $0 : nil } ?? .max
    default: return [byte]
    }
    guard let scalar = Unicode.Scalar(value) else {
      throw error("this is not an escape of property lists", start..<cursor.position)
    }
    return Array(String(scalar).utf8)
  }

  /// The number of up to `count` digits; nil if there are too few of a hexadecimal one.
  private mutating func digits(_ count: Int, radix: UInt32, from start: Int) -> UInt32? {
    let digits = cursor.source.bytes[start...].prefix(count).prefix {
      ASCII.hexadecimalValue($0).map { $0 < radix } ?? false
    }
    cursor.position = digits.endIndex
    if radix == 16, digits.count < count { return nil }
    return digits.reduce(0) { $0 * radix + UInt32(ASCII.hexadecimalValue($1) ?? 0) }
  }

  private mutating func skipData() throws(Finding) {
    if isAtConflictMarker { throw unexpected("a value") }
    cursor.position += 1
    _ = cursor.take { ASCII.hexadecimalValue($0) != nil || isSpace($0) }
    guard cursor.skip(">") else { throw unexpected("'>'") }
  }

  private mutating func skipSpace() throws(Finding) {
    while true {
      _ = cursor.take(while: isSpace)
      let start = cursor.position
      if cursor.skip("//") {
        _ = cursor.take { $0 != UInt8(ascii: "\n") }
      } else if cursor.skip("/*") {
        guard cursor.skip(through: "*/") else {
          throw error("the comment is not closed", start..<start + 2)
        }
      } else {
        return
      }
    }
  }

  private func unexpected(_ expected: String) -> Finding {
    guard let byte = cursor.current else { return endOfFile() }
    return error(
      "expected \(expected), found '\(printable([byte]))'", cursor.position..<cursor.position + 1,
      note: isAtConflictMarker ? Note("this is a conflict marker of a merge") : nil)
  }

  private var isAtConflictMarker: Bool {
    ["<<<<<<<", "=======", ">>>>>>>"].contains { cursor.isAt($0) }
  }

  private func endOfFile() -> Finding {
    let end = cursor.source.bytes.count
    guard let (start, isDictionary) = open.last else {
      return error("the file has no property list", end..<end)
    }
    return error(
      "the file ends before the \(isDictionary ? "dictionary" : "array") is closed", end..<end,
      note: Note("it begins here", at: cursor.location(start..<start + 1)))
  }

  private func error(_ message: String, _ range: Range<Int>, note: Note? = nil) -> Finding {
    Finding(
      .propertyListSyntax, message, at: cursor.location(range), notes: note.map { [$0] } ?? [])
  }
}

private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

/// The bytes that need no quotes: those that Xcode leaves unquoted, and a hyphen, as in old
/// versions.
private func isUnquoted(_ byte: UInt8) -> Bool {
  ASCII.isLetter(byte) || ASCII.isDigit(byte) || "_$/:.-".utf8.contains(byte)
}
