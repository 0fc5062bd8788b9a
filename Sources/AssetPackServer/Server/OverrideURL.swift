import BAPackCore

/// A URL to set as the override on devices, without a trailing slash: `https://`, a host, and
/// optionally a port. Devices replace path and query, so there must be none.
package func overrideURL(_ bytes: [UInt8]) throws(InvalidValue) -> String {
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
  guard hostAndPort(String(host)) != nil else {
    throw InvalidValue(reason: "'\(printable(host.utf8))' is not a host with a port.")
  }
  return scheme + rest
}
