/// Parses a JSON5 text into a tree. It has its own stack of open lists and objects, so that nesting
/// can't exhaust the thread's. After a syntax error it guesses what was meant (a missing comma, a
/// missing bracket) and continues.
struct JSONReader {
  let source: SourceText
  let bytes: [UInt8]
  /// Where the next byte is read.
  var position = 0
  var findings: [Finding] = []
  /// False after something that only JSON5 allows.
  var isStrict = true
  /// False after a syntax error.
  var isWellFormed = true
  /// Set by a syntax error that is likely to cause another, which is not reported (an unterminated
  /// string has swallowed a comma).
  var expectsConsequence = false
  /// Set by an unterminated string that has swallowed a bracket: brackets no longer match.
  var hasLostBrackets = false
  /// The number of reported syntax errors.
  var syntaxErrorCount = 0
  /// The number of complete values.
  var values = 0
  /// How many warnings of what only JSON5 allows were reported.
  var json5Warnings = 0

  var stack: [Frame] = []
  var expectation = Expectation.value
  var root: JSONValue?
  /// The end of the last value, where a missing comma belongs.
  var lastEnd = 0

  /// A list or an object that is not closed yet.
  struct Frame {
    let start: Int
    let isObject: Bool
    var elements: [JSONValue] = []
    var members: [JSONMember] = []
    var key: (name: String, range: Range<Int>)?
  }

  enum Expectation {
    case value, elementOrEnd, keyOrEnd, colon, commaOrEnd
  }

  init(_ source: SourceText) {
    self.source = source
    bytes = source.bytes
  }

  /// The byte at the position; nil at the end of the text.
  var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// The byte at `distance` from the position; nil past the end of the text.
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

  mutating func step(_ byte: UInt8) {
    switch expectation {
    case .value, .elementOrEnd: stepValue(byte)
    case .keyOrEnd: stepKey(byte)
    case .colon: stepColon(byte)
    case .commaOrEnd: stepComma(byte)
    }
  }

  mutating func stepValue(_ byte: UInt8) {
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

  mutating func stepKey(_ byte: UInt8) {
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

  mutating func stepColon(_ byte: UInt8) {
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

  mutating func stepComma(_ byte: UInt8) {
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
  mutating func expectMore() {
    expectation = stack.last?.isObject ?? false ? .keyOrEnd : .elementOrEnd
  }
}
