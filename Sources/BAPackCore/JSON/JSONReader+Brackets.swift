extension JSONReader {
  /// Stands for a value that could not be read.
  var placeholder: JSONValue { JSONValue(.null, range: position..<position) }

  var isWithinDepth: Bool { stack.count <= JSONDocument.maximumDepth }

  var isWithinCount: Bool { values <= JSONDocument.maximumValues }

  mutating func open(isObject: Bool) {
    stack.append(Frame(start: position, isObject: isObject))
    if !isWithinDepth {
      root = nil
      isWhole = false
      report(
        Finding(
          .manifestTooLarge,
          "lists and objects are nested more than \(JSONDocument.maximumDepth) deep",
          at: SourceLocation(source, position..<(position + 1))))
    }
    position += 1
    expectMore()
  }

  mutating func setKey(_ key: (String, Range<Int>)) {
    guard !stack.isEmpty else { return }
    stack[stack.count - 1].key = key
    lastEnd = position
    expectation = .colon
  }

  /// Puts a value that has been read where it belongs.
  mutating func complete(_ value: JSONValue) {
    lastEnd = position
    expectation = .commaOrEnd
    values += 1
    if !isWithinCount {
      isWhole = false
      report(
        Finding(
          .manifestTooLarge,
          "the file holds more than \(grouped(JSONDocument.maximumValues)) values",
          at: SourceLocation(source, value.range)))
    }
    guard let last = stack.indices.last else {
      root = value
      return
    }
    if !stack[last].isObject {
      stack[last].elements.append(value)
    } else if let key = stack[last].key {
      stack[last].members.append(JSONMember(key.name, keyRange: key.range, value))
      stack[last].key = nil
    }
  }

  mutating func close(_ byte: UInt8) {
    let isObject = byte == UInt8(ascii: "}")
    let isMismatch = stack.last?.isObject != isObject
    if isMismatch, let frame = stack.last {
      if hasLostBrackets { expectsConsequence = true }
      breach(
        "expected '\(frame.isObject ? "}" : "]")', found '\(isObject ? "}" : "]")'",
        position..<(position + 1),
        notes: [
          Note(
            "\(frame.isObject ? "the object" : "the list") begins here",
            at: SourceLocation(source, frame.start..<(frame.start + 1)))
        ])
      // The bracket of an outer value closes the inner ones too; any other is a slip for the
      // right one.
      if stack.contains(where: { $0.isObject == isObject }) {
        while let inner = stack.last, inner.isObject != isObject { pop(end: position) }
      }
    }
    position += 1
    pop(end: position)
    // Where brackets don't match, the value may end before its text does.
    expectsConsequence = isMismatch && stack.isEmpty
  }

  mutating func pop(end: Int) {
    guard let frame = stack.popLast() else { return }
    if frame.isObject {
      reportDuplicates(frame.members)
      complete(JSONValue(.object(frame.members), range: frame.start..<end))
    } else {
      complete(JSONValue(.array(frame.elements), range: frame.start..<end))
    }
  }

  /// At the end of the text: closes what is open, and says so once.
  mutating func closeAll() {
    guard let innermost = stack.last else { return }
    if hasLostBrackets { expectsConsequence = true }
    breach(
      "the file ends before the \(innermost.isObject ? "object" : "list") is closed",
      bytes.count..<bytes.count,
      notes: [
        Note(
          "\(innermost.isObject ? "the object" : "the list") begins here",
          at: SourceLocation(source, innermost.start..<(innermost.start + 1)))
      ])
    while !stack.isEmpty { pop(end: bytes.count) }
  }
}
