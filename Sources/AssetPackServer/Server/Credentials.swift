import BAPackCore

/// The name and the password that requests must have (Basic authentication, RFC 7617).
package struct Credentials: Sendable {
  /// Both as in URLs: `NAME:PASSWORD`, percent-encoded.
  package let userinfo: String
  private let digest: [UInt8]

  /// Parses `NAME:PASSWORD`. With a name alone, a password is made.
  package init(_ text: [UInt8]) throws {
    guard let text = String(validating: text, as: UTF8.self),
      text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), text.utf8.count <= 200
    else { throw PackagingError("It must be UTF-8 of at most 200 bytes, on one line.") }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard !parts[0].isEmpty else { throw PackagingError("The name is empty.") }
    if parts.count == 2, parts[1].isEmpty {
      throw PackagingError("The password is empty; without the colon, one is made.")
    }
    let (name, password) = (String(parts[0]), parts.count == 2 ? String(parts[1]) : Self.password())
    userinfo = percentEncoded(name) + ":" + percentEncoded(password)
    digest = SHA256.digest(
      of: Array(Base64.encode(Array("\(name):\(password)".utf8)).utf8))
  }

  /// A password of 80 random bits, easy to type on a device.
  private static func password() -> String {
    var generator = SystemRandomNumberGenerator()
    let letters = Array("abcdefghijkmnpqrstuvwxyz23456789")
    return String((0..<16).map { _ in letters[Int.random(in: 0..<32, using: &generator)] })
  }

  /// The answer to a request without the name and the password; nil if it has them. The time that
  /// takes doesn't depend on how much of them is right, nor does the answer.
  func refusal(of request: HTTPRequest) -> HTTPResponse? {
    let words = (request[.authorization] ?? "").split(separator: " ", maxSplits: 1)
    let token = words.count == 2 && words[0].lowercased() == "basic" ? words[1] : ""
    let given = SHA256.digest(of: Array(token.utf8))
    if zip(given, digest).reduce(0, { $0 | $1.0 ^ $1.1 }) == 0 { return nil }
    return .text(
      401, "401: this server asks for a name and a password, which it shows at its start",
      headers: [("WWW-Authenticate", "Basic realm=\"ba-serve\", charset=\"UTF-8\"")])
  }
}
