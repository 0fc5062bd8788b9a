import BAPackCore

package struct HTTPRequest: Sendable {
  /// The method in its original case, as text for messages.
  package let method: String
  /// The request target without a query, undecoded.
  package let target: [UInt8]
  /// The percent-decoded path of the target; nil if it is invalid.
  package let path: [UInt8]?
  /// The percent-decoded value of `platform` in the query; nil if there is none.
  package let platform: [UInt8]?
  /// The value of `version` in the query, which ``ServedPack/label`` is compared with.
  package let version: [UInt8]?
  package let peer: IPAddress?
  private let headers: [Header: String]

  package enum Header: String, CaseIterable, Sendable {
    case authorization = "Authorization"
    case host = "Host"
    case ifMatch = "If-Match"
    case ifModifiedSince = "If-Modified-Since"
    case ifNoneMatch = "If-None-Match"
    case ifRange = "If-Range"
    case ifUnmodifiedSince = "If-Unmodified-Since"
    case range = "Range"
  }

  package subscript(header: Header) -> String? { headers[header] }

  /// The host in the request, optionally with a port, as written.
  package let host: String?

  package init(
    method: String, target: [UInt8], platform: [UInt8]? = nil, version: [UInt8]? = nil,
    headers: [Header: String] = [:], peer: IPAddress? = nil
  ) {
    self.method = method
    self.peer = peer
    self.headers = headers
    // A target may be a URL, as for proxies; then its host is used (RFC 9112, 3.2.2). A name and a
    // password in it are dropped, so no message shows them.
    var target = target
    var path = target[...]
    var host = headers[.host]
    if path.first != UInt8(ascii: "/") {
      let scheme = path.prefix { $0 != UInt8(ascii: ":") }
      let isURL = path[scheme.endIndex...].starts(with: "://".utf8)
      let start = isURL ? scheme.endIndex + 3 : 0
      var authority = target[start...].prefix { $0 != UInt8(ascii: "/") }
      if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
        target.removeSubrange(start...at)
        authority = target[start...].prefix { $0 != UInt8(ascii: "/") }
      }
      if isURL, ["http", "https"].contains(String(decoding: scheme, as: UTF8.self).lowercased()) {
        host = String(decoding: authority, as: UTF8.self)
        path = target[authority.endIndex...]
        if path.isEmpty { path = [UInt8(ascii: "/")] }
      } else {
        path = target[...]
      }
    }
    // No valid Host has them, and it stays invalid.
    if let name = host, let at = name.lastIndex(of: "@") { host = "…" + name[at...] }
    self.target = target
    self.host = host
    self.path = path.first == UInt8(ascii: "/") ? percentDecoded(path) : nil
    self.platform = platform.flatMap { percentDecoded($0[...]) ?? $0 }
    self.version = version
  }
}

/// `bytes` with each `%XX` decoded; nil if a `%` isn't followed by two hexadecimal digits, or for
/// NUL.
private func percentDecoded(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
  var result: [UInt8] = []
  var rest = bytes
  while let byte = rest.popFirst() {
    guard byte == UInt8(ascii: "%") else {
      result.append(byte)
      continue
    }
    guard let high = rest.popFirst().flatMap(ASCII.hexadecimalValue),
      let low = rest.popFirst().flatMap(ASCII.hexadecimalValue), high << 4 | low != 0
    else { return nil }
    result.append(high << 4 | low)
  }
  return result
}
