/// A parsed JSON5 text: its tree, whether it is plain JSON, and its problems.
package struct JSONDocument: Sendable {
  package let source: SourceText
  /// The value of the text. After syntax errors it is what could be recovered, with `null` of an
  /// empty range for unreadable values; nil if there is nothing.
  package let root: JSONValue?
  /// Whether the text is JSON as in RFC 8259, without JSON5's extensions.
  package let isStrict: Bool
  /// Whether the text has no syntax errors, so the tree is complete.
  package let isWellFormed: Bool
  /// Syntax errors and duplicate keys, in the order of the text.
  package let findings: [Finding]

  package static let maximumSize = 16 << 20
  /// The maximum depth of nested lists and objects; Foundation has the same limit.
  package static let maximumDepth = 512

  /// Parses a text in UTF-8 according to <https://spec.json5.org>. The parser recovers from syntax
  /// errors, and stops after 20. It reads at most `limit` bytes and a value for every 16 of them, as
  /// values take much more memory than their text.
  package init(reading source: SourceText, limit: Int = maximumSize) {
    var reader = JSONReader(source, limit: limit)
    let root = reader.read()
    self.source = source
    self.root = root
    isStrict = reader.isStrict && reader.isWellFormed
    isWellFormed = reader.isWellFormed
    findings = reader.findings.sorted {
      ($0.location?.range.lowerBound ?? 0) < ($1.location?.range.lowerBound ?? 0)
    }
  }

  package func location(_ range: Range<Int>) -> SourceLocation { SourceLocation(source, range) }
}
