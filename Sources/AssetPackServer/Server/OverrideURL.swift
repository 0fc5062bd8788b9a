import BAPackCore

/// A URL to set as the override on devices: `https://`, a host, and optionally a port.
package struct OverrideURL: Sendable, Equatable {
  /// The URL without a trailing slash.
  package let text: String

  /// Parses `bytes`. Devices replace path and query, so there must be none.
  package init(_ bytes: [UInt8]) throws(InvalidValue) {
    let text = String(decoding: bytes, as: UTF8.self)
    let scheme = "https://"
    guard text.lowercased().hasPrefix(scheme) else {
      throw InvalidValue(reason: "It must begin with 'https://'.")
    }
    var rest = text.dropFirst(scheme.count)
    if rest.last == "/" { rest.removeLast() }
    guard !rest.contains(where: { "/?#".contains($0) }) else {
      throw InvalidValue(reason: "Devices replace path and query, so there may be none.")
    }
    // Devices would use these to respond to an authentication challenge.
    let host = rest.lastIndex(of: "@").map { rest[rest.index(after: $0)...] } ?? rest
    guard hostName(String(host)) != nil else {
      throw InvalidValue(reason: "'\(printable(host.utf8))' is not a host with a port.")
    }
    self.text = scheme + rest
  }
}
