import BAPackCore
import CBAGnuTLS

@safe package final class Certificate: @unchecked Sendable {
  // Not modified after creation, so GnuTLS allows use by several threads.
  private let handle: gnutls_x509_crt_t

  private init() throws {
    var handle: gnutls_x509_crt_t?
    try check("make a certificate", unsafe gnutls_x509_crt_init(&handle))
    guard let handle = unsafe handle else { throw PackagingError("no memory for a certificate") }
    unsafe self.handle = handle
  }

  deinit { unsafe gnutls_x509_crt_deinit(handle) }

  /// Parses the first certificate in a PEM text.
  package convenience init(pem: [UInt8]) throws {
    try self.init()
    try check("read the certificate", unsafe ba_gnutls_read_certificate(handle, pem, pem.count))
  }

  struct Subject {
    var name: String
    /// Displayed next to the name in lists of certificates.
    var organization: String
    var start: Int64
    var end: Int64
  }

  convenience init(authority subject: Subject, key: PrivateKey) throws {
    try self.init(subject, key, isAuthority: true)
    try check("sign a certificate", unsafe ba_gnutls_sign(handle, handle, key.handle))
  }

  /// Creates a certificate for a server with `names` and `addresses`, signed by an authority.
  convenience init(
    server subject: Subject, key: PrivateKey, names: [String], addresses: [IPAddress],
    issuer: Certificate, issuerKey: PrivateKey
  ) throws {
    try self.init(subject, key, isAuthority: false)
    for name in names { try add(Array(name.utf8), isAddress: 0) }
    for address in addresses { try add(address.bytes, isAddress: 1) }
    try check("sign a certificate", unsafe ba_gnutls_sign(handle, issuer.handle, issuerKey.handle))
  }

  private convenience init(_ subject: Subject, _ key: PrivateKey, isAuthority: Bool) throws {
    try self.init()
    // A random number of 127 bits, and never 0.
    var generator = SystemRandomNumberGenerator()
    var serial = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
    serial[0] = serial[0] & 0x7F | 0x40
    try check(
      "make a certificate",
      unsafe ba_gnutls_describe(
        handle, key.handle, isAuthority ? 1 : 0, serial, subject.organization, subject.name,
        subject.start, subject.end))
  }

  private func add(_ bytes: [UInt8], isAddress: CInt) throws {
    try check(
      "make a certificate", unsafe ba_gnutls_add_name(handle, isAddress, bytes, bytes.count))
  }
}

extension Certificate {
  package func pem() throws -> [UInt8] { try export(GNUTLS_X509_FMT_PEM) }

  package func der() throws -> [UInt8] { try export(GNUTLS_X509_FMT_DER) }

  private func export(_ format: gnutls_x509_crt_fmt_t) throws -> [UInt8] {
    try unsafe exported("write the certificate") { buffer, size in
      unsafe gnutls_x509_crt_export(handle, format, buffer, size)
    }
  }

  package func belongs(to key: PrivateKey) -> Bool {
    unsafe ba_gnutls_belong_together(handle, key.handle) == 1
  }

  /// Whether it is valid for `host`: a name, possibly by a wildcard, or an address without
  /// brackets.
  package func covers(_ host: String) -> Bool {
    unsafe gnutls_x509_crt_check_hostname(handle, host) != 0
  }

  /// Whether it may be used for servers: for that purpose explicitly, or without any restriction.
  package var isForServers: Bool {
    unsafe gnutls_x509_crt_check_key_purpose(handle, GNUTLS_KP_TLS_WWW_SERVER, 0) != 0
  }

  package var start: Int64 { unsafe Int64(gnutls_x509_crt_get_activation_time(handle)) }

  package var end: Int64 { unsafe Int64(gnutls_x509_crt_get_expiration_time(handle)) }

  package var commonName: String {
    // In DER: a tag, the length, and the text, which GnuTLS would escape otherwise.
    let der = unsafe try? exported("read the certificate") { buffer, size in
      unsafe gnutls_x509_crt_get_dn_by_oid(
        handle, GNUTLS_OID_X520_COMMON_NAME, 0, 1, buffer, size)
    }
    let length = der?.dropFirst().first ?? 0
    return String(
      decoding: (der ?? []).dropFirst(length < 0x80 ? 2 : 2 + Int(length & 0x7F)), as: UTF8.self)
  }

  /// The names and addresses in it; a name may be a wildcard.
  package var subjectNames: (names: [String], addresses: [IPAddress]) {
    var names: [String] = []
    var addresses: [IPAddress] = []
    var index: UInt32 = 0
    while true {
      var type: CInt = 0
      let bytes = unsafe try? exported("read the certificate") { buffer, size in
        type = unsafe ba_gnutls_name(handle, index, buffer, size)
        return type
      }
      guard let bytes else { return (names, addresses) }
      if type == CInt(GNUTLS_SAN_DNSNAME.rawValue) {
        names.append(String(decoding: bytes, as: UTF8.self))
      } else if type == CInt(GNUTLS_SAN_IPADDRESS.rawValue), let address = IPAddress(bytes) {
        addresses.append(address)
      }
      index += 1
    }
  }
}
