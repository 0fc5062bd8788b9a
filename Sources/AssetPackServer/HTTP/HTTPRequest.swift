import BAPackCore

/// A request, as far as this server looks at it.
package struct HTTPRequest: Sendable {
  /// The method, in the case that it came in.
  package let method: String
  /// The bytes of the target before any query, as they came in.
  package let target: [UInt8]
  /// The path that the target names, percent-decoded; nil where that is no path.
  package let path: [UInt8]?
  /// The value of `platform` in the query, percent-decoded; nil without one.
  package let platform: [UInt8]?
  /// The address that the request came from.
  package let peer: IPAddress?
  private let headers: [String: String]

  /// The headers that are looked at.
  package enum Header: String, CaseIterable, Sendable {
    case host = "Host"
    case ifMatch = "If-Match"
    case ifModifiedSince = "If-Modified-Since"
    case ifNoneMatch = "If-None-Match"
    case ifRange = "If-Range"
    case ifUnmodifiedSince = "If-Unmodified-Since"
    case range = "Range"
  }

  /// The value of a header; nil without one.
  package subscript(header: Header) -> String? { headers[header.rawValue] }

  /// The host that the client meant, with a port perhaps, as it wrote it.
  package let host: String?

  /// A request with these parts; `platform` is as it came in.
  package init(
    method: String, target: [UInt8], platform: [UInt8]? = nil, headers: [Header: String] = [:],
    peer: IPAddress? = nil
  ) {
    self.method = method
    self.target = target
    self.peer = peer
    self.headers = Dictionary(
      uniqueKeysWithValues: headers.map { ($0.key.rawValue, $0.value) })
    // A target may be a whole URL, as proxies get it; its host counts then (RFC 9112, 3.2.2).
    var path = target[...]
    var host = headers[.host]
    for scheme in ["https://", "http://"] where target.starts(with: scheme.utf8) {
      let rest = target.dropFirst(scheme.utf8.count)
      let authority = rest.prefix { $0 != UInt8(ascii: "/") }
      host = String(decoding: authority, as: UTF8.self)
      path = rest.dropFirst(authority.count)
      if path.isEmpty { path = [UInt8(ascii: "/")] }
      break
    }
    self.host = host
    self.path = path.first == UInt8(ascii: "/") ? percentDecoded(path) : nil
    self.platform = platform.flatMap { percentDecoded($0[...]) ?? $0 }
  }
}

/// `bytes` with each `%XX` replaced by its byte; nil where two hexadecimal digits don't follow a `%`,
/// or where the byte would be NUL.
private func percentDecoded(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
  var result: [UInt8] = []
  var rest = bytes
  while let byte = rest.popFirst() {
    guard byte == UInt8(ascii: "%") else {
      result.append(byte)
      continue
    }
    guard let high = rest.popFirst().flatMap(hexadecimalDigit),
      let low = rest.popFirst().flatMap(hexadecimalDigit), high << 4 | low != 0
    else { return nil }
    result.append(high << 4 | low)
  }
  return result
}

private func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  default: nil
  }
}
