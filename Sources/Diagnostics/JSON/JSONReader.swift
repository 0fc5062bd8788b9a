/// Parses a JSON5 text into a tree. It has its own stack of open arrays and objects, so that
/// nesting can't overflow the call stack. After a syntax error it guesses what was meant (a missing
/// comma, a missing bracket) and continues.
struct JSONReader {
  package let source: SourceText
  let bytes: [UInt8]
  var position = 0
  var findings: [Finding] = []
  /// False after something that only JSON5 allows.
  var isStrict = true
  /// False after a syntax error.
  var isWellFormed = true
  /// Set by a syntax error that is likely to cause another one, which isn't reported (an
  /// unterminated string may include a comma).
  var expectsConsequence = false
  /// Set by an unterminated string that includes a bracket: brackets no longer match.
  var hasLostBrackets = false
  var syntaxErrorCount = 0
  private var values = 0
  /// The comments whose first word is `ba-package:`.
  var directives: [Range<Int>] = []
  var json5Warnings = 0

  private var stack: [Frame] = []
  private var expectation = Expectation.value
  private var root: JSONValue?
  /// The end of the last value, where a missing comma belongs.
  private var lastEnd = 0

  /// An array or object that isn't closed yet.
  private struct Frame {
    let start: Int
    let isObject: Bool
    var elements: [JSONValue] = []
    var members: [JSONMember] = []
    var key: (name: String, range: Range<Int>)?
  }

  private enum Expectation {
    case value, elementOrEnd, keyOrEnd, colon, commaOrEnd
  }

  init(_ source: SourceText) {
    self.source = source
    bytes = source.bytes
  }

  var isOutside: Bool { stack.isEmpty }

  var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  func peek(_ distance: Int) -> UInt8? {
    position + distance < bytes.count ? bytes[position + distance] : nil
  }

  mutating func read() -> JSONValue? {
    guard checkEncoding() else { return nil }
    skipSpace()
    if position >= bytes.count, isWellFormed {
      reportSyntaxError(
        bytes.isEmpty ? "the file is empty" : "the file contains no value",
        bytes.count..<bytes.count)
      return nil
    }
    while syntaxErrorCount < 20, isWithinDepth, isWithinCount {
      skipSpace()
      guard let byte = current else {
        closeAll()
        break
      }
      if stack.isEmpty, root != nil {
        reportSyntaxError("unexpected \(describeCurrent()) after the value", tokenRange())
        break
      }
      step(byte)
    }
    return root
  }

  private mutating func step(_ byte: UInt8) {
    switch expectation {
    case .value, .elementOrEnd: stepValue(byte)
    case .keyOrEnd: stepKey(byte)
    case .colon: stepColon(byte)
    case .commaOrEnd: stepComma(byte)
    }
  }

  private mutating func stepValue(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      open(isObject: byte == UInt8(ascii: "{"))
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      let (text, range) = readString()
      complete(JSONValue(.string(text), range: range))
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      ASCII.dot:
      complete(readNumber())
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      if expectation == .value {
        reportSyntaxError("missing value before \(describeCurrent())", position..<(position + 1))
        complete(placeholder)
        expectsConsequence = stack.isEmpty
      } else {
        close(byte)
      }
    case UInt8(ascii: ","):
      reportSyntaxError("missing value before ','", position..<(position + 1))
      if expectation == .value { complete(placeholder) } else { position += 1 }
    default:
      complete(readWord())
    }
  }

  private mutating func stepKey(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "}"), UInt8(ascii: "]"): close(byte)
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      setKey(readString())
    case UInt8(ascii: ","):
      reportSyntaxError("missing key before ','", position..<(position + 1))
      position += 1
    case UInt8(ascii: ":"):
      reportSyntaxError("missing key before ':'", position..<(position + 1))
      setKey(("", position..<position))
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      reportSyntaxError("expected a key, found \(describeCurrent())", position..<(position + 1))
      setKey(("", position..<position))
      expectation = .value
    default:
      setKey(readUnquotedKey())
    }
  }

  private mutating func stepColon(_ byte: UInt8) {
    expectation = .value
    switch byte {
    case UInt8(ascii: ":"):
      position += 1
      expectsConsequence = false
    case UInt8(ascii: "="):
      let place = SourceLocation(source, position..<(position + 1))
      reportSyntaxError("use ':' after a key, not '='", place.range, fix: Fix(place, ":"))
      position += 1
    case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"):
      reportSyntaxError("the key has no value", stack.last?.key?.range ?? tokenRange())
      complete(placeholder)
    default:
      let place = SourceLocation(source, lastEnd..<lastEnd)
      reportSyntaxError("missing ':' after the key", place.range, fix: Fix(place, ":"))
    }
  }

  private mutating func stepComma(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: ","):
      position += 1
      expectsConsequence = false
      expectMore()
      skipSpace()
      if current == UInt8(ascii: "}") || current == UInt8(ascii: "]") { isStrict = false }
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      close(byte)
    case UInt8(ascii: ";"):
      let place = SourceLocation(source, position..<(position + 1))
      reportSyntaxError("use ',' between elements, not ';'", place.range, fix: Fix(place, ","))
      position += 1
      expectMore()
    case UInt8(ascii: ":"):
      let isObject = stack.last?.isObject ?? true
      reportSyntaxError(
        isObject ? "unexpected ':'" : "unexpected ':' in a list; put keys and values in braces",
        position..<(position + 1))
      position += 1
      expectMore()
      expectsConsequence = true
    default:
      let place = SourceLocation(source, lastEnd..<lastEnd)
      reportSyntaxError(
        "missing ',' before \(describeCurrent())", place.range, fix: Fix(place, ","))
      expectMore()
    }
  }

  /// After a comma: another element or the end.
  private mutating func expectMore() {
    expectation = stack.last?.isObject ?? false ? .keyOrEnd : .elementOrEnd
  }
}

extension JSONReader {
  var placeholder: JSONValue { JSONValue(.null, range: position..<position) }

  private var isWithinDepth: Bool { stack.count <= JSONDocument.maximumDepth }

  private var isWithinCount: Bool { values <= JSONDocument.maximumValues }

  private mutating func open(isObject: Bool) {
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

  private mutating func setKey(_ key: (String, Range<Int>)) {
    guard !stack.isEmpty else { return }
    stack[stack.count - 1].key = key
    lastEnd = position
    expectation = .colon
  }

  /// Adds a value to the innermost open array or object.
  private mutating func complete(_ value: JSONValue) {
    lastEnd = position
    expectation = .commaOrEnd
    values += 1
    if !isWithinCount {
      isWellFormed = false
      report(
        Finding(
          .manifestTooLarge,
          "the file has more than \(grouped(JSONDocument.maximumValues)) values",
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

  private mutating func close(_ byte: UInt8) {
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

  private mutating func pop(end: Int) {
    guard let frame = stack.popLast() else { return }
    if frame.isObject {
      reportDuplicates(frame.members)
      complete(JSONValue(.object(frame.members), range: frame.start..<end))
    } else {
      complete(JSONValue(.array(frame.elements), range: frame.start..<end))
    }
  }

  /// Closes all open arrays and objects at the end of the text, with one finding.
  private mutating func closeAll() {
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
