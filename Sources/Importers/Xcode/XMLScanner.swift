import BAPackCore

/// Splits XML into the tags and texts of a property list. Supports the five predefined entities and
/// numeric ones; a document type with its own declarations is rejected, so that no text can expand.
struct XMLScanner {
  let source: SourceText
  private let bytes: [UInt8]
  private(set) var position: Int

  /// Starts at the beginning, after a byte order mark.
  init(_ source: SourceText) {
    self.source = source
    bytes = source.bytes
    position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// Whether the end is reached.
  var isAtEnd: Bool { position == bytes.count }

  /// A start tag, an end tag, or an element without contents.
  struct Tag {
    enum Kind { case start, end, empty }

    let kind: Kind
    let name: String
    let range: Range<Int>
  }

  /// The next tag, after whitespace, comments and processing instructions.
  mutating func nextTag() throws(Finding) -> Tag {
    try skipMisc()
    guard position < bytes.count else {
      throw error(
        "the file ends before it is complete", bytes.count..<bytes.count)
    }
    guard bytes[position] == UInt8(ascii: "<") else {
      throw error("expected an element", position..<(position + 1))
    }
    let start = position
    position += 1
    let isEnd = position < bytes.count && bytes[position] == ASCII.slash
    if isEnd { position += 1 }
    let name = take { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == ASCII.dot || $0 == dash }
    guard !name.isEmpty else {
      throw error("expected the name of an element", start..<min(position + 1, bytes.count))
    }
    var isEmpty = false
    while position < bytes.count, bytes[position] != UInt8(ascii: ">") {
      let byte = bytes[position]
      isEmpty = byte == ASCII.slash
      position += 1
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        _ = take { $0 != byte }
        position += 1
      } else if byte == UInt8(ascii: "<") {
        break
      }
    }
    guard position < bytes.count, bytes[position] == UInt8(ascii: ">") else {
      throw error("the tag is not closed", start..<min(start + 1, bytes.count))
    }
    position += 1
    return Tag(
      kind: isEnd ? .end : isEmpty ? .empty : .start, name: String(decoding: name, as: UTF8.self),
      range: start..<position)
  }

  private mutating func take(while isWanted: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let start = position
    while position < bytes.count, isWanted(bytes[position]) { position += 1 }
    return bytes[start..<position]
  }

  mutating func skipMisc() throws(Finding) {
    while true {
      _ = take(while: isSpace)
      if starts("<!--") {
        try skip(to: "-->", "the comment")
      } else if starts("<?") {
        let start = position
        try skip(to: "?>", "the processing instruction")
        try checkEncoding(bytes[start..<position], start..<position)
      } else if starts("<!DOCTYPE") {
        let start = position
        _ = take { $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "[") }
        guard position < bytes.count, bytes[position] == UInt8(ascii: ">") else {
          throw error(
            "a document type with declarations is not supported",
            start..<min(position + 1, bytes.count))
        }
        position += 1
      } else {
        return
      }
    }
  }

  private func checkEncoding(
    _ instruction: ArraySlice<UInt8>, _ range: Range<Int>
  ) throws(Finding) {
    let text = String(decoding: instruction, as: UTF8.self).lowercased()
    guard text.contains("encoding"), !text.contains("utf-8"), !text.contains("us-ascii") else {
      return
    }
    throw error("the encoding is not UTF-8", range)
  }

  private func starts(_ text: StaticString) -> Bool {
    bytes[position...].starts(with: text.description.utf8)
  }

  private mutating func skip(to end: StaticString, _ what: String) throws(Finding) {
    let start = position
    while position < bytes.count {
      if starts(end) {
        position += end.utf8CodeUnitCount
        return
      }
      position += 1
    }
    throw error("\(what) is not closed", start..<min(start + 4, bytes.count))
  }

  /// The text up to the end of the element that `tag` began.
  mutating func readText(of tag: Tag) throws(Finding) -> String {
    var text: [UInt8] = []
    while true {
      text += take { $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "&") }
      guard position < bytes.count else {
        throw error("'<\(tag.name)>' is not closed", tag.range)
      }
      if bytes[position] == UInt8(ascii: "&") {
        text += try readEntity()
      } else if starts("<!--") {
        try skip(to: "-->", "the comment")
      } else if starts("<![CDATA[") {
        let start = position
        try skip(to: "]]>", "the CDATA section")
        text += bytes[(start + 9)..<(position - 3)]
      } else {
        break
      }
    }
    let end = try nextTag()
    guard end.kind == .end, end.name == tag.name else {
      throw error("expected '</\(tag.name)>'", end.range)
    }
    guard let valid = String(validating: text, as: UTF8.self) else {
      throw error("the text is not UTF-8", tag.range)
    }
    return valid
  }

  private mutating func readEntity() throws(Finding) -> [UInt8] {
    let start = position
    position += 1
    let name = String(
      decoding: take { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "#") },
      as: UTF8.self)
    let hasEnd = position < bytes.count && bytes[position] == UInt8(ascii: ";")
    if hasEnd { position += 1 }
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
      start..<position)
  }

  func error(_ message: String, _ range: Range<Int>) -> Finding {
    Finding(.propertyListSyntax, message, at: SourceLocation(source, range))
  }
}

private let dash = UInt8(ascii: "-")

private func isSpace(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    || byte == UInt8(ascii: "\t")
}
