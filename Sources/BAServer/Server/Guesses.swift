import BAPackCore

/// Who may give a password, and when it is compared: a network gets about one answer to a wrong one
/// each second, on however many connections, and who has the right one is let in nevertheless.
///
/// An address that gave the right one in the last hour is let in at once, until a wrong one comes from
/// it. The others of a network wait: nothing is known about a password before its turn. Addresses
/// take turns, first those that had none, so the guesses of one don't delay another. Times are those
/// of the monotonic clock, in nanoseconds.
package struct Guesses: Sendable {
  private struct Waiting: Sendable {
    let place: Int
    let peer: IPAddress?
    let end: Int64
  }

  package enum Answer: Equatable, Sendable {
    case right
    case wrong
    /// Too many wait, or it waited too long: it was not compared.
    case refused
    /// Ask again then.
    case wait(until: Int64)
  }

  /// In the order in which they came.
  private var waiting: [Waiting] = []
  private var lastPlace = 0
  /// When each network has its next turn.
  private var turns: [IPAddress?: Int64] = [:]
  /// When each address had its last turn.
  private var served: [IPAddress?: Int64] = [:]
  /// Until when each address that gave the right password is known.
  private var known: [IPAddress?: Int64] = [:]

  private static let pause: Int64 = 1_000_000_000
  private static let patience = 10 * pause
  private static let memory = 3600 * pause
  /// The maximum number of those that wait in a network.
  package static let maximumWaiting = 30

  package init() {}

  /// Answers a request of `peer`. Its `place` is nil at first, and then kept.
  package mutating func answer(
    _ peer: IPAddress?, _ place: inout Int?, now: Int64, isRight: () -> Bool
  ) -> Answer {
    if known[peer].map({ $0 > now }) ?? false {
      leave(place)
      return compare(peer, now, isRight)
    }
    let own = place ?? enter(peer, now)
    place = own
    guard let end = waiting.first(where: { $0.place == own })?.end else { return .refused }
    let turn = turns[peer?.network] ?? 0
    if turn <= now, next(of: peer)?.place == own {
      leave(own)
      served[peer] = now
      return compare(peer, now, isRight)
    }
    guard end > now else {
      leave(own)
      return .refused
    }
    return .wait(until: turn > now ? min(turn, end) : now + Self.pause / 100)
  }

  private mutating func compare(
    _ peer: IPAddress?, _ now: Int64, _ isRight: () -> Bool
  ) -> Answer {
    if isRight() {
      known[peer] = now + Self.memory
      return .right
    }
    known[peer] = nil
    turns[peer?.network] = max(turns[peer?.network] ?? 0, now) + Self.pause
    return .wrong
  }

  private mutating func enter(_ peer: IPAddress?, _ now: Int64) -> Int {
    turns = turns.filter { $0.value > now }
    served = served.filter { $0.value > now - 6 * Self.patience }
    known = known.filter { $0.value > now }
    lastPlace += 1
    waiting.append(Waiting(place: lastPlace, peer: peer, end: now + Self.patience))
    let rivals = rivals(of: peer)
    if rivals.count > Self.maximumWaiting {
      // The last of an address that has the most of them.
      let counts = rivals.reduce(into: [:]) { $0[$1.peer, default: 0] += 1 }
      leave(rivals.last { counts[$0.peer] == counts.values.max() }?.place)
    }
    return lastPlace
  }

  private mutating func leave(_ place: Int?) { waiting.removeAll { $0.place == place } }

  private func rivals(of peer: IPAddress?) -> [Waiting] {
    waiting.filter { $0.peer?.network == peer?.network }
  }

  private func next(of peer: IPAddress?) -> Waiting? {
    rivals(of: peer).min {
      (served[$0.peer] ?? 0, $0.place) < (served[$1.peer] ?? 0, $1.place)
    }
  }
}
