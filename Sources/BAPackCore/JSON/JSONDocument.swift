/// A JSON5 text that has been read: its tree, whether it was plain JSON all along, and what is wrong
/// with it.
public struct JSONDocument: Sendable {
  /// The text.
  public let source: SourceText
  /// The value of the text. With syntax findings it is what could be made out, where values that
  /// could not are `null` with an empty range; nil where there is nothing.
  public let root: JSONValue?
  /// Whether the text is JSON as RFC 8259 has it, without any of JSON5's freedoms.
  public let isStrict: Bool
  /// Whether the text keeps the grammar, so that the tree is what its author meant.
  public let isWhole: Bool
  /// Breaches of the grammar and keys that stand twice in an object, in the order of the text.
  public let findings: [Finding]

  /// The largest text that is read, in bytes.
  public static let maximumSize = 16 << 20
  /// How many lists and objects may stand inside one another; Foundation's limit too.
  public static let maximumDepth = 512

  /// How many values are read: each takes much more memory than its text.
  public static let maximumValues = 1 << 20

  /// Reads a text in UTF-8. It is held against <https://spec.json5.org>; after a breach the reader
  /// goes on where it can, and gives up after 20.
  public init(reading source: SourceText) {
    var reader = JSONReader(source)
    let root = reader.read()
    self.source = source
    self.root = root
    isStrict = reader.isStrict && reader.isWhole
    isWhole = reader.isWhole
    findings = reader.findings.sorted {
      ($0.location?.range.lowerBound ?? 0) < ($1.location?.range.lowerBound ?? 0)
    }
  }

  /// The place of `range` in the text.
  public func location(_ range: Range<Int>) -> SourceLocation { SourceLocation(source, range) }
}
