import BAPackCore

/// A key of a KeyValues text (Valve's `.vdf`) with its value.
package struct KeyValue: Sendable {
  /// The key as written; Steam ignores its case.
  package let key: Located<[UInt8]>
  package let value: Value

  package enum Value: Sendable {
    case text(Located<[UInt8]>)
    /// Keys in braces, in the order written, possibly with duplicates.
    case block([KeyValue])
  }

  /// Whether the key is `name`, ignoring the case of ASCII letters.
  package func isNamed(_ name: String) -> Bool {
    key.value.count == name.utf8.count
      && zip(key.value, name.utf8).allSatisfy { ASCII.lowercased($0) == ASCII.lowercased($1) }
  }

  package var text: Located<[UInt8]>? {
    if case .text(let text) = value { text } else { nil }
  }

  package var block: [KeyValue]? {
    if case .block(let members) = value { members } else { nil }
  }
}

/// Parses a KeyValues text, the syntax of Steam's build scripts, into keys with their locations.
/// Any input results in keys or findings.
///
/// As in Valve's KeyValues.h, whitespace and `//` comments separate tokens; a quoted token ends at
/// the next quote, a bare one at whitespace, a brace or a quote.
package struct KeyValuesReader {
  /// The maximum size of a text in bytes. Depot scripts have a few thousand.
  package static let sizeLimit = 1 << 20
  /// The maximum depth of nested blocks. Depot scripts have four levels.
  package static let depthLimit = 32
  private static let errorLimit = 100

  private enum Token {
    case text(Located<[UInt8]>)
    case open(Range<Int>)
    case close(Range<Int>)
    /// The end of the text, or too many errors.
    case end
  }

  private var cursor: TextCursor
  /// Whether a backslash in quotes begins an escape, `\\`, `\"`, `\n` or `\t`, as some generators of
  /// scripts write them. By default it is literal, as Steam's own examples require:
  /// `"ContentRoot" "..\content\"`.
  private let hasEscapes: Bool
  private var findings: [Finding] = []

  /// The keys in `source`, which are complete if the findings contain no errors.
  ///
  /// Backslashes are literal, as in Steam; a text that is only valid with escapes is parsed with
  /// escapes, with a warning.
  package static func read(_ source: SourceText) -> (keys: [KeyValue], findings: [Finding]) {
    if let refusal = refusal(of: source) { return ([], [refusal]) }
    let plain = read(source, hasEscapes: false)
    guard !plain.findings.isEmpty, let slash = source.bytes.firstIndex(of: ASCII.backslash)
    else { return plain }
    let escaped = read(source, hasEscapes: true)
    guard escaped.findings.isEmpty else { return plain }
    let warning = Finding(
      .depotEscapes,
      "the script is read with escapes such as '\\\"', because its quotes don't match otherwise; "
        + "Steam's own scripts have none",
      at: SourceLocation(source, slash..<slash + 1))
    return (escaped.keys, [warning])
  }

  private static func read(
    _ source: SourceText, hasEscapes: Bool
  ) -> (keys: [KeyValue], findings: [Finding]) {
    var reader = KeyValuesReader(cursor: TextCursor(source), hasEscapes: hasEscapes)
    let keys = reader.members(of: nil, depth: 0)
    return (keys, reader.findings.sortedByLocation())
  }

  private static func refusal(of source: SourceText) -> Finding? {
    var range = 0..<0
    let message: String
    if source.bytes.count > sizeLimit {
      message =
        "the script is too large: \(counted(source.bytes.count, "byte")), and the limit is "
        + grouped(sizeLimit)
    } else if source.bytes.starts(with: [0xFF, 0xFE]) || source.bytes.starts(with: [0xFE, 0xFF]) {
      message = "the script is UTF-16; save it as UTF-8"
    } else if let zero = source.bytes.firstIndex(of: 0) {
      message = "the script contains a NUL byte; it must be UTF-8 text"
      range = zero..<zero + 1
    } else {
      return nil
    }
    return Finding(.depotSyntax, message, at: SourceLocation(source, range))
  }

  // MARK: Keys

  /// The keys up to the brace that closes `block`, or up to the end of the text.
  private mutating func members(of block: Located<[UInt8]>?, depth: Int) -> [KeyValue] {
    var members: [KeyValue] = []
    while true {
      switch next() {
      case .text(let key):
        if key.value.first == UInt8(ascii: "#") {
          skipDirective(key)
        } else if let value = value(of: key, depth: depth) {
          members.append(KeyValue(key: key, value: value))
        }
      case .close(let range):
        if block != nil { return members }
        report("unmatched '}'", range)
      case .open(let range):
        report("missing key before '{'", range)
        skipBlock()
      case .end:
        if let block {
          report("the block of '\(printable(block.value))' is not closed", block.location.range)
        }
        return members
      }
    }
  }

  private var isGivenUp: Bool { findings.count > Self.errorLimit }

  private mutating func value(of key: Located<[UInt8]>, depth: Int) -> KeyValue.Value? {
    switch next() {
    case .text(let text): return .text(text)
    case .open(let range):
      if depth < Self.depthLimit { return .block(members(of: key, depth: depth + 1)) }
      report("blocks are nested more than \(Self.depthLimit) levels deep", range)
      skipBlock()
    case .close(let range):
      // It closes the block of the key.
      cursor.position = range.lowerBound
      fallthrough
    case .end: report("the key '\(printable(key.value))' has no value", key.location.range)
    }
    return nil
  }

  /// Skips `#include` and `#base`: the other file isn't read.
  private mutating func skipDirective(_ key: Located<[UInt8]>) {
    findings.report(
      .depotInclude,
      "'\(printable(key.value))' is not supported; copy the contents of the other file into this "
        + "one", at: key.location)
    switch next() {
    case .open(let range), .close(let range):
      cursor.position = range.lowerBound
    case .text, .end: break
    }
  }

  private mutating func skipBlock() {
    var depth = 1
    while depth > 0 {
      switch next() {
      case .open: depth += 1
      case .close: depth -= 1
      case .end: return
      case .text: continue
      }
    }
  }

  // MARK: Tokens

  /// The next token. A condition is reported and skipped.
  private mutating func next() -> Token {
    skipSpace()
    if isGivenUp { return .end }
    let start = cursor.position
    switch cursor.current {
    case nil: return .end
    case UInt8(ascii: "{"):
      cursor.position += 1
      return .open(start..<start + 1)
    case UInt8(ascii: "}"):
      cursor.position += 1
      return .close(start..<start + 1)
    case UInt8(ascii: "\""): return quoted()
    case UInt8(ascii: "["):
      _ = cursor.take { !isLineEnd($0) && $0 != UInt8(ascii: "]") }
      _ = cursor.skip("]")
      let range = start..<cursor.position
      findings.report(
        .depotConditional,
        "the condition '\(printable(cursor.source.bytes[range]))' is not supported; keep the lines "
          + "that apply, and remove the condition", at: cursor.location(range))
      return next()
    default:
      let text = cursor.take { !isSpace($0) && !"{}\"".utf8.contains($0) }
      guard start > 0, cursor.source.bytes[start - 1] == UInt8(ascii: "\"") else {
        return .text(located(Array(text), start..<cursor.position))
      }
      report("missing space after the closing quote", start..<cursor.position)
      // Ignored, so the next value isn't read as a key.
      return next()
    }
  }

  private mutating func skipSpace() {
    while true {
      _ = cursor.take(while: isSpace)
      let start = cursor.position
      if cursor.skip("//") {
        _ = cursor.take { !isLineEnd($0) }
      } else if cursor.skip("/*") {
        _ = cursor.skip(through: "*/")
        report("KeyValues has no '/* */' comments; use '//' on each line", start..<start + 2)
      } else {
        return
      }
    }
  }

  /// Reads a quoted token, which must end on its line: Steam allows line breaks, but no path or
  /// number in a depot script has one, and this reports a missing quote where it is missing.
  private mutating func quoted() -> Token {
    let opening = cursor.position
    var text: [UInt8] = []
    cursor.position += 1
    while let byte = cursor.current, !isLineEnd(byte) {
      cursor.position += 1
      if byte == UInt8(ascii: "\"") {
        return .text(located(text, opening + 1..<cursor.position - 1))
      }
      text.append(hasEscapes && byte == ASCII.backslash ? escape() : byte)
    }
    report("unterminated string; close it on this line", opening..<cursor.position)
    return .text(located(text, opening + 1..<cursor.position))
  }

  private mutating func escape() -> UInt8 {
    let start = cursor.position - 1
    guard let byte = cursor.current, !isLineEnd(byte) else { return ASCII.backslash }
    cursor.position += 1
    switch byte {
    case ASCII.backslash, UInt8(ascii: "\""): return byte
    case UInt8(ascii: "n"): return UInt8(ascii: "\n")
    case UInt8(ascii: "t"): return UInt8(ascii: "\t")
    default:
      report("'\\\(printable([byte]))' is not an escape sequence of KeyValues", start..<start + 2)
      return byte
    }
  }

  private func located(_ text: [UInt8], _ range: Range<Int>) -> Located<[UInt8]> {
    Located(text, at: cursor.location(range))
  }

  // MARK: Findings

  private mutating func report(_ message: String, _ range: Range<Int>) {
    // There may be any number of errors before a token.
    guard !isGivenUp else { return }
    findings.report(.depotSyntax, message, at: cursor.location(range))
  }
}

private func isLineEnd(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
}

/// All control characters are whitespace, as in Steam.
private func isSpace(_ byte: UInt8) -> Bool { byte <= UInt8(ascii: " ") }
