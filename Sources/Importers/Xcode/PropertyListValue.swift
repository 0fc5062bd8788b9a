import BAPackCore

/// A value in a property list, with its range in the text.
package struct PropertyListValue: Sendable {
  /// The content of the value.
  package let content: Content
  /// The range in the text, including a string's quotes or tags.
  package let range: Range<Int>

  /// The kinds of values.
  package enum Content: Sendable {
    case string(String)
    /// A number as written: decimal digits, optionally with a sign, a fraction and an exponent.
    case number(String)
    case boolean(Bool)
    /// A date or data, which no key used here has.
    case other(String)
    case array([PropertyListValue])
    case dictionary([Member])
  }

  /// A key with its value.
  package struct Member: Sendable {
    package let key: String
    /// The range of the key.
    package let keyRange: Range<Int>
    package let value: PropertyListValue
  }

  init(_ content: Content, _ range: Range<Int>) {
    self.content = content
    self.range = range
  }

  /// The text of a string; nil for other types.
  package var string: String? {
    if case .string(let text) = content { text } else { nil }
  }

  /// The elements of an array; nil for other types.
  package var array: [PropertyListValue]? {
    if case .array(let elements) = content { elements } else { nil }
  }

  /// The members of a dictionary in the order written; nil for other types.
  package var dictionary: [Member]? {
    if case .dictionary(let members) = content { members } else { nil }
  }

  /// A non-negative integer; nil for other types.
  package var size: UInt64? {
    if case .number(let text) = content { UInt64(text) } else { nil }
  }

  /// The value of the first member with `key`; nil if there is none, and for other types.
  package subscript(key: String) -> PropertyListValue? {
    dictionary?.first { $0.key == key }?.value
  }

  /// The type, for messages: `a string`, `a dictionary`.
  package var kindName: String {
    switch content {
    case .string: "a string"
    case .number: "a number"
    case .boolean: "a boolean"
    case .other(let kind): kind
    case .array: "an array"
    case .dictionary: "a dictionary"
    }
  }
}

/// Limits for property lists, to protect against damaged and malicious ones.
package enum PropertyListLimits {
  /// The maximum size in bytes. Projects of large apps have about 20 MB.
  package static let size = 1 << 28
  /// The maximum depth of nested arrays and dictionaries.
  static let depth = 128
}

/// The arrays and dictionaries being read, outermost first.
struct PropertyListStack {
  private struct Frame {
    let start: Int
    let isDictionary: Bool
    var key: (name: String, range: Range<Int>)?
    var elements: [PropertyListValue] = []
    var members: [PropertyListValue.Member] = []
  }

  private var frames: [Frame] = []
  /// The outermost value, once it is complete.
  private(set) var root: PropertyListValue?

  /// Whether an array or a dictionary is open.
  var isOpen: Bool { !frames.isEmpty }
  /// Whether the innermost value is a dictionary; nil if none is open.
  var isInDictionary: Bool? { frames.last?.isDictionary }
  /// The start of the innermost value.
  var start: Int? { frames.last?.start }
  /// Whether the innermost value is a dictionary that expects a key.
  var expectsKey: Bool { frames.last.map { $0.isDictionary && $0.key == nil } ?? false }

  /// Opens a value at `start`; false if the depth limit is exceeded.
  mutating func open(isDictionary: Bool, at start: Int) -> Bool {
    frames.append(Frame(start: start, isDictionary: isDictionary))
    return frames.count <= PropertyListLimits.depth
  }

  mutating func setKey(_ name: String, _ range: Range<Int>) {
    guard !frames.isEmpty else { return }
    frames[frames.count - 1].key = (name, range)
  }

  /// Adds a value to the innermost array or dictionary, or makes it the root.
  mutating func add(_ value: PropertyListValue) {
    guard let last = frames.indices.last else {
      root = value
      return
    }
    if let key = frames[last].key {
      frames[last].members.append(
        PropertyListValue.Member(key: key.name, keyRange: key.range, value: value))
      frames[last].key = nil
    } else {
      frames[last].elements.append(value)
    }
  }

  /// Closes the innermost value, which ends at `end`.
  mutating func close(at end: Int) {
    guard let frame = frames.popLast() else { return }
    let content: PropertyListValue.Content =
      frame.isDictionary ? .dictionary(frame.members) : .array(frame.elements)
    add(PropertyListValue(content, frame.start..<end))
  }
}
