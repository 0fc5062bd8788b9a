/// A number as a JSON5 text has it. Its text is kept, so that no digit is lost on the way into
/// another text.
public struct JSONNumber: Hashable, Sendable {
  /// The number as written: `1e3`, `0x1F`, `+.5`, `-Infinity`.
  public let text: String

  /// A number that is written as `text`, which must keep the grammar of JSON5.
  package init(text: String) { self.text = text }

  /// A whole number.
  public init(_ value: some BinaryInteger) { text = String(value) }
}
