import BAPackCore
import CBAGnuTLS
import Synchronization

/// The name and the password that requests must have (Basic authentication, RFC 7617).
package final class Credentials: Sendable {
  /// Both as in URLs: `NAME:PASSWORD`, percent-encoded. People know a password that wasn't made.
  package let shownUserinfo: String
  package let isMade: Bool
  /// The SHA-256 of what a right request has, in Base64.
  private let digest: [UInt8]
  private let guesses = Mutex(Guesses())

  /// Without a password, one is made.
  package init(name: [UInt8], password: [UInt8]?) throws {
    func text(_ bytes: [UInt8], _ kind: String) throws -> String {
      guard let text = String(validating: bytes, as: UTF8.self), (1...200).contains(bytes.count),
        bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
      else { throw PackagingError("the \(kind) must be UTF-8 of 1 to 200 bytes, on one line") }
      return text
    }
    let name = try text(name, "name")
    isMade = password == nil
    let secret = try password.map { try text($0, "password") } ?? Self.password()
    shownUserinfo = percentEncoded(name) + ":" + (isMade ? percentEncoded(secret) : "PASSWORD")
    digest = try Self.digest(of: Base64.encode(Array("\(name):\(secret)".utf8)))
  }

  /// A password of 80 random bits, easy to type on a device.
  private static func password() -> String {
    var generator = SystemRandomNumberGenerator()
    let letters = Array("abcdefghijkmnpqrstuvwxyz23456789")
    return String((0..<16).map { _ in letters[Int.random(in: 0..<32, using: &generator)] })
  }

  /// The answer to a request without the name and the password, when it is its turn; nil if it has
  /// them.
  func refusal(of request: HTTPRequest, _ state: ServerState) -> HTTPResponse? {
    let challenge = HTTPResponse.text(
      401, "401: this server asks for a name and a password, which it shows at its start",
      headers: [("WWW-Authenticate", "Basic realm=\"ba-serve\", charset=\"UTF-8\"")])
    guard let given = request[.authorization] else { return challenge }
    var place: Int?
    while true {
      let answer = guesses.withLock { guesses in
        guesses.answer(request.peer, &place, now: Clock.steady) { isRight(given) }
      }
      switch answer {
      case .right: return nil
      case .wrong:
        state.report(.wrongPassword(peer: request.peer))
        return challenge
      case .refused:
        return .text(429, "429: too many wrong passwords from your network; wait a while")
      case .wait(let due):
        guard state.wait(until: due) else { return .isAboutToStop }
      }
    }
  }

  /// Whether the value of a header has the name and the password. The time that this takes doesn't
  /// depend on how much of them is right.
  package func isRight(_ authorization: String) -> Bool {
    guard let token = Self.token(authorization), let given = try? Self.digest(of: token) else {
      return false
    }
    return unsafe gnutls_memcmp(given, digest, digest.count) == 0
  }

  /// The name and the password that a request has, as in URLs: `NAME:PASSWORD`, percent-encoded.
  static func userinfo(of request: HTTPRequest) -> String {
    let token = request[.authorization].flatMap(token) ?? ""
    return (Base64.decode(Array(token.utf8)) ?? [])
      .split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
      .map { percentEncoded($0, keeping: "") }.joined(separator: ":")
  }

  /// What follows the scheme; nil if it isn't that of Basic authentication.
  private static func token(_ authorization: String) -> String? {
    let words = authorization.split { $0 == " " || $0 == "\t" }
    return words.count == 2 && words[0].lowercased() == "basic" ? String(words[1]) : nil
  }

  private static func digest(of token: String) throws -> [UInt8] {
    let bytes = Array(token.utf8)
    var digest = [UInt8](repeating: 0, count: 32)
    try check(
      "hash the password", unsafe gnutls_hash_fast(GNUTLS_DIG_SHA256, bytes, bytes.count, &digest))
    return digest
  }
}
