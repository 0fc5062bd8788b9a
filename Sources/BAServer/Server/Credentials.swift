import BAPackCore
import Synchronization

/// The name and the password that requests must have (Basic authentication, RFC 7617).
package final class Credentials: Sendable {
  /// Both as in URLs: `NAME:PASSWORD`, percent-encoded.
  let userinfo: String
  /// The same for people, who know a password that wasn't made.
  package let shownUserinfo: String
  package let isMade: Bool
  private let digest: [UInt8]
  /// When the last wrong guess of each network is answered, on the monotonic clock.
  private let guesses = Mutex<[IPAddress?: Int64]>([:])

  /// The time in nanoseconds between the answers to wrong guesses of a network.
  private static let pause: Int64 = 1_000_000_000
  /// The time for which guesses wait at most; beyond it, they are not even compared.
  private static let patience = 10 * pause

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
    userinfo = percentEncoded(name) + ":" + percentEncoded(secret)
    shownUserinfo = isMade ? userinfo : percentEncoded(name) + ":PASSWORD"
    digest = SHA256.digest(of: Array(Base64.encode(Array("\(name):\(secret)".utf8)).utf8))
  }

  /// A password of 80 random bits, easy to type on a device.
  private static func password() -> String {
    var generator = SystemRandomNumberGenerator()
    let letters = Array("abcdefghijkmnpqrstuvwxyz23456789")
    return String((0..<16).map { _ in letters[Int.random(in: 0..<32, using: &generator)] })
  }

  /// The answer to a request without the name and the password; nil if it has them.
  ///
  /// A network gets one answer to a wrong guess each second, on however many connections.
  func refusal(of request: HTTPRequest, _ state: ServerState) -> HTTPResponse? {
    let challenge = HTTPResponse.text(
      401, "401: this server asks for a name and a password, which it shows at its start",
      headers: [("WWW-Authenticate", "Basic realm=\"ba-serve\", charset=\"UTF-8\"")])
    guard let given = request[.authorization] else { return challenge }
    let now = Clock.steady
    let due = guesses.withLock { guesses -> Int64? in
      guesses = guesses.filter { $0.value > now }
      let network = request.peer?.network
      let due = max(now, guesses[network] ?? 0) + Self.pause
      if due - now <= Self.patience {
        if isRight(given) { return nil }
        guesses[network] = due
      }
      return due
    }
    guard let due else { return nil }
    guard due - now <= Self.patience else {
      return .text(429, "429: too many wrong passwords from your network; wait a while")
    }
    state.report(.wrongPassword(peer: request.peer))
    _ = state.wait(until: due)
    return challenge
  }

  /// The time that takes doesn't depend on how much of it is right.
  private func isRight(_ authorization: String) -> Bool {
    let words = authorization.split { $0 == " " || $0 == "\t" }
    let token = words.count == 2 && words[0].lowercased() == "basic" ? words[1] : ""
    let given = SHA256.digest(of: Array(token.utf8))
    return zip(given, digest).reduce(0) { $0 | $1.0 ^ $1.1 } == 0
  }
}
