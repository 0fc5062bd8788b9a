import BAPackCore

/// A user's certificate authority: created on first use, trusted on devices once, and kept.
package struct Authority: Sendable {
  /// Its certificate, which devices must trust.
  package let certificate: Certificate
  /// The key that signs servers' certificates. It stays on this machine.
  let key: PrivateKey
  package let path: BytePath
  /// Whether it was just created, so no device trusts it yet.
  package let isNew: Bool
  /// The SHA-256 of the certificate, as devices show it: `0F:3A:…`.
  package let fingerprint: String

  /// Ten years, in seconds, so it rarely has to be installed again.
  private static let life: Int64 = 3650 * 86_400

  private init(_ certificate: Certificate, _ key: PrivateKey, _ path: BytePath, isNew: Bool) throws
  {
    (self.certificate, self.key, self.path, self.isNew) = (certificate, key, path, isNew)
    fingerprint = SHA256.digest(of: try certificate.der())
      .map { hexadecimal([$0], uppercase: true) }.joined(separator: ":")
  }

  /// The authority in `folder`; a new one if there is none. The error for one that can't be used
  /// ends with `remedy`.
  package static func load(
    from folder: BytePath, keyType: KeyType = .ecdsa, remedy: String = "", now: Int64 = Clock.now,
    waiting: Waiting = { _ in }
  ) throws -> Authority {
    try folder.withLock(waiting) {
      try refuseSharing(folder)
      return try loadLocked(from: folder, keyType, remedy, now)
    }
  }

  private static func loadLocked(
    from folder: BytePath, _ keyType: KeyType, _ remedy: String, _ now: Int64
  ) throws -> Authority {
    let (path, keyPath) = paths(in: folder)
    // Without its key a certificate is of no use.
    guard let keyPEM = try keyPath.contentsIfPresent(limit: 1 << 16) else {
      return try make(in: folder, keyType, now)
    }
    func refusal(_ text: String) -> PackagingError { PackagingError(text + remedy) }
    guard let pem = try path.contentsIfPresent(limit: 1 << 16) else {
      throw refusal("'\(path)', the certificate of the key '\(keyPath)', is missing")
    }
    guard !keyPath.permits(0o077) else {
      throw refusal(
        "the key '\(keyPath)' can be read by other users, who could then make certificates that "
          + "your devices trust")
    }
    func readable<Value>(_ path: BytePath, _ value: () throws -> Value) throws -> Value {
      do { return try value() } catch { throw refusal("'\(path)': \(error)") }
    }
    let key = try readable(keyPath) { try PrivateKey(pem: keyPEM) }
    let certificate = try readable(path) { try Certificate(pem: pem) }
    guard certificate.belongs(to: key) else {
      throw refusal("'\(path)' and '\(keyPath)' don't belong together")
    }
    guard certificate.end > now + 86_400 else {
      throw refusal("the authority '\(path)' has expired")
    }
    return try Authority(certificate, key, path, isNew: false)
  }

  /// Creates a new authority in `folder`, replacing any other. Devices must be set to trust it.
  package static func renew(
    in folder: BytePath, keyType: KeyType, now: Int64 = Clock.now, waiting: Waiting = { _ in }
  ) throws -> Authority {
    try folder.withLock(waiting) {
      try refuseSharing(folder)
      return try make(in: folder, keyType, now)
    }
  }

  /// Others who can write to the folder could exchange the authority for theirs.
  private static func refuseSharing(_ folder: BytePath) throws {
    guard folder.permits(0o022) else { return }
    throw PackagingError(
      "other users can write to '\(folder)', the folder of the authority: 'chmod 700' prevents that"
    )
  }

  private static func make(
    in folder: BytePath, _ keyType: KeyType, _ now: Int64
  ) throws -> Authority {
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
    // Between these writes, the old key doesn't match the new certificate; readers wait for the
    // lock, and a crash in between is detected by comparing them. At the first use, the key is
    // missing then, and both are made again.
    try path.writePrivately(try certificate.pem())
    try keyPath.writePrivately(try key.pem())
    return try Authority(certificate, key, path, isNew: true)
  }

  package static func paths(in folder: BytePath) -> (certificate: BytePath, key: BytePath) {
    (folder.appending("authority.pem".utf8), folder.appending("authority.key".utf8))
  }
}
