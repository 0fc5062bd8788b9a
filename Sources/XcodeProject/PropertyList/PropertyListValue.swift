import BAPackCore

/// A value of a property list, with the bytes that it was read from.
package struct PropertyListValue: Sendable {
  /// What the value is.
  package let content: Content
  /// The bytes of the text that it was read from: a string's with its quotes or tags.
  package let range: Range<Int>

  /// The kinds of values.
  package enum Content: Sendable {
    case string(String)
    /// A number as written: decimal digits, perhaps with a sign, a fraction and an exponent.
    case number(String)
    case boolean(Bool)
    /// A date or data, neither of which any key here has.
    case other(String)
    case array([PropertyListValue])
    case dictionary([Member])
  }

  /// A key with its value.
  package struct Member: Sendable {
    package let key: String
    /// The bytes of the key.
    package let keyRange: Range<Int>
    package let value: PropertyListValue
  }

  init(_ content: Content, _ range: Range<Int>) {
    self.content = content
    self.range = range
  }

  /// The text of a string; nil for other kinds.
  package var string: String? {
    if case .string(let text) = content { text } else { nil }
  }

  /// The elements of an array; nil for other kinds.
  package var array: [PropertyListValue]? {
    if case .array(let elements) = content { elements } else { nil }
  }

  /// The members of a dictionary in the order written; nil for other kinds.
  package var dictionary: [Member]? {
    if case .dictionary(let members) = content { members } else { nil }
  }

  /// A whole number that is not negative; nil for other kinds.
  package var size: UInt64? {
    if case .number(let text) = content { UInt64(text) } else { nil }
  }

  /// The value of the first member with `key`; nil where there is none, and for other kinds.
  package subscript(key: String) -> PropertyListValue? {
    dictionary?.first { $0.key == key }?.value
  }

  /// What the value is, for messages: `a string`, `a dictionary`.
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

/// The limits on property lists, so that a damaged or hostile one can't exhaust the machine.
package enum PropertyListLimits {
  /// The most bytes that are read. Projects of large apps have some 20 MB.
  package static let size = 1 << 28
  /// How deep arrays and dictionaries may be nested.
  static let depth = 128
}

/// Arrays and dictionaries that are being read, from the outermost on.
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
  /// Whether the innermost is a dictionary; nil where none is open.
  var isInDictionary: Bool? { frames.last?.isDictionary }
  /// Where the innermost begins.
  var start: Int? { frames.last?.start }
  /// Whether a dictionary is open that waits for a key, not a value.
  var expectsKey: Bool { frames.last.map { $0.isDictionary && $0.key == nil } ?? false }

  /// Opens a value at `start`; false where that is too deep.
  mutating func open(isDictionary: Bool, at start: Int) -> Bool {
    frames.append(Frame(start: start, isDictionary: isDictionary))
    return frames.count <= PropertyListLimits.depth
  }

  mutating func setKey(_ name: String, _ range: Range<Int>) {
    guard !frames.isEmpty else { return }
    frames[frames.count - 1].key = (name, range)
  }

  /// Puts a value where it belongs.
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
