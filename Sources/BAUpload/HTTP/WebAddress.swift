/// A URL with `https`, or with `http` on this machine: tokens and presigned URLs never cross a
/// network unencrypted.
package struct WebAddress: Hashable, Sendable {
  /// The URL as given. The query may be a secret.
  package let text: String
  /// Scheme, host and port in lowercase: `https://api.example.com`.
  package let origin: String
  package let isLoopback: Bool

  /// Nil if `text` isn't such a URL.
  package init?(_ text: String) {
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")),
      text[colon...].hasPrefix("://")
    else { return nil }
    let scheme = text[..<colon].lowercased()
    let rest = text[colon...].dropFirst(3)
    let authority = rest.prefix { !"/?#".contains($0) }.lowercased()
    var host = authority[...]
    if let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") {
      guard let port = Int(host[host.index(after: colon)...]), (1...65535).contains(port) else {
        return nil
      }
      host = host[..<colon]
    }
    guard !host.isEmpty, !host.contains(where: { "@\\^|`<>\"{}".contains($0) }) else {
      return nil
    }
    self.text = text
    origin = "\(scheme)://\(authority)"
    isLoopback = ["127.0.0.1", "[::1]", "localhost"].contains(host)
    switch scheme {
    case "https": break
    case "http": guard isLoopback else { return nil }
    default: return nil
    }
  }

  /// The URL without its query, which may be secret.
  package var shown: String { String(text.prefix { $0 != "?" && $0 != "#" }) }
}
