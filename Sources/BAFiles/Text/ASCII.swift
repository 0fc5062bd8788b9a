/// ASCII characters as bytes, for text that is defined in bytes: paths, URLs, manifests.
package enum ASCII {
  // Literals, since other modules would call a function for anything else.
  /// `/`
  @inlinable package static var slash: UInt8 { 0x2F }
  /// `\`
  @inlinable package static var backslash: UInt8 { 0x5C }
  /// `.`
  @inlinable package static var dot: UInt8 { 0x2E }

  @inlinable package static func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0") <= byte && byte <= UInt8(ascii: "9")
  }

  /// Whether `byte` is `a` to `z` or `A` to `Z`.
  package static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a") <= lowercased(byte) && lowercased(byte) <= UInt8(ascii: "z")
  }

  /// Whether `byte` needs no escape in a URL: a letter, a digit or one of `-._~`.
  package static func isUnreserved(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || "-._~".utf8.contains(byte)
  }

  /// `bytes` without spaces and control characters around them.
  package static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isWord: (UInt8) -> Bool = { $0 > UInt8(ascii: " ") }
    guard let first = bytes.firstIndex(where: isWord), let last = bytes.lastIndex(where: isWord)
    else { return [] }
    return bytes[first...last]
  }

  /// The value of a hexadecimal digit, in either case; nil for any other byte.
  package static func hexadecimalValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// A letter in lower case; every other byte unchanged.
  @inlinable package static func lowercased(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A") <= byte && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }
}
