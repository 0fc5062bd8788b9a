import BAPackCore

/// A user's certificate authority: created on first use, trusted on devices once, and kept.
package struct Authority: Sendable {
  /// Its certificate, which devices must trust.
  package let certificate: Certificate
  /// The key that signs servers' certificates. It stays on this machine.
  let key: PrivateKey
  /// The file of the certificate.
  package let path: BytePath
  /// Whether it was just created, so that no device trusts it yet.
  package let isNew: Bool

  /// Ten years, in seconds, so that it rarely has to be installed again.
  private static let life: Int64 = 3650 * 86_400

  /// The authority in `folder`; a new one if there is none.
  package static func load(
    from folder: BytePath, keyType: KeyType = .ecdsa, now: Int64 = Clock.now
  ) throws(CertificateError) -> Authority {
    try withLock(folder) { () throws(CertificateError) in
      let (path, keyPath) = paths(in: folder)
      guard let pem = try read(path), let keyPEM = try read(keyPath) else {
        return try make(in: folder, keyType, now)
      }
      guard keyPath.isPrivate else {
        throw CertificateError(
          "the key '\(keyPath)' can be read by other users, who could then make certificates that "
            + "your devices trust", isOfAuthority: true)
      }
      let (certificate, key) = (try Certificate(pem: pem), try PrivateKey(pem: keyPEM))
      guard try certificate.belongs(to: key) else {
        throw CertificateError(
          "'\(path)' and '\(keyPath)' don't belong together", isOfAuthority: true)
      }
      guard certificate.end > now + 86_400 else {
        throw CertificateError(
          "the authority '\(path)' has expired", isOfAuthority: true)
      }
      return Authority(certificate: certificate, key: key, path: path, isNew: false)
    }
  }

  /// Creates a new authority in `folder`, replacing any other. Devices must be set to trust it.
  package static func renew(
    in folder: BytePath, keyType: KeyType, now: Int64 = Clock.now
  ) throws(CertificateError) -> Authority {
    try withLock(folder) { () throws(CertificateError) in try make(in: folder, keyType, now) }
  }

  private static func make(
    in folder: BytePath, _ keyType: KeyType, _ now: Int64
  ) throws(CertificateError) -> Authority {
    let key = try PrivateKey(generating: keyType)
    let owner = ProcessContext.environment("USER").map { printable($0) }
    let place = [owner, NetworkAddresses.hostName()].compactMap(\.self).joined(separator: " on ")
    let certificate = try Certificate(
      authority: Certificate.Subject(
        // X.509 allows 64 characters.
        name: String("ba-serve \(place)".prefix(64)),
        organization: "ba-serve development authority",
        start: now - 3600, end: now + life),
      key: key)
    let (path, keyPath) = paths(in: folder)
    // Between these writes, the old certificate doesn't match the new key; readers wait for the
    // lock, and a crash in between is detected by comparing them.
    try write(try key.pem(), to: keyPath)
    try write(try certificate.pem(), to: path)
    return Authority(certificate: certificate, key: key, path: path, isNew: true)
  }

  /// The files in `folder`.
  package static func paths(in folder: BytePath) -> (certificate: BytePath, key: BytePath) {
    (folder.appending("authority.pem".utf8), folder.appending("authority.key".utf8))
  }

  private static func withLock<Result>(
    _ folder: BytePath, _ body: () throws(CertificateError) -> Result
  ) throws(CertificateError) -> Result {
    let lock = try mapping(
      { CertificateError(($0 as SystemError).description) }, FileLock(folder.appending("lock".utf8))
    )
    let result = try body()
    _ = consume lock
    return result
  }

  private static func read(_ path: BytePath) throws(CertificateError) -> [UInt8]? {
    try mapping(
      { CertificateError("\($0 as SystemError)") }, path.contentsIfPresent(limit: 1 << 16))
  }

  private static func write(_ bytes: [UInt8], to path: BytePath) throws(CertificateError) {
    try mapping({ CertificateError("\($0 as SystemError)") }, path.writePrivately(bytes))
  }
}
