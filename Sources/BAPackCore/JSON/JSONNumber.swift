/// A number as a JSON5 text has it. Its text is kept, so that no digit is lost on the way into
/// another text.
public struct JSONNumber: Hashable, Sendable {
  /// The number as written: `1e3`, `0x1F`, `+.5`, `-Infinity`.
  public let text: String

  /// A number that is written as `text`, which must keep the grammar of JSON5.
  package init(text: String) { self.text = text }

  /// A whole number.
  public init(_ value: some BinaryInteger) { text = String(value) }

  /// The number in plain JSON: its own text where that is plain JSON, otherwise the same value in
  /// decimal digits; nil for `Infinity` and `NaN`, which plain JSON cannot say.
  public var plainText: String? {
    let isNegative = text.hasPrefix("-")
    let sign = isNegative ? "-" : ""
    let digits = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
    if digits.hasPrefix("0x") || digits.hasPrefix("0X") {
      guard let value = UInt64(digits.dropFirst(2), radix: 16) else { return nil }
      return sign + String(value)
    }
    if digits == "Infinity" || digits == "NaN" { return nil }
    guard let dot = digits.firstIndex(of: ".") else { return sign + digits }
    let whole = digits[..<dot]
    let rest = digits[digits.index(after: dot)...]
    let hasFraction = rest.first?.isNumber ?? false
    return sign + (whole.isEmpty ? "0" : whole) + (hasFraction ? "." : "") + rest
  }

  /// The value of a whole number written without fraction and exponent, where `Int` holds it.
  public var integer: Int? { plainText.flatMap { Int($0) } }
}
