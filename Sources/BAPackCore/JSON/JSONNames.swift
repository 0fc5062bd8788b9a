extension JSONMember {
  /// `key` with a path or name that may be in any encoding. Where it is UTF-8 the value is just that;
  /// otherwise escapes stand for the bytes that are not, and a second member, `keyHex`, has all bytes
  /// in hexadecimal digits.
  package static func named(_ key: String, _ bytes: some Collection<UInt8>) -> [JSONMember] {
    if let text = String(validating: bytes, as: UTF8.self) {
      return [JSONMember(key, JSONValue(text))]
    }
    return [
      JSONMember(key, JSONValue(printable(bytes))),
      JSONMember(key + "Hex", JSONValue(hexadecimal(bytes))),
    ]
  }
}
