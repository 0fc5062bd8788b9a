/// The base of the URLs of packs in a download manifest.
package struct DownloadBaseURL: Sendable {
  /// The URL without trailing slashes.
  private let text: String
  /// Whether devices accept it without an exception in the app: its scheme is `https`.
  package let isSecure: Bool
  /// The host, without user and port.
  package let host: String

  /// Parses an absolute URL (RFC 3986): a scheme, `://`, a host and optionally a path. A query or a
  /// fragment is an error, because the identifier is appended.
  package init(_ bytes: some Collection<UInt8>) throws {
    let marks = ":/?#[]@!$&'()*+,;=%".utf8
    if let byte = bytes.first(where: { !ASCII.isUnreserved($0) && !marks.contains($0) }) {
      throw PackagingError(
        "'\(printable([byte]))' is not allowed in a URL; percent-encode it")
    }
    // All remaining bytes are ASCII.
    let text = String(decoding: bytes, as: UTF8.self)
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1)
    guard parts.count == 2, let first = parts[0].first, ASCII.isLetter(first),
      parts[0].allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) || "+-.".utf8.contains($0) }),
      parts[1].starts(with: "//".utf8)
    else { throw PackagingError("it must begin with a scheme such as 'https://'") }
    let host = parts[1].dropFirst(2).prefix { $0 != ASCII.slash }
    guard !host.isEmpty, !host.starts(with: ":".utf8) else {
      throw PackagingError("it has no host")
    }
    if let byte = bytes.first(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) {
      throw PackagingError(
        "it must end with a path, because the identifier of the pack is appended; "
          + "remove the part after '\(printable([byte]))'")
    }
    guard isPercentEncoded(Array(bytes)) else {
      throw PackagingError("two hexadecimal digits must follow each '%'")
    }
    self.host = Self.name(of: host)
    isSecure = parts[0].map(ASCII.lowercased).elementsEqual("https".utf8)
    self.text = String(text.reversed().drop { $0 == "/" }.reversed())
  }

  /// The host in `authority`, without the optional user and port.
  private static func name(of authority: some Collection<UInt8>) -> String {
    let name = Array(authority).split(separator: UInt8(ascii: "@")).last ?? []
    let isAddress = name.first == UInt8(ascii: "[")
    let end = isAddress ? UInt8(ascii: "]") : UInt8(ascii: ":")
    return String(decoding: name.prefix { $0 != end } + (isAddress ? [end] : []), as: UTF8.self)
  }

  /// The URL of the pack `identifier`: the base, a slash, and `identifier` with every byte
  /// percent-encoded except letters, digits and `-._~`. Nil for an empty identifier, `.` and `..`,
  /// which clients would resolve to another URL.
  package func url(of identifier: String) -> String? {
    let bytes = Array(identifier.utf8)
    if bytes.isEmpty || bytes == Array(".".utf8) || bytes == Array("..".utf8) { return nil }
    return text + "/" + percentEncoded(identifier)
  }
}

private func isPercentEncoded(_ bytes: [UInt8]) -> Bool {
  bytes.indices.allSatisfy { index in
    bytes[index] != UInt8(ascii: "%")
      || index + 2 < bytes.count && ASCII.hexadecimalValue(bytes[index + 1]) != nil
        && ASCII.hexadecimalValue(bytes[index + 2]) != nil
  }
}
