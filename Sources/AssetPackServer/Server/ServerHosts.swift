import BAPackCore

/// The names and addresses of a server.
package struct ServerHosts: Sendable, Equatable {
  /// Names for the certificate.
  package private(set) var names: [String] = []
  /// Addresses for the certificate.
  package private(set) var addresses: [IPAddress] = []
  /// The hosts to use on devices, the best first, as in URLs.
  package private(set) var reachable: [String] = []
  /// Whether the server is only for programs on this machine.
  package private(set) var onlyLoopback = false

  /// The hosts in `given`, which ``check(_:)`` accepts, and all names and addresses of this
  /// machine. If all given hosts are loopback addresses, only those.
  package init(given: [String]) {
    let local = NetworkAddresses.local()
    let machine = NetworkAddresses.hostName()
    for host in given { add(given: host) }
    onlyLoopback =
      !given.isEmpty && names.allSatisfy { $0 == "localhost" }
      && addresses.allSatisfy(\.isLoopback)
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
    for host in given { add(given: host) }
    onlyLoopback =
      !given.isEmpty && names.allSatisfy { $0 == "localhost" }
      && addresses.allSatisfy(\.isLoopback)
    let (otherNames, otherAddresses) = certificate.subjectNames
    for name in otherNames where !names.contains(name) {
      names.append(name)
      if !name.hasPrefix("*") { reachable.append(name) }
    }
    for address in otherAddresses { add(address) }
    if reachable.isEmpty { reachable = ["localhost"] }
  }

  /// Throws unless `host` is valid: an address, with or without brackets, or a name.
  package static func check(_ host: String) throws(InvalidValue) {
    guard IPAddress(text: bare(host)) == nil, !isHostName(host) else { return }
    throw InvalidValue(
      reason: host.contains("://")
        ? "Leave out the scheme and the path." : "Give an address or a name, without a port.")
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
