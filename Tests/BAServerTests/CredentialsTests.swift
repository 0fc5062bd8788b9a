import BAFiles
import BAServer
import Foundation
import Testing

@Suite struct CredentialsTests {
  private func basic(_ text: [UInt8]) -> String { "Basic " + Base64.encode(text) }

  /// Thousands, as a comparison that takes one of 256 for right looks right for a few.
  @Test func noWrongPasswordIsRight() throws {
    let right = Array("tester:S3cr3t-pw".utf8)
    let credentials = try Credentials(name: Array("tester".utf8), password: Array("S3cr3t-pw".utf8))
    #expect(credentials.isRight(basic(right)))
    #expect(credentials.isRight("bASIC  " + Base64.encode(right) + " \t"))
    var generator = SystemRandomNumberGenerator()
    func byte() -> UInt8 { .random(in: 0x20...0x7E, using: &generator) }
    var wrong: [[UInt8]] = []
    // Near misses: each bit, each beginning and end, case, other names, nothing.
    for place in right.indices {
      for bit in 0..<8 {
        var near = right
        near[place] ^= UInt8(1 << bit)
        wrong.append(near)
      }
      wrong += [Array(right[..<place]), Array(right[(place + 1)...])]
      wrong.append(Array(right[..<place]) + right[(place + 1)...])
    }
    for text in [
      "tester:S3CR3T-PW", "tester:s3cr3t-pw", "TESTER:S3cr3t-pw", "tester:", ":S3cr3t-pw", ":",
      "tester:S3cr3t-pw\n", "tester:S3cr3t-pw\0", "tester::S3cr3t-pw", "S3cr3t-pw:tester",
      "other:S3cr3t-pw", "tester", " tester:S3cr3t-pw", "tester:S3cr3t-pwS3cr3t-pw",
    ] {
      wrong.append(Array(text.utf8))
    }
    for _ in 0..<10_000 {
      wrong.append("tester:".utf8 + (0..<Int.random(in: 0...16)).map { _ in byte() })
      wrong.append(right + (0..<Int.random(in: 1...8)).map { _ in byte() })
    }
    #expect(wrong.count > 20_000)
    let admitted = wrong.filter { $0 != right && credentials.isRight(basic($0)) }
    #expect(admitted.isEmpty)
    for header in [
      "", "Basic", "Basic ", "Basic =", Base64.encode(right), "Bearer " + Base64.encode(right),
      basic(right) + " x", basic(right) + "=", "Basic tester:S3cr3t-pw",
      "Basic " + Base64.encode(right).lowercased(), "Basic " + Base64.encode(right).dropLast(),
    ] {
      #expect(!credentials.isRight(header), "\(header)")
    }
  }
}

@Suite struct GuessesTests {
  private func address(_ host: UInt8) -> IPAddress? {
    IPAddress([0x20, 1, 0xD, 0xB8] + [UInt8](repeating: 0, count: 11) + [host])
  }

  private let second: Int64 = 1_000_000_000

  /// A client that gives one password again and again, and what came of it.
  private struct Client {
    let peer: IPAddress?
    let isRight: Bool
    var start: Int64 = 0
    var place: Int?
    var due: Int64 = 0
    var answers: [(Guesses.Answer, at: Int64)] = []

    mutating func act(_ guesses: inout Guesses, _ now: Int64) {
      guard now >= max(due, start) else { return }
      let answer = guesses.answer(peer, &place, now: now) { [isRight] in isRight }
      if case .wait(let time) = answer {
        due = time
      } else {
        answers.append((answer, now))
        (place, due) = (nil, answer == .refused ? now + 500_000_000 : now)
      }
    }
  }

  /// The clients after some seconds, looked at every 20 ms in changing order.
  private func run(_ clients: [Client], seconds: Int64, _ guesses: inout Guesses) -> [Client] {
    var clients = clients
    for now in stride(from: second, to: (seconds + 1) * second, by: 20_000_000) {
      for index in clients.indices.shuffled() { clients[index].act(&guesses, now) }
    }
    return clients
  }

  @Test(arguments: [1, 5, 40])
  func aNetworkGetsOneAnswerEachSecond(_ addresses: UInt8) {
    var guesses = Guesses()
    let crowd = (0..<100).map { Client(peer: address(UInt8($0) % addresses), isRight: false) }
    let answers = run(crowd, seconds: 20, &guesses).flatMap(\.answers)
    let wrong = answers.filter { $0.0 == .wrong }.map(\.at).sorted()
    #expect((19...20).contains(wrong.count))
    for (first, next) in zip(wrong, wrong.dropFirst()) { #expect(next - first >= second) }
    #expect(!answers.contains { $0.0 == .right })
  }

  @Test func whoHadTheRightOneIsLetInAtOnce() {
    var guesses = Guesses()
    var place: Int?
    #expect(guesses.answer(address(99), &place, now: 0) { true } == .right)
    let crowd = (0..<100).map { Client(peer: address(UInt8($0) % 50), isRight: false) }
    let known = Client(peer: address(99), isRight: true)
    let answers = run(crowd + [known], seconds: 30, &guesses).last?.answers ?? []
    #expect(answers.count == 1500)
    #expect(answers.allSatisfy { $0.0 == .right })
  }

  /// However many connections guess from a few addresses.
  @Test func aNewDeviceHasTheNextTurn() {
    var guesses = Guesses()
    let crowd = (0..<100).map { Client(peer: address(UInt8($0) % 8), isRight: false) }
    let device = Client(peer: address(99), isRight: true, start: 15 * second)
    let answers = run(crowd + [device], seconds: 30, &guesses).last?.answers ?? []
    #expect(answers.allSatisfy { $0.0 == .right })
    #expect(answers.first.map { $0.at <= 17 * second } ?? false)
  }

  /// A right password opens no way around the limit for others with the same address.
  @Test func aKnownAddressGuessesNoFaster() {
    var guesses = Guesses()
    let crowd = (0..<8).map { Client(peer: address(1), isRight: $0 == 0) }
    let answers = run(crowd, seconds: 20, &guesses).flatMap(\.answers)
    #expect(answers.count { $0.0 == .wrong } <= 21)
    #expect(answers.contains { $0.0 == .right })
  }

  @Test func nobodyWaitsLongerThanTenSeconds() {
    var guesses = Guesses()
    var places: [Int?] = Array(repeating: nil, count: 20)
    func answers(at now: Int64) -> [Guesses.Answer] {
      places.indices.map { guesses.answer(address(1), &places[$0], now: now) { false } }
    }
    #expect(answers(at: 0).dropFirst().allSatisfy { $0 == .wait(until: second) })
    places.removeFirst()
    let late = answers(at: 10 * second)
    #expect(late.first == .wrong)
    #expect(late.dropFirst().allSatisfy { $0 == .refused })
  }

  @Test func otherNetworksDontWait() {
    var guesses = Guesses()
    var places: [Int?] = Array(repeating: nil, count: 3)
    #expect(guesses.answer(address(1), &places[0], now: 0) { false } == .wrong)
    #expect(guesses.answer(address(2), &places[1], now: 0) { true } == .wait(until: second))
    #expect(guesses.answer(IPAddress([192, 0, 2, 1]), &places[2], now: 0) { true } == .right)
  }
}
