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

/// At most `count` of `bytes` as text that is safe to print, for what may have any length.
package func brief(_ bytes: some Collection<UInt8>, _ count: Int = 100) -> String {
  printable(bytes.prefix(count)) + (bytes.count > count ? "…" : "")
}

private func appendPrintable(_ scalar: Unicode.Scalar, to text: inout String) {
  switch scalar {
  case "\n": text += "\\n"
  case "\r": text += "\\r"
  case "\t": text += "\\t"
  case "\\": text += "\\\\"
  case _ where scalar.isUnprintable: text += scalar.escape
  default: text.unicodeScalars.append(scalar)
  }
}

extension Unicode.Scalar {
  /// Whether it could steer a terminal, break a line, or reverse or hide what is next to it.
  var isUnprintable: Bool {
    if (0x20..<0x7F).contains(value) { return false }
    return switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  /// Whether it is unprintable even in output for programs. Joiners are not: they are part of emoji.
  package var canSteer: Bool { isUnprintable && self != "\u{200C}" && self != "\u{200D}" }

  /// The escape that is printed in its place: `\u{7F}`.
  fileprivate var escape: String { "\\u{\(String(value, radix: 16, uppercase: true))}" }
}

/// Whole lines as they are printed. Whatever is in them, nothing steers the terminal but the
/// program's own colors and progress; and in a log of GitHub Actions nothing is a workflow command:
/// `::` at the start of a line, after any spaces, or `##[` anywhere.
package func printableLines(_ text: String) -> [UInt8] {
  var text = text
  if text.unicodeScalars.contains(where: { $0.canSteer && !$0.isOwn }) {
    text = text.unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.canSteer && !scalar.isOwn {
        text += scalar.escape
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
  guard isGitHubLog else { return Array(text.utf8) }
  let number = "#" as Unicode.Scalar
  text = text.replacing("##[", with: "#\(number.escape)[")
  var lines: [UInt8] = []
  var isStart = true
  for (scalar, next) in zip(text.unicodeScalars, text.unicodeScalars.dropFirst() + ["\n"]) {
    let isCommand = isStart && scalar == ":" && next == ":"
    lines += (isCommand ? scalar.escape : String(scalar)).utf8
    isStart = scalar == "\n" || scalar == "\r" || isStart && scalar.properties.isWhitespace
  }
  return lines
}

private let isGitHubLog = !(ProcessContext.environment("GITHUB_ACTIONS") ?? []).isEmpty

extension Unicode.Scalar {
  /// Whether lines have it: ends of lines, tabs and colors.
  fileprivate var isOwn: Bool {
    switch self {
    case "\n", "\r", "\t", "\u{1B}": true
    default: false
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
  bytes.reserveCapacity(digits.count / 2)
  for index in stride(from: 0, to: digits.count, by: 2) {
    guard let high = ASCII.hexadecimalValue(digits[index]),
      let low = ASCII.hexadecimalValue(digits[index + 1])
    else { return nil }
    bytes.append(high << 4 | low)
  }
  return bytes
}
