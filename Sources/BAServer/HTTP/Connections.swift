import CBAMicroHTTPD
import Synchronization

/// The open connections, so a few clients can't take them all: a network may have a limited number
/// of them, a request must arrive in time, however slowly its bytes keep coming, and where there is
/// no room for another connection, the one that waits longest for a request is ended, or else the
/// answer that made no progress for the longest time.
package final class Connections: Sendable {
  private struct Open {
    let socket: CInt
    let network: IPAddress?
    /// Whether a request is answered, or else awaited.
    var isAnswered = false
    /// Since when it is awaited, or when the client last took bytes of the answer.
    var since: Int64
  }

  private let open = Mutex<[Int: Open]>([:])
  private let now: @Sendable () -> Int64

  /// The maximum for all networks together.
  package static let maximum = 1000
  /// The maximum for an address of IPv4, and for a network of IPv6, which may have many devices.
  package static let maximumForNetwork = (version4: 100, version6: 400)
  /// The time in nanoseconds for the handshake and a request.
  private static let patience: Int64 = 20_000_000_000
  /// The time in nanoseconds after which those without progress make room for others.
  private static let stall: Int64 = 5_000_000_000

  /// `now` is the monotonic clock.
  package init(now: @escaping @Sendable () -> Int64 = { Clock.steady }) { self.now = now }

  package func admits(_ peer: IPAddress?) -> Bool {
    guard let peer, !peer.isLoopback else { return true }
    let (network, limits) = (peer.network, Self.maximumForNetwork)
    return open.withLock { open in
      open.values.count { $0.network == network }
        < (peer.isVersion6 ? limits.version6 : limits.version4)
        || makeRoom(&open) { $0.network == network }
    }
  }

  package func add(_ connection: Int, socket: CInt, peer: IPAddress?) {
    open.withLock { open in
      open[connection] = Open(socket: socket, network: peer?.network, since: now())
      if open.count > Self.maximum { _ = makeRoom(&open) { _ in true } }
    }
  }

  func remove(_ connection: Int) { open.withLock { $0[connection] = nil } }

  package func answers(_ connection: Int) { mark(connection, isAnswered: true) }

  /// The request was answered; another may follow.
  func waits(_ connection: Int) { mark(connection, isAnswered: false) }

  private func mark(_ connection: Int, isAnswered: Bool) {
    open.withLock { open in
      open[connection]?.isAnswered = isAnswered
      open[connection]?.since = now()
    }
  }

  /// Disconnects those whose request has not arrived. Their threads then close them, after they
  /// were removed here. Corresponds to `shutdown(2)`.
  func endOverdue() {
    let start = now() - Self.patience
    open.withLock { open in
      for late in open.values where !late.isAnswered && late.since <= start {
        shutdown(late.socket, CInt(SHUT_RDWR))
      }
    }
  }

  /// Disconnects one of some; false if there is none: the one whose request has been awaited for the
  /// longest time, unless that is short and there are answers without progress. Of those the longest
  /// in the network that has the most connections.
  private func makeRoom(_ open: inout [Int: Open], of some: (Open) -> Bool) -> Bool {
    let (some, start) = (open.filter { some($0.value) }, now() - Self.stall)
    var chosen = some.filter { !$0.value.isAnswered }.min { $0.value.since < $1.value.since }
    if chosen.map({ $0.value.since > start }) ?? true {
      let counts = some.values.reduce(into: [:]) { $0[$1.network, default: 0] += 1 }
      let stalled = some.filter { $0.value.isAnswered && $0.value.since <= start }.min {
        (-counts[$0.value.network, default: 0], $0.value.since)
          < (-counts[$1.value.network, default: 0], $1.value.since)
      }
      chosen = stalled ?? chosen
    }
    guard let (connection, late) = chosen else { return false }
    shutdown(late.socket, CInt(SHUT_RDWR))
    open[connection] = nil
    return true
  }
}
