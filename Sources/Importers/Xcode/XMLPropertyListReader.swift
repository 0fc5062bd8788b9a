import BAPackCore

/// Parses XML property lists (`PropertyList-1.0.dtd`), and no other XML.
struct XMLPropertyListReader {
  private typealias Tag = XMLScanner.Tag

  private var scanner: XMLScanner
  private var stack = PropertyListStack()

  /// Parses `source`. Throws its first error.
  static func read(_ source: SourceText) throws(Finding) -> PropertyListValue {
    var reader = XMLPropertyListReader(scanner: XMLScanner(source))
    return try reader.read()
  }

  private init(scanner: XMLScanner) { self.scanner = scanner }

  private mutating func read() throws(Finding) -> PropertyListValue {
    let plist = try scanner.nextTag()
    guard plist.kind == .start, plist.name == "plist" else {
      throw error("expected '<plist>'", plist.range)
    }
    while stack.root == nil { try readElement() }
    let end = try scanner.nextTag()
    guard end.kind == .end, end.name == "plist" else {
      throw error("expected '</plist>'", end.range)
    }
    try scanner.skipMisc()
    guard scanner.isAtEnd else {
      throw error("there is text after '</plist>'", scanner.position..<(scanner.position + 1))
    }
    guard let root = stack.root else { throw error("there is no value", plist.range) }
    return root
  }

  private mutating func readElement() throws(Finding) {
    let tag = try scanner.nextTag()
    if tag.kind == .end { return try close(tag) }
    if stack.expectsKey {
      guard tag.name == "key" else {
        throw error("expected '<key>' or '</dict>', found '<\(tag.name)>'", tag.range)
      }
      let key = tag.kind == .empty ? "" : try scanner.readText(of: tag)
      return stack.setKey(key, tag.range.lowerBound..<scanner.position)
    }
    switch tag.name {
    case "dict", "array":
      guard stack.open(isDictionary: tag.name == "dict", at: tag.range.lowerBound) else {
        throw error(
          "values are nested more than \(PropertyListLimits.depth) deep", tag.range)
      }
      if tag.kind == .empty { stack.close(at: scanner.position) }
    case "true", "false":
      if tag.kind == .start {
        let end = try scanner.nextTag()
        guard end.kind == .end, end.name == tag.name else {
          throw error("expected '</\(tag.name)>'", end.range)
        }
      }
      add(.boolean(tag.name == "true"), tag)
    case "string", "integer", "real", "date", "data":
      let text = tag.kind == .empty ? "" : try scanner.readText(of: tag)
      add(try content(text, tag), tag)
    default:
      throw error("'<\(tag.name)>' is not an element of property lists", tag.range)
    }
  }

  private func content(
    _ text: String, _ tag: Tag
  ) throws(Finding) -> PropertyListValue.Content {
    switch tag.name {
    case "string": return .string(text)
    case "date": return .other("a date")
    case "data": return .other("data")
    default: break
    }
    let number = String(
      decoding: text.utf8.drop(while: isSpace).reversed().drop(while: isSpace).reversed(),
      as: UTF8.self)
    // `integer` may be hexadecimal.
    if tag.name == "integer", number.hasPrefix("0x") || number.hasPrefix("0X"),
      let value = UInt64(number.dropFirst(2), radix: 16)
    {
      return .number(String(value))
    }
    let isNumber = tag.name == "integer" ? Int128(number) != nil : Double(number) != nil
    guard isNumber else {
      throw error("'\(printable(number.utf8.prefix(64)))' is not a number", tag.range)
    }
    return .number(number.hasPrefix("+") ? String(number.dropFirst()) : number)
  }

  private mutating func add(_ content: PropertyListValue.Content, _ tag: Tag) {
    stack.add(PropertyListValue(content, tag.range.lowerBound..<scanner.position))
  }

  private mutating func close(_ tag: Tag) throws(Finding) {
    guard let isDictionary = stack.isInDictionary else {
      throw error("'</\(tag.name)>' closes nothing", tag.range)
    }
    guard tag.name == (isDictionary ? "dict" : "array") else {
      throw error(
        "expected '</\(isDictionary ? "dict" : "array")>', found '</\(tag.name)>'", tag.range)
    }
    guard !isDictionary || stack.expectsKey else {
      throw error("the last key has no value", tag.range)
    }
    stack.close(at: scanner.position)
  }

  private func error(_ message: String, _ range: Range<Int>) -> Finding {
    scanner.error(message, range)
  }
}

private func isSpace(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    || byte == UInt8(ascii: "\t")
}
