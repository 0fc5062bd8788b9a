extension JSONReader {
  /// A stand-in for a value that could not be read.
  var placeholder: JSONValue { JSONValue(.null, range: position..<position) }

  var isWithinDepth: Bool { stack.count <= JSONDocument.maximumDepth }

  var isWithinCount: Bool { values <= JSONDocument.maximumValues }

  mutating func open(isObject: Bool) {
    stack.append(Frame(start: position, isObject: isObject))
    if !isWithinDepth {
      root = nil
      isWellFormed = false
      report(
        Finding(
          .manifestTooLarge,
          "lists and objects are nested more than \(JSONDocument.maximumDepth) levels deep",
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

  /// Adds a value to the innermost open list or object.
  mutating func complete(_ value: JSONValue) {
    lastEnd = position
    expectation = .commaOrEnd
    values += 1
    if !isWithinCount {
      isWellFormed = false
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
      reportSyntaxError(
        "expected '\(frame.isObject ? "}" : "]")', found '\(isObject ? "}" : "]")'",
        position..<(position + 1),
        notes: [
          Note(
            "\(frame.isObject ? "the object" : "the list") begins here",
            at: SourceLocation(source, frame.start..<(frame.start + 1)))
        ])
      // The bracket of an outer value closes the inner ones too; any other is a typo.
      if stack.contains(where: { $0.isObject == isObject }) {
        while let inner = stack.last, inner.isObject != isObject { pop(end: position) }
      }
    }
    position += 1
    pop(end: position)
    // If brackets don't match, the value may end before the text does.
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

  /// Closes all open lists and objects at the end of the text, with one finding.
  mutating func closeAll() {
    guard let innermost = stack.last else { return }
    if hasLostBrackets { expectsConsequence = true }
    reportSyntaxError(
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
