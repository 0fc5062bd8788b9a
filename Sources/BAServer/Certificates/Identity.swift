import BAPackCore

/// A server's credentials: a certificate with its chain, and the key.
package struct Identity: Sendable {
  package let certificate: Certificate
  /// The certificate chain in PEM, the server's certificate first.
  let chain: String
  let key: String

  /// The validity of a certificate: Apple's systems accept at most 825 days from a user-installed
  /// authority, and browsers 397 days from others.
  private static let life: Int64 = 397 * 86_400

  /// Creates a certificate for a server with `names` and `addresses`. Its key is never written to a
  /// file.
  package init(
    names: [String], addresses: [IPAddress], keyType: KeyType, issuedBy authority: Authority,
    now: Int64 = Clock.now
  ) throws {
    let key = try PrivateKey(generating: keyType)
    // Clocks of devices may be slow.
    let start = max(now - 3600, authority.certificate.start)
    let made = try Certificate(
      server: Certificate.Subject(
        name: String((names.first ?? "ba-serve").prefix(64)), organization: "ba-serve",
        start: start, end: min(start + Self.life - 1, authority.certificate.end)),
      key: key, names: names, addresses: addresses, issuer: authority.certificate,
      issuerKey: authority.key)
    let pem = try made.pem()
    // GnuTLS checks names only in parsed certificates.
    certificate = try Certificate(pem: pem)
    chain = String(decoding: try pem + authority.certificate.pem(), as: UTF8.self)
    self.key = String(decoding: try key.pem(), as: UTF8.self)
  }

  /// Reads a certificate (optionally followed by its chain) and its key in PEM from files.
  package init(
    certificate path: BytePath, key keyPath: BytePath, now: Int64 = Clock.now
  ) throws {
    chain = String(decoding: try path.contents(limit: 1 << 20), as: UTF8.self)
    self.key = String(decoding: try keyPath.contents(limit: 1 << 20), as: UTF8.self)
    for (text, path, kind) in [(chain, path, "CERTIFICATE"), (self.key, keyPath, "PRIVATE KEY")] {
      guard text.contains(kind + "-----") else {
        throw PackagingError(
          "'\(path)' contains no \(kind.lowercased()) in PEM; give the certificate first, then its key"
        )
      }
    }
    certificate = try Certificate(pem: Array(chain.utf8))
    guard try certificate.belongs(to: PrivateKey(pem: Array(self.key.utf8))) else {
      throw PackagingError(
        "the key in '\(keyPath)' is not that of the certificate in '\(path)'")
    }
    guard certificate.end > now else {
      throw PackagingError(
        "the certificate in '\(path)' expired on \(Clock.timestamp(certificate.end).prefix(10))")
    }
    guard certificate.start <= now else {
      throw PackagingError(
        "the certificate in '\(path)' is not valid before \(Clock.timestamp(certificate.start))")
    }
  }

  /// Reasons why devices will reject an existing certificate, one sentence each.
  package func objections(hosts: [String]) -> [String] {
    var found: [String] = []
    let (names, addresses) = certificate.subjectNames
    if names.isEmpty, addresses.isEmpty {
      found.append(
        "the certificate has no host in its subject alternative names; devices ignore the common "
          + "name")
    }
    for host in hosts where !certificate.covers(host) {
      let known = (names + addresses.map(\.description)).joined(separator: ", ")
      found.append("the certificate does not name '\(host)', but \(known)")
    }
    if !certificate.isForServers {
      found.append(
        "the certificate lacks the extended key usage for servers, which devices require")
    }
    if certificate.end - certificate.start > 825 * 86_400 {
      found.append(
        "the certificate is valid for \((certificate.end - certificate.start) / 86_400) days; Apple's "
          + "systems accept at most 825")
    }
    return found
  }
}
