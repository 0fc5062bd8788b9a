import BAPackCore

/// A key for the API, of a team or an individual. It is never shown.
package struct APIKey: Sendable {
  /// The key ID, ten characters.
  package let id: String
  /// The team's UUID; nil for an individual key.
  package let issuer: String?
  private let key: SigningKey

  /// A key from PKCS #8 in PEM; `source` is its name in errors.
  package init(id: String, issuer: String?, pem: [UInt8], source: String) throws(KeyProblem) {
    for name in [id, issuer].compactMap(\.self) where !Self.isPlain(name) { throw .invalidID(name) }
    guard let key = SigningKey(pem: pem) else { throw .notP256(source) }
    self.id = id
    self.issuer = issuer
    self.key = key
  }

  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  /// The lifetime of tokens: App Store Connect allows 20 minutes, minus clock differences.
  package static let lifetime = 10 * 60

  /// A token (RFC 7519) that is valid for ten minutes from `now`; nil if it can't be signed.
  package func token(now: Int) -> String? {
    let header: JSONValue = ["alg": "ES256", "kid": JSONValue(id), "typ": "JWT"]
    let owner =
      issuer.map { JSONMember("iss", JSONValue($0)) } ?? JSONMember("sub", "user")
    let payload = JSONValue(
      .object([
        owner,
        // The server's clock may be slightly behind.
        JSONMember("iat", JSONValue(now - 10)),
        JSONMember("exp", JSONValue(now + Self.lifetime)),
        JSONMember("aud", "appstoreconnect-v1"),
      ]))
    let message =
      Base64.urlEncode(JSONWriter.bytes(header, .compact)) + "."
      + Base64.urlEncode(JSONWriter.bytes(payload, .compact))
    guard let signature = key.signature(of: Array(message.utf8)) else { return nil }
    return message + "." + Base64.urlEncode(signature)
  }
}
