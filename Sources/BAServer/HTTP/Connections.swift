import CBAMicroHTTPD
import Synchronization

/// The open connections, so a few clients can't take them all: a network may have a limited number
/// of them, a request must arrive in time, however slowly its bytes keep coming, and where there is
/// no room for another connection, the one that waits longest for a request is ended.
package final class Connections: Sendable {
  private struct Open {
    let socket: CInt
    let network: IPAddress?
    /// When the next request must have arrived; nil while one is answered.
    var due: Int64?
  }

  private let open = Mutex<[Int: Open]>([:])

  /// The maximum for all networks together.
  package static let maximum = 1000
  /// The maximum for an address of IPv4, and for a network of IPv6, which may have many devices.
  package static let maximumForNetwork = (version4: 100, version6: 400)
  /// The time in nanoseconds for the handshake and a request.
  private static let patience: Int64 = 20_000_000_000

  package init() {}

  package func admits(_ peer: IPAddress?) -> Bool {
    guard let peer, !peer.isLoopback else { return true }
    let (network, limits) = (peer.network, Self.maximumForNetwork)
    return open.withLock { open in
      open.values.count { $0.network == network }
        < (peer.isVersion6 ? limits.version6 : limits.version4)
        || Self.endOldest(&open) { $0.network == network }
    }
  }

  package func add(_ connection: Int, socket: CInt, peer: IPAddress?) {
    open.withLock { open in
      open[connection] = Open(
        socket: socket, network: peer?.network, due: Clock.steady + Self.patience)
      if open.count > Self.maximum { _ = Self.endOldest(&open) { _ in true } }
    }
  }

  func remove(_ connection: Int) { open.withLock { $0[connection] = nil } }

  package func answers(_ connection: Int) { open.withLock { $0[connection]?.due = nil } }

  /// The request was answered; another may follow.
  func waits(_ connection: Int) {
    open.withLock { $0[connection]?.due = Clock.steady + Self.patience }
  }

  /// Disconnects those whose request has not arrived. Their threads then close them, after they
  /// were removed here. Corresponds to `shutdown(2)`.
  func endOverdue() {
    let now = Clock.steady
    open.withLock { open in
      for (connection, late) in open where late.due.map({ $0 <= now }) ?? false {
        shutdown(late.socket, CInt(SHUT_RDWR))
        open[connection]?.due = nil
      }
    }
  }

  /// Disconnects the one of some that waits for a request for the longest time; false if none does.
  private static func endOldest(_ open: inout [Int: Open], of some: (Open) -> Bool) -> Bool {
    let oldest = open.filter { $0.value.due != nil && some($0.value) }
      .min { ($0.value.due ?? 0) < ($1.value.due ?? 0) }
    guard let (connection, late) = oldest else { return false }
    shutdown(late.socket, CInt(SHUT_RDWR))
    open[connection] = nil
    return true
  }
}
