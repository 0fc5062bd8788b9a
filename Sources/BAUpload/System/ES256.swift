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
  import CBAGnuTLS

  struct SigningKey: Sendable {
    private let pem: [UInt8]

    /// Parses PKCS #8 in PEM; nil unless it is a P-256 key.
    init?(pem: [UInt8]) {
      guard unsafe ba_gnutls_is_p256(pem, pem.count) != 0 else { return nil }
      self.pem = pem
    }

    /// The ES256 signature of `message` (RFC 7518): r and s with 32 bytes each; nil if signing
    /// fails.
    func signature(of message: [UInt8]) -> [UInt8]? {
      var signature = [UInt8](repeating: 0, count: 64)
      let isSigned = unsafe ba_gnutls_sign_es256(
        pem, pem.count, message, message.count, &signature)
      return isSigned != 0 ? signature : nil
    }
  }
#endif
