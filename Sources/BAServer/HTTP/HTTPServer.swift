import BAPackCore
import CBAGnuTLS
import CBAMicroHTTPD
import Synchronization

/// An HTTP server, with or without TLS: libmicrohttpd with one thread per connection.
///
/// A connection's thread calls the handler, sends the response and reports to the observer, so both
/// may block. Requests can't make memory grow: headers are limited to 32 KiB, bodies are not read,
/// and ``Connections`` are limited.
@safe final class HTTPServer: Sendable {
  typealias Handler = @Sendable (HTTPRequest) -> HTTPResponse

  private let context: ServerContext
  private let daemons: Mutex<[Daemon]>

  @safe private struct Daemon: @unchecked Sendable {
    // Used by libmicrohttpd only.
    let handle: OpaquePointer
  }

  /// The number of idle seconds, in both directions, after which a connection is closed.
  private static let timeout: UInt32 = 60
  private static let stackSize = 512 << 10
  /// TLS 1.2 and 1.3 with forward secrecy and AEAD only, as Apple's App Transport Security
  /// requires.
  static let priorities =
    "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-KX-ALL:+ECDHE-ECDSA:+ECDHE-RSA:-CIPHER-ALL"
    + ":+AES-128-GCM:+AES-256-GCM:+CHACHA20-POLY1305:%SERVER_PRECEDENCE"

  init(
    on sockets: consuming ListeningSockets, identity: Identity?,
    observer: @escaping @Sendable (ServerEvent) -> Void, handler: @escaping Handler
  ) throws {
    context = ServerContext(handler: handler, observer: observer)
    daemons = Mutex([])
    var failed = false
    for socket in sockets.take() {
      var options = unsafe ba_mhd_options(
        // With room for those that were ended and are not closed yet.
        socket: socket, connection_limit: UInt32(Connections.maximum + 100), timeout: Self.timeout,
        stack_size: Self.stackSize, context: Unmanaged.passUnretained(context).toOpaque(),
        accept: acceptConnection, handle: handleRequest, completed: completeRequest,
        connection: noteConnection, log: noteLog)
      // libmicrohttpd closes the sockets, and copies the strings.
      let handle = unsafe ba_mhd_start(&options, identity?.key, identity?.chain, Self.priorities)
      if let handle = unsafe handle {
        daemons.withLock { unsafe $0.append(Daemon(handle: handle)) }
      } else {
        failed = true
      }
    }
    if failed {
      stop()
      throw PackagingError("the server could not be started: the TLS library refused the identity")
    }
    let context = context
    try startThread {
      while !context.isStopping.load(ordering: .relaxed) {
        sleep(milliseconds: 500)
        context.connections.endOverdue()
      }
    }
  }

  deinit { stop() }

  /// Closes all connections, and returns when all of the server's threads have ended.
  func stop() {
    context.isStopping.store(true, ordering: .relaxed)
    let stopped = daemons.withLock { daemons in
      defer { daemons = [] }
      return daemons
    }
    for daemon in stopped { unsafe MHD_stop_daemon(daemon.handle) }
  }
}

final class ServerContext: Sendable {
  let handler: HTTPServer.Handler
  let observer: @Sendable (ServerEvent) -> Void
  let connections = Connections()
  let isStopping = Atomic<Bool>(false)

  init(
    handler: @escaping HTTPServer.Handler, observer: @escaping @Sendable (ServerEvent) -> Void
  ) {
    self.handler = handler
    self.observer = observer
  }
}
