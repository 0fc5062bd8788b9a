/// A number in a JSON5 text. It keeps the text, so that no digit is lost when it is written.
package struct JSONNumber: Hashable, Sendable {
  /// The number as written: `1e3`, `0x1F`, `+.5`, `-Infinity`.
  package let text: String

  /// A number written as `text`, which must be a valid JSON5 number.
  package init(text: String) { self.text = text }

  package init(_ value: some BinaryInteger) { text = String(value) }

  /// The number in plain JSON: its text if that is plain JSON, otherwise the same value in decimal;
  /// nil for `Infinity` and `NaN`, which plain JSON can't represent.
  package var plainText: String? {
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

  /// The value of an integer written without fraction and exponent, if it fits in `Int`.
  package var integer: Int? { plainText.flatMap { Int($0) } }
}
