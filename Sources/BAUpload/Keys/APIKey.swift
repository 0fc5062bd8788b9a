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
    for id in [id, issuer].compactMap(\.self) { try Self.check(id: id, of: source) }
    guard let key = SigningKey(pem: pem) else {
      throw StoreError(
        "the key of \(source) is not a private key on P-256 in PEM (PKCS #8), as App Store Connect"
          + " hands them out")
    }
    self.id = id
    self.issuer = issuer
    self.key = key
  }

  /// Throws unless `id`, which `source` has, can be the ID of a key or an issuer.
  static func check(id: String, of source: String) throws {
    let isPlain = id.utf8.allSatisfy {
      ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-")
    }
    guard isPlain, (1...40).contains(id.utf8.count) else {
      throw StoreError(
        "\(source): expected the id of a key or an issuer, which has only ASCII letters, digits and"
          + " hyphens, 40 at most; the value is not shown, as it may be a key")
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
