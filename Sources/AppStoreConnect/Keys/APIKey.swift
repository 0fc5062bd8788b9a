import BAPackCore

/// A key for the API, of a team or an individual. It is never shown.
package struct APIKey: Sendable {
  /// The key ID, ten characters.
  package let id: String
  /// The team's UUID; nil for an individual key.
  package let issuer: String?
  private let key: SigningKey

  /// A key from PKCS #8 in PEM; `source` is its name in errors.
  package init(id: String, issuer: String?, pem: [UInt8], source: String) throws {
    for name in [id, issuer].compactMap(\.self) where !Self.isPlain(name) {
      throw StoreError(
        "'\(printable(name.utf8))' is not the id of a key or an issuer: they have ASCII letters,"
          + " digits and hyphens only")
    }
    guard let key = SigningKey(pem: pem) else {
      throw StoreError(
        "the key of \(source) is not a private key on P-256 in PEM (PKCS #8), as App Store Connect"
          + " hands them out")
    }
    self.id = id
    self.issuer = issuer
    self.key = key
  }

  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy {
        ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-")
      }
  }

  /// The lifetime of tokens: App Store Connect allows 20 minutes, minus clock differences.
  package static let lifetime = 10 * 60

  /// A token (RFC 7519) that is valid for ten minutes from `now`; nil if it can't be signed.
  package func token(now: Int) -> String? {
    let header = JSONValue.object(["alg": "ES256", "kid": id, "typ": "JWT"])
    let payload = JSONValue.object([
      "iss": issuer, "sub": issuer == nil ? "user" : nil,
      // The server's clock may be slightly behind.
      "iat": now - 10, "exp": now + Self.lifetime, "aud": "appstoreconnect-v1",
    ])
    let message =
      Base64.urlEncode(JSONWriter.bytes(header, .compact)) + "."
      + Base64.urlEncode(JSONWriter.bytes(payload, .compact))
    guard let signature = key.signature(of: Array(message.utf8)) else { return nil }
    return message + "." + Base64.urlEncode(signature)
  }
}
