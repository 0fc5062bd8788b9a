/// Base64 (RFC 4648).
package enum Base64 {
  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// The URL-safe alphabet without padding, as in tokens.
  package static func urlEncode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var word: UInt32 = 0
      for byte in group { word = word << 8 | UInt32(byte) }
      word <<= UInt32(8 * (3 - group.count))
      for index in 0...group.count {
        text.append(letters[Int(word >> UInt32(18 - 6 * index)) & 63])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The standard alphabet with padding.
  package static func encode(_ bytes: [UInt8]) -> String {
    let text = urlEncode(bytes).replacing("-", with: "+").replacing("_", with: "/")
    return text + String(repeating: "=", count: (3 - bytes.count % 3) % 3)
  }

  /// The bytes of a text in either alphabet, with or without padding and line breaks; nil if it is
  /// invalid.
  package static func decode(_ text: [UInt8]) -> [UInt8]? {
    var bytes: [UInt8] = []
    var word: UInt32 = 0
    var bits = 0
    for letter in text where letter > 0x20 && letter != UInt8(ascii: "=") {
      let plain: UInt8 =
        switch letter {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        default: letter
        }
      guard let digit = letters.firstIndex(of: plain) else { return nil }
      word = word << 6 | UInt32(digit)
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(bits)))
      }
    }
    return bytes
  }
}

/// `text` with every byte percent-encoded except letters, digits and `-._~`.
package func percentEncoded(_ text: String) -> String { percentEncoded(text.utf8, keeping: "") }

/// `bytes` percent-encoded, except letters, digits, `-._~` and those in `others`.
package func percentEncoded(_ bytes: some Sequence<UInt8>, keeping others: String) -> String {
  bytes.map { byte in
    ASCII.isUnreserved(byte) || others.utf8.contains(byte)
      ? String(decoding: [byte], as: UTF8.self) : "%" + hexadecimal([byte], uppercase: true)
  }.joined()
}

/// `text` for XML 1.0 and HTML: special characters are escaped, and invalid ones replaced.
package func escapedXML(_ text: String) -> String {
  var escaped = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "&": escaped += "&amp;"
    case "<": escaped += "&lt;"
    case ">": escaped += "&gt;"
    case "\"": escaped += "&quot;"
    case "\n", "\t": escaped.unicodeScalars.append(scalar)
    case "\0"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
    default: escaped.unicodeScalars.append(scalar)
    }
  }
  return escaped
}
