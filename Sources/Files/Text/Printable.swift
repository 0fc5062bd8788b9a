/// `bytes` as text that is safe to print: control characters and bytes that are not UTF-8 become
/// escapes (`\n`, `\u{7F}`, `\xFF`), so that a name can neither move the cursor nor hide in a log.
package func printable(_ bytes: some Collection<UInt8>) -> String {
  var text = ""
  var parser = Unicode.UTF8.ForwardParser()
  var iterator = bytes.makeIterator()
  var position = bytes.startIndex
  while true {
    switch parser.parseScalar(from: &iterator) {
    case .valid(let encoded):
      position = bytes.index(position, offsetBy: encoded.count)
      appendPrintable(Unicode.UTF8.decode(encoded), to: &text)
    case .error(let length):
      let end = bytes.index(position, offsetBy: length)
      for byte in bytes[position..<end] { text += "\\x" + hexadecimal([byte], uppercase: true) }
      position = end
    case .emptyInput:
      return text
    }
  }
}

private func appendPrintable(_ scalar: Unicode.Scalar, to text: inout String) {
  switch scalar {
  case "\n": text += "\\n"
  case "\r": text += "\\r"
  case "\t": text += "\\t"
  case "\\": text += "\\\\"
  default:
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator:
      text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    default:
      text.unicodeScalars.append(scalar)
    }
  }
}

/// Two hexadecimal digits for each byte.
package func hexadecimal(_ bytes: some Sequence<UInt8>, uppercase: Bool = false) -> String {
  var text = ""
  for byte in bytes {
    if byte < 16 { text += "0" }
    text += String(byte, radix: 16, uppercase: uppercase)
  }
  return text
}

/// The bytes written as pairs of hexadecimal digits; nil for any other text.
package func decodedHexadecimal(_ text: String) -> [UInt8]? {
  let digits = Array(text.utf8)
  guard digits.count.isMultiple(of: 2) else { return nil }
  var bytes: [UInt8] = []
  for index in stride(from: 0, to: digits.count, by: 2) {
    guard let high = ASCII.hexadecimalValue(digits[index]),
      let low = ASCII.hexadecimalValue(digits[index + 1])
    else { return nil }
    bytes.append(high << 4 | low)
  }
  return bytes
}
