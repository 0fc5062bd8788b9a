import BAPackCore
import CGnuTLS
import CMicroHTTPD
import Synchronization

/// An HTTP server, with or without TLS: libmicrohttpd with one thread per connection.
///
/// A connection's thread calls the handler, sends the response and reports to the observer, so both
/// may block. Requests can't make memory grow: headers are limited to 32 KiB, bodies are not read,
/// and there are at most ``mostConnections``.
@safe package final class HTTPServer: Sendable {
  /// Returns the response to a request.
  package typealias Handler = @Sendable (HTTPRequest) -> HTTPResponse

  private let context: ServerContext
  private let daemons: Mutex<[Daemon]>

  @safe private struct Daemon: @unchecked Sendable {
    // Used by libmicrohttpd only.
    let handle: OpaquePointer
  }

  /// The maximum number of connections; further ones are closed at once.
  package static let mostConnections = 1000
  /// The number of idle seconds, in both directions, after which a connection is closed.
  private static let timeout: UInt32 = 60
  /// The stack size of a connection's thread.
  private static let stackSize = 512 << 10
  /// TLS 1.2 and 1.3 with forward secrecy and AEAD only, as Apple's App Transport Security
  /// requires.
  static let priorities =
    "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-KX-ALL:+ECDHE-ECDSA:+ECDHE-RSA:-CIPHER-ALL"
    + ":+AES-128-GCM:+AES-256-GCM:+CHACHA20-POLY1305:%SERVER_PRECEDENCE"

  /// Serves on `sockets`, with TLS if there is an `identity`.
  package init(
    on sockets: consuming ListeningSockets, identity: Identity?,
    observer: @escaping @Sendable (HTTPEvent) -> Void, handler: @escaping Handler
  ) throws(CertificateError) {
    context = ServerContext(handler: handler, observer: observer)
    let key = identity.map { $0.key + [0] }
    let chain = identity.map { $0.chain + [0] }
    let priorities = Array(Self.priorities.utf8) + [0]
    daemons = Mutex([])
    var failed = false
    for socket in sockets.take() {
      // libmicrohttpd closes the sockets, and copies the strings.
      let handle = unsafe withCharacters(key) { key in
        unsafe withCharacters(chain) { chain in
          unsafe withCharacters(priorities) { priorities in
            var options = unsafe ba_mhd_options(
              socket: socket, key: key, certificate: chain, priorities: priorities,
              connection_limit: UInt32(Self.mostConnections), timeout: Self.timeout,
              stack_size: Self.stackSize,
              context: Unmanaged.passUnretained(context).toOpaque(), handle: handleRequest,
              completed: completeRequest, connection: noteConnection, log: noteLog)
            return unsafe ba_mhd_start(&options)
          }
        }
      }
      if let handle = unsafe handle {
        daemons.withLock { unsafe $0.append(Daemon(handle: handle)) }
      } else {
        failed = true
      }
    }
    if failed {
      stop()
      throw CertificateError(
        "the server could not be started: the TLS library refused the identity")
    }
  }

  deinit { stop() }

  /// Closes all connections, and returns when all of the server's threads have ended.
  package func stop() {
    context.isStopping.store(true, ordering: .relaxed)
    let stopped = daemons.withLock { daemons in
      defer { daemons = [] }
      return daemons
    }
    for daemon in stopped { unsafe MHD_stop_daemon(daemon.handle) }
  }
}

/// The state shared by the callbacks of a server.
final class ServerContext: Sendable {
  let handler: HTTPServer.Handler
  let observer: @Sendable (HTTPEvent) -> Void
  let isStopping = Atomic<Bool>(false)

  init(
    handler: @escaping HTTPServer.Handler, observer: @escaping @Sendable (HTTPEvent) -> Void
  ) {
    self.handler = handler
    self.observer = observer
  }
}
