import BAPackCore

/// Parses a KeyValues text, the syntax of Steam's build scripts, into keys with their locations.
/// Any input results in keys or findings.
package struct KeyValuesReader {
  /// The maximum size of a text in bytes. Depot scripts have a few thousand.
  package static let sizeLimit = 1 << 20
  /// The maximum depth of nested blocks. Depot scripts have four levels.
  package static let depthLimit = 32
  /// The maximum number of errors.
  static let errorLimit = 100

  private let source: SourceText
  private var lexer: KeyValuesLexer
  private var findings: [Finding] = []
  /// The open blocks, outermost first; the first one is the text itself.
  private var open: [OpenBlock] = [OpenBlock(key: nil)]

  private struct OpenBlock {
    let key: Located<[UInt8]>?
    var members: [KeyValue] = []
  }

  /// The keys in `source`, which are complete if the findings contain no errors.
  ///
  /// Backslashes are literal, as in Steam; a text that is only valid with escapes is parsed with
  /// escapes, with a warning.
  package static func read(_ source: SourceText) -> (keys: [KeyValue], findings: [Finding]) {
    if let refusal = refusal(of: source) { return ([], [refusal]) }
    var plain = KeyValuesReader(source, .literal)
    plain.readAll()
    guard !plain.findings.isEmpty, let slash = source.bytes.firstIndex(of: ASCII.backslash)
    else { return (plain.open[0].members, plain.findings) }
    var escaped = KeyValuesReader(source, .escapes)
    escaped.readAll()
    guard escaped.findings.isEmpty else { return (plain.open[0].members, plain.findings) }
    let warning = Finding(
      .depotEscapes,
      "the script is read with escapes such as '\\\"', because its quotes don't match otherwise; "
        + "Steam's own scripts have none",
      at: SourceLocation(source, slash..<slash + 1))
    return (escaped.open[0].members, [warning])
  }

  private static func refusal(of source: SourceText) -> Finding? {
    let start = SourceLocation(source, 0..<0)
    if source.bytes.count > sizeLimit {
      return Finding(
        .depotSyntax,
        "the script is too large: \(counted(source.bytes.count, "byte")), and the limit is "
          + "\(grouped(sizeLimit))", at: start)
    }
    if source.bytes.starts(with: [0xFF, 0xFE]) || source.bytes.starts(with: [0xFE, 0xFF]) {
      return Finding(.depotSyntax, "the script is UTF-16; save it as UTF-8", at: start)
    }
    if let zero = source.bytes.firstIndex(of: 0) {
      return Finding(
        .depotSyntax, "the script contains a NUL byte; it must be UTF-8 text",
        at: SourceLocation(source, zero..<zero + 1))
    }
    return nil
  }

  private init(_ source: SourceText, _ backslashes: KeyValuesLexer.Backslashes) {
    self.source = source
    lexer = KeyValuesLexer(source, backslashes)
  }

  private mutating func readAll() {
    while !isGivenUp {
      switch lexer.next() {
      case .text(let key, let quoted): readValue(of: key, quoted: quoted)
      case .close(let range): close(range)
      case .open(let range):
        report("missing key before '{'", range)
        skipBlock()
      case .conditional(let range): reportConditional(range)
      case .end:
        finish()
        return
      }
    }
    finish()
  }
}

extension KeyValuesReader {
  /// Whether the text has too many errors.
  private var isGivenUp: Bool { findings.count + lexer.findings.count > Self.errorLimit }

  private mutating func readValue(of key: Located<[UInt8]>, quoted: Bool) {
    if key.value.first == UInt8(ascii: "#") {
      return skipDirective(key)
    }
    var token = lexer.next()
    while case .conditional(let range) = token, !isGivenUp {
      reportConditional(range)
      token = lexer.next()
    }
    switch token {
    case .text(let value, _):
      append(KeyValue(key: key, value: .text(value)))
    case .open(let range):
      guard open.count <= Self.depthLimit else {
        report("blocks are nested more than \(Self.depthLimit) levels deep", range)
        return skipBlock()
      }
      open.append(OpenBlock(key: key))
    case .close(let range):
      reportNoValue(key)
      close(range)
    case .conditional, .end:
      reportNoValue(key)
    }
  }

  /// Skips `#include` and `#base`: the other file isn't read.
  private mutating func skipDirective(_ key: Located<[UInt8]>) {
    findings.append(
      Finding(
        .depotInclude,
        "'\(printable(key.value))' is not supported; copy the contents of the other file into this "
          + "one",
        at: key.location))
    let before = lexer
    if case .text = lexer.next() { return }
    lexer = before
  }

  /// Skips the rest of a block whose brace has been read.
  private mutating func skipBlock() {
    var depth = 1
    while depth > 0 {
      switch lexer.next() {
      case .open: depth += 1
      case .close: depth -= 1
      case .end: return
      case .text, .conditional: continue
      }
    }
  }

  private mutating func append(_ member: KeyValue) {
    open[open.count - 1].members.append(member)
  }

  private mutating func close(_ range: Range<Int>) {
    guard open.count > 1, let block = open.popLast(), let key = block.key else {
      return report("unmatched '}'", range)
    }
    append(KeyValue(key: key, value: .block(block.members)))
  }

  private mutating func finish() {
    while open.count > 1, let block = open.popLast(), let key = block.key {
      report("the block of '\(printable(key.value))' is not closed", key.location.range)
      append(KeyValue(key: key, value: .block(block.members)))
    }
    findings.append(contentsOf: lexer.findings)
    findings.sort { left, right in
      (left.location?.range.lowerBound ?? 0) < (right.location?.range.lowerBound ?? 0)
    }
  }

  private mutating func reportNoValue(_ key: Located<[UInt8]>) {
    report("the key '\(printable(key.value))' has no value", key.location.range)
  }

  private mutating func reportConditional(_ range: Range<Int>) {
    findings.append(
      Finding(
        .depotConditional,
        "the condition '\(printable(source.bytes[range]))' is not supported; keep the lines that "
          + "apply, and remove the condition", at: SourceLocation(source, range)))
  }

  private mutating func report(_ message: String, _ range: Range<Int>) {
    findings.append(Finding(.depotSyntax, message, at: SourceLocation(source, range)))
  }
}
