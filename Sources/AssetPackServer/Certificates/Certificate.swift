import CGnuTLS

/// An X.509 certificate.
@safe package final class Certificate: @unchecked Sendable {
  // Not modified after creation, so that GnuTLS allows use by several threads.
  private let handle: gnutls_x509_crt_t

  private init() throws(CertificateError) {
    var handle: gnutls_x509_crt_t?
    try check("make a certificate", unsafe gnutls_x509_crt_init(&handle))
    guard let handle = unsafe handle else { throw CertificateError("no memory for a certificate") }
    unsafe self.handle = handle
  }

  deinit { unsafe gnutls_x509_crt_deinit(handle) }

  /// Parses the first certificate in a PEM text.
  package convenience init(pem: [UInt8]) throws(CertificateError) {
    try self.init()
    let code = unsafe withDatum(pem) {
      unsafe gnutls_x509_crt_import(handle, $0, GNUTLS_X509_FMT_PEM)
    }
    try check("read the certificate", code)
  }

  /// The subject and validity of a certificate.
  package struct Subject: Sendable {
    /// The common name.
    package var name: String
    /// The organization, which is displayed next to it in lists of certificates.
    package var organization: String
    /// The start of validity, in seconds since 1970.
    package var start: Int64
    /// The end of validity.
    package var end: Int64

    /// A subject called `name`.
    package init(name: String, organization: String, start: Int64, end: Int64) {
      self.name = name
      self.organization = organization
      self.start = start
      self.end = end
    }
  }

  /// Creates the self-signed certificate of an authority.
  package convenience init(
    authority subject: Subject, key: PrivateKey
  ) throws(CertificateError) {
    try self.init()
    try set(subject, key)
    try check("make a certificate", unsafe gnutls_x509_crt_set_basic_constraints(handle, 1, 0))
    try check(
      "make a certificate",
      unsafe gnutls_x509_crt_set_key_usage(
        handle, UInt32(GNUTLS_KEY_KEY_CERT_SIGN) | UInt32(GNUTLS_KEY_CRL_SIGN)))
    let identifier = try keyIdentifier()
    try check(
      "make a certificate",
      unsafe gnutls_x509_crt_set_subject_key_id(handle, identifier, identifier.count))
    try sign(self, key)
  }

  /// Creates a certificate for a server with `names` and `addresses`, signed by an authority.
  package convenience init(
    server subject: Subject, key: PrivateKey, names: [String], addresses: [IPAddress],
    issuer: Certificate, issuerKey: PrivateKey
  ) throws(CertificateError) {
    try self.init()
    try set(subject, key)
    try check("make a certificate", unsafe gnutls_x509_crt_set_basic_constraints(handle, 0, -1))
    // Key encipherment is only needed for old RSA cipher suites, which are disabled; Apple's rules
    // don't require it.
    try check(
      "make a certificate",
      unsafe gnutls_x509_crt_set_key_usage(handle, UInt32(GNUTLS_KEY_DIGITAL_SIGNATURE)))
    try check(
      "make a certificate",
      unsafe gnutls_x509_crt_set_key_purpose_oid(handle, GNUTLS_KP_TLS_WWW_SERVER, 0))
    for name in names { try add(GNUTLS_SAN_DNSNAME, Array(name.utf8)) }
    for address in addresses { try add(GNUTLS_SAN_IPADDRESS, address.bytes) }
    let (own, others) = (try keyIdentifier(), try issuer.keyIdentifier())
    try check(
      "make a certificate", unsafe gnutls_x509_crt_set_subject_key_id(handle, own, own.count))
    try check(
      "make a certificate",
      unsafe gnutls_x509_crt_set_authority_key_id(handle, others, others.count))
    try sign(issuer, issuerKey)
  }

  private func set(_ subject: Subject, _ key: PrivateKey) throws(CertificateError) {
    // A random number of 127 bits, and never 0.
    var generator = SystemRandomNumberGenerator()
    var serial = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
    serial[0] = serial[0] & 0x7F | 0x40
    try check("make a certificate", unsafe gnutls_x509_crt_set_version(handle, 3))
    try check(
      "make a certificate", unsafe gnutls_x509_crt_set_serial(handle, serial, serial.count))
    try check(
      "make a certificate",
      unsafe gnutls_x509_crt_set_activation_time(handle, time_t(subject.start)))
    try check(
      "make a certificate", unsafe gnutls_x509_crt_set_expiration_time(handle, time_t(subject.end)))
    for (oid, text) in [
      (GNUTLS_OID_X520_ORGANIZATION_NAME, subject.organization),
      (GNUTLS_OID_X520_COMMON_NAME, subject.name),
    ] {
      try check(
        "make a certificate",
        unsafe gnutls_x509_crt_set_dn_by_oid(handle, oid, 0, text, UInt32(text.utf8.count)))
    }
    try check("make a certificate", unsafe gnutls_x509_crt_set_key(handle, key.handle))
  }

  private func add(
    _ type: gnutls_x509_subject_alt_name_t, _ bytes: [UInt8]
  ) throws(CertificateError) {
    try check(
      "make a certificate",
      unsafe gnutls_x509_crt_set_subject_alt_name(
        handle, type, bytes, UInt32(bytes.count), UInt32(GNUTLS_FSAN_APPEND)))
  }

  private func sign(_ issuer: Certificate, _ key: PrivateKey) throws(CertificateError) {
    try check(
      "sign a certificate",
      unsafe gnutls_x509_crt_sign2(handle, issuer.handle, key.handle, GNUTLS_DIG_SHA256, 0))
  }

  /// The SHA-1 of the public key, used as its identifier by other certificates.
  private func keyIdentifier() throws(CertificateError) -> [UInt8] {
    try unsafe exported("identify the key") { buffer, size in
      unsafe gnutls_x509_crt_get_key_id(
        handle, 0, buffer?.assumingMemoryBound(to: UInt8.self), size)
    }
  }
}

extension Certificate {
  /// The certificate in PEM.
  package func pem() throws(CertificateError) -> [UInt8] { try export(GNUTLS_X509_FMT_PEM) }

  /// The certificate in DER.
  package func der() throws(CertificateError) -> [UInt8] { try export(GNUTLS_X509_FMT_DER) }

  private func export(_ format: gnutls_x509_crt_fmt_t) throws(CertificateError) -> [UInt8] {
    try unsafe exported("write the certificate") { buffer, size in
      unsafe gnutls_x509_crt_export(handle, format, buffer, size)
    }
  }

  /// Whether `key` is the private key of this certificate.
  package func belongs(to key: PrivateKey) throws(CertificateError) -> Bool {
    try keyIdentifier() == key.identifier()
  }

  /// Whether it is valid for `host`: a name, possibly by a wildcard, or an address without
  /// brackets.
  package func names(_ host: String) -> Bool {
    unsafe gnutls_x509_crt_check_hostname(handle, host) != 0
  }

  /// Whether it may be used for servers: for that purpose explicitly, or without any restriction.
  package var isForServers: Bool {
    unsafe gnutls_x509_crt_check_key_purpose(handle, GNUTLS_KP_TLS_WWW_SERVER, 0) != 0
  }

  /// The start of validity, in seconds since 1970.
  package var start: Int64 { unsafe Int64(gnutls_x509_crt_get_activation_time(handle)) }

  /// The end of validity, in seconds since 1970.
  package var end: Int64 { unsafe Int64(gnutls_x509_crt_get_expiration_time(handle)) }

  /// The common name of its subject; empty if there is none.
  package var commonName: String {
    let bytes = unsafe try? exported("read the certificate") { buffer, size in
      unsafe gnutls_x509_crt_get_dn_by_oid(
        handle, GNUTLS_OID_X520_COMMON_NAME, 0, 0, buffer, size)
    }
    return String(decoding: bytes ?? [], as: UTF8.self)
  }

  /// The names and addresses in it; a name may be a wildcard.
  package var subjectNames: (names: [String], addresses: [IPAddress]) {
    var names: [String] = []
    var addresses: [IPAddress] = []
    var index: UInt32 = 0
    while true {
      var type: CInt = 0
      let bytes = unsafe try? exported("read the certificate") { buffer, size in
        type = unsafe gnutls_x509_crt_get_subject_alt_name(handle, index, buffer, size, nil)
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
