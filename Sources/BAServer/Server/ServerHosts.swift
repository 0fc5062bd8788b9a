import BAPackCore

package struct ServerHosts: Sendable, Equatable {
  package private(set) var names: [String] = []
  package private(set) var addresses: [IPAddress] = []
  /// The hosts to use on devices, the best first, as in URLs.
  package private(set) var reachable: [String] = []
  /// Whether the server is only for programs on this machine.
  package private(set) var onlyLoopback = false
  /// Whether only this machine can use the hosts: it was asked for, or there is no network.
  package var areLocal: Bool { onlyLoopback || reachable == ["localhost"] }

  /// The hosts in `given`, which ``check(_:)`` accepts, and all names and addresses of this
  /// machine. If all given hosts are loopback addresses, only those.
  package init(given: [String]) {
    let local = NetworkAddresses.local()
    let machine = NetworkAddresses.hostName()
    self.init(only: given)
    if !onlyLoopback {
      let multicast = machine.flatMap { NetworkAddresses.multicastName($0, local) }
      for address in local { add(address) }
      for name in [multicast, machine].compactMap(\.self) where !names.contains(name) {
        names.append(name)
        // A machine's plain name is useful only if a name server knows it.
        if name.hasSuffix(".local") { reachable.append(name) }
      }
    }
    if reachable.isEmpty { reachable = ["localhost"] }
    if !names.contains("localhost") { names.append("localhost") }
    for bytes in [[127, 0, 0, 1], [UInt8](repeating: 0, count: 15) + [1]] {
      if let address = IPAddress(bytes), !addresses.contains(address) { addresses.append(address) }
    }
  }

  /// Those in an existing certificate, after `given`.
  package init(of certificate: Certificate, given: [String]) {
    self.init(only: given)
    let (otherNames, otherAddresses) = certificate.subjectNames
    for name in otherNames where !names.contains(name) {
      names.append(name)
      if !name.hasPrefix("*") { reachable.append(name) }
    }
    for address in otherAddresses { add(address) }
    if reachable.isEmpty { reachable = ["localhost"] }
  }

  private init(only given: [String]) {
    for host in given { add(given: host) }
    onlyLoopback =
      !given.isEmpty && names.allSatisfy { $0 == "localhost" }
      && addresses.allSatisfy(\.isLoopback)
  }

  /// Throws unless `host` is valid: an address, with or without brackets, or a name.
  package static func check(_ host: String) throws {
    guard IPAddress(text: bare(host)) == nil, !isHostName(host) else { return }
    throw PackagingError(
      host.contains("://")
        ? "leave out the scheme and the path" : "give an address or a name, without a port")
  }

  private static func bare(_ host: String) -> String {
    host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
  }

  private mutating func add(given host: String) {
    if let address = IPAddress(text: Self.bare(host)) { return add(address) }
    let name = host.lowercased()
    guard !names.contains(name) else { return }
    names.append(name)
    reachable.append(name)
  }

  private mutating func add(_ address: IPAddress) {
    guard !addresses.contains(address) else { return }
    addresses.append(address)
    reachable.append(address.host)
  }
}

/// The hosts that a server answers for, so no other site's name can lead to it.
struct HostCheck: Sendable {
  let certificate: Certificate
  let port: UInt16

  /// Why a request is refused; nil if its host is in the certificate, and its port is the server's.
  func refusal(of request: HTTPRequest) -> HTTPResponse? {
    guard let host = request.host, !host.isEmpty else {
      return .text(
        400, "400: the request has no Host header, so packs have no address")
    }
    guard let (name, port) = hostAndPort(host), certificate.covers(name) else {
      return .text(
        421,
        "421: this server is not '\(brief(host.utf8))'; its certificate names the hosts that it "
          + "answers for")
    }
    guard let port, port != self.port else { return nil }
    return .text(421, "421: this server is not at port \(port), but at port \(self.port)")
  }
}

/// A host without brackets, as in certificates, and its port, if any; nil if it is invalid.
package func hostAndPort(_ host: String) -> (name: String, port: UInt16?)? {
  let end: String.Index
  let name: String
  if host.hasPrefix("[") {
    guard let bracket = host.firstIndex(of: "]"),
      let address = IPAddress(text: String(host[..<bracket].dropFirst()))
    else { return nil }
    (end, name) = (host.index(after: bracket), address.description)
  } else {
    end = host.firstIndex(of: ":") ?? host.endIndex
    name = host[..<end].lowercased()
    guard isHostName(name) else { return nil }
  }
  let rest = host[end...]
  if rest.isEmpty { return (name, nil) }
  guard rest.first == ":", rest.dropFirst().utf8.allSatisfy(ASCII.isDigit),
    let port = UInt16(rest.dropFirst())
  else { return nil }
  return (name, port)
}

/// A URL to set as the override on devices, without a trailing slash: `https://`, a host, and
/// optionally a port. Devices replace path and query, so there must be none. An error has no part of
/// the URL, which may have a password.
package func overrideURL(_ bytes: [UInt8]) throws -> String {
  let text = String(decoding: bytes, as: UTF8.self)
  let scheme = "https://"
  guard text.lowercased().hasPrefix(scheme) else {
    throw PackagingError("it must begin with 'https://'")
  }
  var rest = text.dropFirst(scheme.count)
  if rest.last == "/" { rest.removeLast() }
  guard !rest.contains(where: { "/?#".contains($0) }) else {
    throw PackagingError("devices replace path and query, so there may be none")
  }
  // Devices use a name and a password to respond to a challenge.
  var host = rest
  if let at = rest.lastIndex(of: "@") {
    host = rest[rest.index(after: at)...]
    let parts = rest[..<at].split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isUserByte) })
    else {
      throw PackagingError(
        "before '@' must be a name, a colon and a password, percent-encoded")
    }
  }
  guard hostAndPort(String(host)) != nil else {
    throw PackagingError("it must have a host, and after it at most a port")
  }
  return scheme + rest
}

/// Whether a byte may be in the name or the password of a URL (RFC 3986, 3.2.1).
private func isUserByte(_ byte: UInt8) -> Bool {
  ASCII.isLetter(byte) || ASCII.isDigit(byte) || "-._~%!$&'()*+,;=".utf8.contains(byte)
}
