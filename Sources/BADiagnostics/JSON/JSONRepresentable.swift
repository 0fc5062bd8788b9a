package protocol JSONRepresentable {
  var json: JSONValue { get }

  /// The members of an object in which the value has this key.
  func members(forKey key: String) -> [JSONMember]
}

extension JSONRepresentable {
  package func members(forKey key: String) -> [JSONMember] { [JSONMember(key, json)] }
}

extension JSONValue {
  /// An object with these members in the order given; keys without a value are omitted.
  package static func object(
    _ members: KeyValuePairs<String, (any JSONRepresentable)?>
  ) -> JSONValue {
    JSONValue(.object(members.flatMap { $1?.members(forKey: $0) ?? [] }))
  }
}

extension JSONValue: JSONRepresentable {
  package var json: JSONValue { self }
}

extension String: JSONRepresentable {
  package var json: JSONValue { JSONValue(self) }
}

extension Bool: JSONRepresentable {
  package var json: JSONValue { JSONValue(.bool(self)) }
}

extension Int: JSONRepresentable {
  package var json: JSONValue { JSONValue(self) }
}

extension UInt64: JSONRepresentable {
  package var json: JSONValue { JSONValue(self) }
}

extension Array: JSONRepresentable where Element: JSONRepresentable {
  package var json: JSONValue { JSONValue(.array(map(\.json))) }
}

/// A path or name in any encoding. If it is UTF-8, it is a string; otherwise invalid bytes are
/// escaped in the string, and a second member, `keyHex`, has all bytes in hexadecimal.
package struct JSONName: JSONRepresentable {
  private let bytes: [UInt8]

  package init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  package var json: JSONValue {
    JSONValue(String(validating: bytes, as: UTF8.self) ?? printable(bytes))
  }

  package func members(forKey key: String) -> [JSONMember] {
    let name = [JSONMember(key, json)]
    guard String(validating: bytes, as: UTF8.self) == nil else { return name }
    return name + [JSONMember(key + "Hex", JSONValue(hexadecimal(bytes)))]
  }
}

extension BytePath {
  /// The path for programs; `<stdin>` for `-`.
  package var jsonName: JSONName { JSONName(isStandardStream ? Array("<stdin>".utf8) : bytes) }
}
