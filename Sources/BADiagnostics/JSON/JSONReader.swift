/// Parses a JSON5 text into a tree. It has its own stack of open arrays and objects, so that
/// nesting can't overflow the call stack. After a syntax error it guesses what was meant (a missing
/// comma, a missing bracket) and continues.
struct JSONReader {
  package let source: SourceText
  let bytes: [UInt8]
  private let limit: Int
  var position = 0
  private(set) var findings: [Finding] = []
  /// False after something that only JSON5 allows.
  var isStrict = true
  /// False after a syntax error.
  var isWellFormed = true
  /// Set by a syntax error that is likely to cause another one, which isn't reported (an
  /// unterminated string may include a comma).
  var expectsConsequence = false
  /// Set by an unterminated string that includes a bracket: brackets no longer match.
  var hasLostBrackets = false
  private var syntaxErrorCount = 0
  private var values = 0
  private var json5Warnings = 0

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

    var noun: String { isObject ? "object" : "list" }
  }

  private enum Expectation {
    case value, elementOrEnd, keyOrEnd, colon, commaOrEnd
  }

  init(_ source: SourceText, limit: Int) {
    self.source = source
    self.limit = limit
    bytes = source.bytes
  }

  private var maximumValues: Int { limit / 16 }

  var isOutside: Bool { stack.isEmpty }

  var here: Range<Int> { position..<(position + 1) }

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
    }
    while syntaxErrorCount < 20, stack.count <= JSONDocument.maximumDepth, values <= maximumValues {
      skipSpace()
      guard let byte = current else {
        closeAll()
        break
      }
      if stack.isEmpty, root != nil {
        reportSyntaxError("unexpected \(describeCurrent()) after the value", tokenRange())
        break
      }
      switch expectation {
      case .value, .elementOrEnd: stepValue(byte)
      case .keyOrEnd: stepKey(byte)
      case .colon: stepColon(byte)
      case .commaOrEnd: stepComma(byte)
      }
    }
    return root
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
        reportSyntaxError("missing value before \(describeCurrent())", here)
        complete(placeholder)
        expectsConsequence = stack.isEmpty
      } else {
        close(byte)
      }
    case UInt8(ascii: ","):
      reportSyntaxError("missing value before ','", here)
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
      reportSyntaxError("missing key before ','", here)
      position += 1
    case UInt8(ascii: ":"):
      reportSyntaxError("missing key before ':'", here)
      setKey(("", position..<position))
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      reportSyntaxError("expected a key, found \(describeCurrent())", here)
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
      reportSyntaxError("use ':' after a key, not '='", here, replacement: ":")
      position += 1
    case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"):
      reportSyntaxError("the key has no value", stack.last?.key?.range ?? tokenRange())
      complete(placeholder)
    default:
      reportSyntaxError("missing ':' after the key", lastEnd..<lastEnd, replacement: ":")
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
      reportSyntaxError("use ',' between elements, not ';'", here, replacement: ",")
      position += 1
      expectMore()
    case UInt8(ascii: ":"):
      let isObject = stack.last?.isObject ?? true
      reportSyntaxError(
        isObject ? "unexpected ':'" : "unexpected ':' in a list; put keys and values in braces",
        here)
      position += 1
      expectMore()
      expectsConsequence = true
    default:
      reportSyntaxError(
        "missing ',' before \(describeCurrent())", lastEnd..<lastEnd, replacement: ",")
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

  private mutating func open(isObject: Bool) {
    stack.append(Frame(start: position, isObject: isObject))
    if stack.count > JSONDocument.maximumDepth {
      root = nil
      isWellFormed = false
      report(
        .manifestTooLarge,
        "lists and objects are nested more than \(JSONDocument.maximumDepth) levels deep", here)
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
    if values > maximumValues {
      isWellFormed = false
      report(
        .manifestTooLarge,
        "the file has more than \(grouped(maximumValues)) values", value.range)
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
        here, notes: [beginning(of: frame)])
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
    reportDuplicates(frame.members)
    let content: JSONValue.Content =
      frame.isObject ? .object(frame.members) : .array(frame.elements)
    complete(JSONValue(content, range: frame.start..<end))
  }

  private func beginning(of frame: Frame) -> Note {
    Note(
      "the \(frame.noun) begins here",
      at: SourceLocation(source, frame.start..<(frame.start + 1)))
  }

  /// Closes all open arrays and objects at the end of the text, with one finding.
  private mutating func closeAll() {
    guard let innermost = stack.last else { return }
    if hasLostBrackets { expectsConsequence = true }
    reportSyntaxError(
      "the file ends before the \(innermost.noun) is closed", bytes.count..<bytes.count,
      notes: [beginning(of: innermost)])
    while !stack.isEmpty { pop(end: bytes.count) }
  }
}

extension JSONReader {
  /// Reports a syntax error, unless it follows from the previous one. A fix replaces `part`, or all
  /// of `range`.
  mutating func reportSyntaxError(
    _ message: String, _ range: Range<Int>, notes: [Note] = [], replacement: String? = nil,
    of part: Range<Int>? = nil
  ) {
    isWellFormed = false
    if expectsConsequence {
      expectsConsequence = false
      return
    }
    syntaxErrorCount += 1
    report(.syntax, message, range, notes: notes, replacement: replacement, of: part)
  }

  /// Warns of a character that JSON5 allows and Foundation's parser rejects, unless there were many
  /// such warnings.
  mutating func warnOfJSON5(_ subject: String, _ range: Range<Int>, replacement: String) {
    guard json5Warnings < 20 else { return }
    json5Warnings += 1
    report(
      .notPlainJSON, severity: .warning,
      "\(subject) is valid JSON5, but Apple's JSON reader rejects it", range,
      replacement: replacement)
  }

  /// Adds a finding, up to a maximum.
  private mutating func report(
    _ rule: Rule, severity: Severity? = nil, _ message: String, _ range: Range<Int>,
    notes: [Note] = [], replacement: String? = nil, of part: Range<Int>? = nil
  ) {
    guard findings.count < [Finding].limit else { return }
    findings.append(
      Finding(
        rule, severity: severity, message, at: SourceLocation(source, range), notes: notes,
        fix: replacement.map { Fix(SourceLocation(source, part ?? range), $0) }))
  }

  /// Whether the text is small enough and UTF-8; skips a byte order mark.
  private mutating func checkEncoding() -> Bool {
    if bytes.count > limit {
      return refuse(
        "the file is too large: \(counted(bytes.count, "byte")),"
          + " and the limit is \(grouped(limit))", .manifestTooLarge)
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      position = 3
      isStrict = false
    }
    if bytes.count > 1, bytes.allSatisfy({ $0 == 0 }) {
      return refuse("the file contains only zero bytes; it was damaged, so restore it")
    }
    if let kind = fileKind(beginning: bytes) { return refuse("this is \(kind), not JSON") }
    let text = bytes.dropFirst(position).drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    let other = ["<plist": "a property list", "<?xml": "XML", "<!": "XML", "---": "YAML"]
      .first { text.starts(with: $0.key.utf8) }?.value
    if let other { return refuse("this is \(other), not JSON") }
    let start = bytes.prefix(4)
    if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF])
      || start.count >= 2 && start.contains(0)
    {
      return refuse("the file is UTF-16 or UTF-32; save it as UTF-8", .invalidUTF8)
    }
    for range in invalidUTF8(in: bytes, limit: 10) {
      isWellFormed = false
      report(
        .invalidUTF8,
        "'\(printable(bytes[range].prefix(8)))' is not UTF-8; save the file as UTF-8", range)
    }
    return true
  }

  private mutating func refuse(_ message: String, _ rule: Rule = .syntax) -> Bool {
    isWellFormed = false
    report(rule, message, 0..<0)
    return false
  }

  /// Reports each key that occurs earlier in the same object. Keys are compared by code points:
  /// Swift's `==` would treat an NFC key and an NFD key as equal.
  private mutating func reportDuplicates(_ members: [JSONMember]) {
    guard members.count > 1 else { return }
    var first: [[UInt8]: Int] = [:]
    for (index, member) in members.enumerated() where !member.keyRange.isEmpty {
      // Short objects, the common case, are compared directly.
      let earlier: Int?
      if members.count <= 8 {
        earlier = members[..<index].firstIndex { $0.key.utf8.elementsEqual(member.key.utf8) }
      } else {
        let key = Array(member.key.utf8)
        earlier = first[key]
        if earlier == nil { first[key] = index }
      }
      guard let earlier, !members[earlier].keyRange.isEmpty else { continue }
      report(
        .duplicateKey, "duplicate key '\(printable(member.key.utf8))'", member.keyRange,
        notes: [Note("first used here", at: SourceLocation(source, members[earlier].keyRange))])
    }
  }

  /// The character at the position, for messages: `'x'`, `U+200B`.
  func describeCurrent() -> String {
    guard let (scalar, _) = decodeScalar(bytes, at: position) else {
      return current.map { "byte \(hexadecimal([$0], uppercase: true))" } ?? "the end of the file"
    }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .unassigned,
      .privateUse:
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    default:
      return "'\(scalar)'"
    }
  }

  /// The bytes of the token at the position: a word, or one character.
  func tokenRange() -> Range<Int> {
    let word = wordEnd(from: position)
    if word > position { return position..<word }
    let length = decodeScalar(bytes, at: position)?.length ?? 1
    return position..<min(position + length, bytes.count)
  }
}
