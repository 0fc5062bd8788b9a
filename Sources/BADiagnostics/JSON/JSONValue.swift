/// A value in a JSON5 text, with its range in the text.
package struct JSONValue: Sendable {
  package let content: Content
  /// The range of the value in the text: of a string with its quotes, of an object with its braces.
  package let range: Range<Int>

  package init(_ content: Content, range: Range<Int> = 0..<0) {
    self.content = content
    self.range = range
  }

  package enum Content: Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    /// A string, without quotes and escapes.
    case string(String)
    case array([JSONValue])
    /// An array of `Int` values, each created when it is written; only in values that aren't
    /// parsed.
    case rows(Int, @Sendable (Int) -> JSONValue)
    /// Keys and values in the order written; there may be duplicate keys.
    case object([JSONMember])
  }
}

/// A key of an object with its value.
package struct JSONMember: Sendable {
  package let key: String
  /// The range of the key in the text, with its quotes if it has any.
  package let keyRange: Range<Int>
  package let value: JSONValue

  /// A key read from `keyRange`, and its value.
  package init(_ key: String, keyRange: Range<Int> = 0..<0, _ value: JSONValue) {
    self.key = key
    self.keyRange = keyRange
    self.value = value
  }
}

extension JSONValue {
  package var string: String? {
    if case .string(let text) = content { text } else { nil }
  }

  package var object: [JSONMember]? {
    if case .object(let members) = content { members } else { nil }
  }

  package var array: [JSONValue]? {
    if case .array(let elements) = content { elements } else { nil }
  }

  /// An integer written without fraction and exponent, if it fits in `Int`; nil for anything else.
  package var integer: Int? {
    if case .number(let number) = content { number.integer } else { nil }
  }

  /// A non-negative integer; nil for anything else.
  package var count: UInt64? {
    if case .number(let number) = content { number.plainText.flatMap { UInt64($0) } } else { nil }
  }

  package var flag: Bool? {
    if case .bool(let flag) = content { flag } else { nil }
  }

  /// The value of the first member with `key`; nil if there is none, and for other types.
  package subscript(key: String) -> JSONValue? {
    object?.first { $0.key == key }?.value
  }

  /// The type, for messages: `a string`, `an object`, `null`.
  package var kindName: String {
    switch content {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array, .rows: "a list"
    case .object: "an object"
    }
  }
}

/// A number in a JSON5 text. It keeps the text, so no digit is lost when it is written.
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
  package var integer: Int? { Int(text) ?? plainText.flatMap { Int($0) } }
}
