import BAPackCore

/// A key of a KeyValues text (Valve's `.vdf`) with what it stands for.
public struct KeyValue: Sendable {
  /// The key, with its case as written; Steam compares keys without regard to it.
  public let key: Located<[UInt8]>
  /// A text or a block of more keys.
  public let value: Value

  /// What a key stands for.
  public enum Value: Sendable {
    /// A text, quoted or bare.
    case text(Located<[UInt8]>)
    /// Keys between braces, in the order written; a key may stand any number of times.
    case block([KeyValue])
  }

  /// Whether the key is `name`, without regard to the case of ASCII letters.
  public func isNamed(_ name: String) -> Bool {
    key.value.count == name.utf8.count
      && zip(key.value, name.utf8).allSatisfy { ASCII.lowercased($0) == ASCII.lowercased($1) }
  }

  /// The text; nil of a block.
  public var text: Located<[UInt8]>? {
    if case .text(let text) = value { text } else { nil }
  }

  /// The keys of a block; nil of a text.
  public var block: [KeyValue]? {
    if case .block(let members) = value { members } else { nil }
  }
}
