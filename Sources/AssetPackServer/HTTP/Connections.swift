import CMicroHTTPD
import Synchronization

/// The open connections, so a few clients can't take them all: an address may have a limited
/// number of them, and a request must arrive in time, however slowly its bytes keep coming.
final class Connections: Sendable {
  private struct Open {
    let socket: CInt
    let peer: IPAddress?
    /// When the next request must have arrived; nil while one is answered.
    var due: Int64?
  }

  private let open = Mutex<[Int: Open]>([:])

  /// The maximum for all addresses together; further ones wait.
  static let maximum = 1000
  static let maximumForAddress = 100
  /// The time in nanoseconds for the handshake and a request.
  private static let patience: Int64 = 20_000_000_000

  func admits(_ peer: IPAddress?) -> Bool {
    guard let peer, !peer.isLoopback else { return true }
    return open.withLock { $0.values.count { $0.peer == peer } } < Self.maximumForAddress
  }

  func add(_ connection: Int, socket: CInt, peer: IPAddress?) {
    open.withLock {
      $0[connection] = Open(socket: socket, peer: peer, due: Clock.steady + Self.patience)
    }
  }

  func remove(_ connection: Int) { open.withLock { $0[connection] = nil } }

  func answers(_ connection: Int) { open.withLock { $0[connection]?.due = nil } }

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
}
