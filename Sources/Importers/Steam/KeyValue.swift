import BAPackCore

/// A key of a KeyValues text (Valve's `.vdf`) with its value.
package struct KeyValue: Sendable {
  /// The key as written; Steam ignores its case.
  package let key: Located<[UInt8]>
  /// A string or a block of keys.
  package let value: Value

  /// The value of a key.
  package enum Value: Sendable {
    /// A string, quoted or bare.
    case text(Located<[UInt8]>)
    /// Keys in braces, in the order written, possibly with duplicates.
    case block([KeyValue])
  }

  /// Whether the key is `name`, ignoring the case of ASCII letters.
  package func isNamed(_ name: String) -> Bool {
    key.value.count == name.utf8.count
      && zip(key.value, name.utf8).allSatisfy { ASCII.lowercased($0) == ASCII.lowercased($1) }
  }

  /// The string; nil for a block.
  package var text: Located<[UInt8]>? {
    if case .text(let text) = value { text } else { nil }
  }

  /// The keys of a block; nil for a string.
  package var block: [KeyValue]? {
    if case .block(let members) = value { members } else { nil }
  }
}
