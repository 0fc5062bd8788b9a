import BAPackCore

/// An address that devices may be pointed at: `https://`, a host, and a port perhaps.
package struct OverrideURL: Sendable, Equatable {
  /// The address without a slash at its end.
  package let text: String

  /// Reads `bytes`. Devices replace path and query by their own, so there may be none.
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
    // Devices answer a request for a name and a password with these.
    let host = rest.lastIndex(of: "@").map { rest[rest.index(after: $0)...] } ?? rest
    guard hostName(String(host)) != nil else {
      throw InvalidValue(reason: "'\(printable(host.utf8))' is not a host with a port.")
    }
    self.text = scheme + rest
  }
}
