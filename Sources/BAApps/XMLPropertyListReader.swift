import BAPackCore

/// Parses XML property lists (`PropertyList-1.0.dtd`), and no other XML. The five predefined
/// entities and numeric ones are supported; a document type with its own declarations is rejected,
/// so no text can expand.
package struct XMLPropertyListReader {
  private var cursor: TextCursor
  private var depth = 0

  /// A start tag, an end tag, or an element without contents.
  private struct Tag {
    enum Kind { case start, end, empty }

    let kind: Kind
    let name: String
    let range: Range<Int>
  }

  package static func read(_ source: SourceText) throws(Finding) -> JSONValue {
    var reader = XMLPropertyListReader(cursor: TextCursor(source))
    let plist = try reader.nextTag()
    guard plist.kind == .start, plist.name == "plist" else {
      throw reader.error("expected '<plist>'", plist.range)
    }
    let root = try reader.value(reader.nextTag(), in: nil)
    try reader.skipEnd(of: "plist")
    try reader.skipMisc()
    guard reader.cursor.isAtEnd else {
      let end = reader.cursor.position
      throw reader.error("there is text after '</plist>'", end..<end + 1)
    }
    return root
  }

  // MARK: Values

  /// The value that `tag` begins, in an array or a dictionary.
  private mutating func value(_ tag: Tag, in container: String?) throws(Finding)
    -> JSONValue
  {
    if tag.kind == .end {
      guard let container else { throw error("'</\(tag.name)>' closes nothing", tag.range) }
      try check(tag, closes: container)
      throw error("the last key has no value", tag.range)
    }
    let content: JSONValue.Content
    switch tag.name {
    case "dict", "array":
      depth += 1
      guard depth <= PropertyListLimits.depth else {
        throw error("values are nested more than \(PropertyListLimits.depth) deep", tag.range)
      }
      content =
        tag.name == "dict" ? .object(try members(of: tag)) : .array(try elements(of: tag))
      depth -= 1
    case "true", "false":
      if tag.kind == .start { try skipEnd(of: tag.name) }
      content = .bool(tag.name == "true")
    case "string": content = .string(try text(of: tag))
    case "date", "data":
      _ = try text(of: tag)
      content = .null
    case "integer", "real":
      content = .number(JSONNumber(text: try number(try text(of: tag), tag)))
    default: throw error("'<\(tag.name)>' is not an element of property lists", tag.range)
    }
    return JSONValue(content, range: tag.range.lowerBound..<cursor.position)
  }

  private mutating func members(of dictionary: Tag) throws(Finding) -> [JSONMember] {
    var members: [JSONMember] = []
    while let tag = try child(of: dictionary) {
      guard tag.name == "key" else {
        throw error("expected '<key>' or '</dict>', found '<\(tag.name)>'", tag.range)
      }
      let key = try text(of: tag)
      let range = tag.range.lowerBound..<cursor.position
      members.append(
        JSONMember(key, keyRange: range, try value(nextTag(), in: "dict"))
      )
    }
    return members
  }

  private mutating func elements(of array: Tag) throws(Finding) -> [JSONValue] {
    var elements: [JSONValue] = []
    while let tag = try child(of: array) { elements.append(try value(tag, in: "array")) }
    return elements
  }

  /// The next tag in `container`, a dictionary or an array; nil at its end.
  private mutating func child(of container: Tag) throws(Finding) -> Tag? {
    if container.kind == .empty { return nil }
    let tag = try nextTag()
    if tag.kind != .end { return tag }
    try check(tag, closes: container.name)
    return nil
  }

  private func number(_ text: String, _ tag: Tag) throws(Finding) -> String {
    let number = String(
      decoding: text.utf8.drop(while: isSpace).reversed().drop(while: isSpace).reversed(),
      as: UTF8.self)
    // `integer` may be hexadecimal.
    if tag.name == "integer", number.hasPrefix("0x") || number.hasPrefix("0X"),
      let value = UInt64(number.dropFirst(2), radix: 16)
    {
      return String(value)
    }
    guard tag.name == "integer" ? Int128(number) != nil : Double(number) != nil else {
      throw error("'\(printable(number.utf8.prefix(64)))' is not a number", tag.range)
    }
    return number.hasPrefix("+") ? String(number.dropFirst()) : number
  }

  // MARK: Tags and texts

  /// The next tag, after whitespace, comments and processing instructions.
  private mutating func nextTag() throws(Finding) -> Tag {
    try skipMisc()
    let start = cursor.position
    guard !cursor.isAtEnd else { throw error("the file ends before it is complete", start..<start) }
    guard cursor.skip("<") else {
      let isJSON = start == 0 && cursor.skip("{")
      throw error(
        isJSON ? "this is JSON or another list, not an XML property list" : "expected an element",
        start..<start + 1)
    }
    let isEnd = cursor.skip("/")
    let name = cursor.take {
      ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == ASCII.dot || $0 == UInt8(ascii: "-")
    }
    guard !name.isEmpty else {
      throw error(
        "expected the name of an element",
        start..<min(cursor.position + 1, cursor.source.bytes.count))
    }
    var isEmpty = false
    while let byte = cursor.current, byte != UInt8(ascii: ">"), byte != UInt8(ascii: "<") {
      isEmpty = byte == ASCII.slash
      cursor.position += 1
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        _ = cursor.take { $0 != byte }
        if !cursor.isAtEnd { cursor.position += 1 }
      }
    }
    guard cursor.skip(">") else { throw error("the tag is not closed", start..<start + 1) }
    return Tag(
      kind: isEnd ? .end : isEmpty ? .empty : .start, name: String(decoding: name, as: UTF8.self),
      range: start..<cursor.position)
  }

  private func check(_ tag: Tag, closes name: String) throws(Finding) {
    guard tag.name == name else {
      throw error("expected '</\(name)>', found '</\(tag.name)>'", tag.range)
    }
  }

  private mutating func skipEnd(of name: String) throws(Finding) {
    let end = try nextTag()
    guard end.kind == .end, end.name == name else {
      throw error("expected '</\(name)>'", end.range)
    }
  }

  private mutating func skipMisc() throws(Finding) {
    while true {
      _ = cursor.take(while: isSpace)
      let start = cursor.position
      if cursor.isAt("<!--") {
        try skip(through: "-->", "the comment")
      } else if cursor.isAt("<?") {
        try skip(through: "?>", "the processing instruction")
        let text = String(decoding: cursor.source.bytes[start..<cursor.position], as: UTF8.self)
          .lowercased()
        if text.contains("encoding"), !text.contains("utf-8"), !text.contains("us-ascii") {
          throw error("the encoding is not UTF-8", start..<cursor.position)
        }
      } else if cursor.skip("<!DOCTYPE") {
        _ = cursor.take { $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "[") }
        guard cursor.skip(">") else {
          throw error(
            "a document type with declarations is not supported",
            start..<min(cursor.position + 1, cursor.source.bytes.count))
        }
      } else {
        return
      }
    }
  }

  private mutating func skip(through end: String, _ subject: String) throws(Finding) {
    let start = cursor.position
    guard cursor.skip(through: end) else {
      throw error("\(subject) is not closed", start..<min(start + 4, cursor.source.bytes.count))
    }
  }

  /// The text up to the end of the element that `tag` began.
  private mutating func text(of tag: Tag) throws(Finding) -> String {
    if tag.kind == .empty { return "" }
    var text: [UInt8] = []
    while true {
      text += cursor.take { $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "&") }
      let start = cursor.position
      if cursor.isAtEnd { throw error("'<\(tag.name)>' is not closed", tag.range) }
      if cursor.isAt("&") {
        text += try entity()
      } else if cursor.isAt("<!--") {
        try skip(through: "-->", "the comment")
      } else if cursor.isAt("<![CDATA[") {
        try skip(through: "]]>", "the CDATA section")
        text += cursor.source.bytes[(start + 9)..<(cursor.position - 3)]
      } else {
        break
      }
    }
    try skipEnd(of: tag.name)
    guard let valid = String(validating: text, as: UTF8.self) else {
      throw error("the text is not UTF-8", tag.range)
    }
    return valid
  }

  private mutating func entity() throws(Finding) -> [UInt8] {
    let start = cursor.position
    cursor.position += 1
    let name = String(
      decoding: cursor.take {
        ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "#")
      }, as: UTF8.self)
    let hasEnd = cursor.skip(";")
    let named: [String: String] = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]
    if hasEnd, let character = named[name] { return Array(character.utf8) }
    if hasEnd, name.hasPrefix("#") {
      let digits = name.dropFirst()
      let value =
        digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
      if let scalar = value.flatMap(Unicode.Scalar.init), scalar.value > 0 {
        return Array(String(scalar).utf8)
      }
    }
    throw error(
      "'&\(printable(name.utf8.prefix(32)))' is not an entity of XML; write '&amp;' for an ampersand",
      start..<cursor.position)
  }

  private func error(_ message: String, _ range: Range<Int>) -> Finding {
    Finding(.propertyListSyntax, message, at: cursor.location(range))
  }
}

private func isSpace(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    || byte == UInt8(ascii: "\t")
}
