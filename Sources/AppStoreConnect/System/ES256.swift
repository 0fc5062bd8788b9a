// Signs tokens: with CryptoKit where it is available, otherwise with GnuTLS.

#if canImport(CryptoKit)
  import CryptoKit

  struct SigningKey: Sendable {
    private let key: P256.Signing.PrivateKey

    /// Parses PKCS #8 in PEM; nil unless it is a P-256 key.
    init?(pem: [UInt8]) {
      guard
        let key = try? P256.Signing.PrivateKey(
          pemRepresentation: String(decoding: pem, as: UTF8.self))
      else { return nil }
      self.key = key
    }

    /// The ES256 signature of `message` (RFC 7518): r and s with 32 bytes each; nil if signing
    /// fails.
    func signature(of message: [UInt8]) -> [UInt8]? {
      (try? key.signature(for: message)).map { Array($0.rawRepresentation) }
    }
  }
#else
  import CGnuTLS

  @safe final class SigningKey: @unchecked Sendable {
    // Signing only reads the key.
    private let key: gnutls_privkey_t

    /// Parses PKCS #8 in PEM; nil unless it is a P-256 key.
    init?(pem: [UInt8]) {
      var key: gnutls_privkey_t?
      guard unsafe gnutls_privkey_init(&key) == GNUTLS_E_SUCCESS, let key = unsafe key else {
        return nil
      }
      var pem = pem
      let isRead = unsafe pem.withUnsafeMutableBufferPointer { buffer in
        var datum = unsafe gnutls_datum_t(data: buffer.baseAddress, size: UInt32(buffer.count))
        return unsafe gnutls_privkey_import_x509_raw(key, &datum, GNUTLS_X509_FMT_PEM, nil, 0)
          == GNUTLS_E_SUCCESS
      }
      var bits: UInt32 = 0
      // GnuTLS must not be asked for the type of an empty key.
      guard isRead,
        unsafe gnutls_privkey_get_pk_algorithm(key, &bits) == CInt(GNUTLS_PK_ECDSA.rawValue),
        bits == 256
      else {
        unsafe gnutls_privkey_deinit(key)
        return nil
      }
      unsafe self.key = key
    }

    deinit { unsafe gnutls_privkey_deinit(key) }

    /// The ES256 signature of `message` (RFC 7518): r and s with 32 bytes each; nil if signing
    /// fails.
    func signature(of message: [UInt8]) -> [UInt8]? {
      var message = message
      var encoded = unsafe gnutls_datum_t()
      let isSigned = unsafe message.withUnsafeMutableBufferPointer { buffer in
        var datum = unsafe gnutls_datum_t(data: buffer.baseAddress, size: UInt32(buffer.count))
        return unsafe gnutls_privkey_sign_data2(
          key, GNUTLS_SIGN_ECDSA_SHA256, 0, &datum, &encoded) == GNUTLS_E_SUCCESS
      }
      guard isSigned else { return nil }
      defer { unsafe ba_gnutls_free(encoded.data) }
      var r = unsafe gnutls_datum_t()
      var s = unsafe gnutls_datum_t()
      guard unsafe gnutls_decode_rs_value(&encoded, &r, &s) == GNUTLS_E_SUCCESS else { return nil }
      defer {
        unsafe ba_gnutls_free(r.data)
        unsafe ba_gnutls_free(s.data)
      }
      return unsafe padded(r) + padded(s)
    }

    /// An integer with 32 bytes: DER omits leading zeros, and adds one before a set high bit.
    private func padded(_ integer: gnutls_datum_t) -> [UInt8] {
      let bytes = unsafe Array(UnsafeBufferPointer(start: integer.data, count: Int(integer.size)))
      let digits = bytes.drop { $0 == 0 }
      return [UInt8](repeating: 0, count: max(0, 32 - digits.count)) + digits
    }
  }
#endif
