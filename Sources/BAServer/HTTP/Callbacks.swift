import BAPackCore
import CBAGnuTLS
import CBAMicroHTTPD
import Synchronization

// libmicrohttpd calls these on its own threads. They are global functions, because a closure in a
// function of the main actor would be isolated to that.

/// A request in progress, attached to the connection between callbacks. The transfer that answers it
/// keeps it, too.
private final class Exchange: Sendable {
  let time = Clock.now
  let start = Clock.steady
  let request: HTTPRequest
  /// Tells that the client took bytes of the answer.
  let progresses: @Sendable () -> Void
  private let outcome = Mutex<(status: Int, body: HTTPResponse.Body)>((0, .bytes([])))
  let sent = Atomic<UInt64>(0)

  init(_ request: HTTPRequest, progresses: @escaping @Sendable () -> Void) {
    self.request = request
    self.progresses = progresses
  }

  func set(_ response: HTTPResponse) {
    outcome.withLock { $0 = (response.status, response.body) }
  }

  var transfer: PackTransfer? {
    outcome.withLock { if case .transfer(let transfer) = $0.body { transfer } else { nil } }
  }

  func finished(isCut: Bool) -> HTTPExchange {
    let (status, body) = outcome.withLock(\.self)
    var exchange = HTTPExchange(request, status: status)
    exchange.time = time
    exchange.bytes = sent.load(ordering: .relaxed)
    exchange.duration = Clock.steady - start
    exchange.isCut = isCut
    if case .bytes(let all) = body, !isCut, request.method != "HEAD" {
      exchange.bytes = UInt64(all.count)
    }
    return exchange
  }
}

extension ServerContext {
  fileprivate static func of(_ cls: UnsafeMutableRawPointer?) -> ServerContext? {
    unsafe cls.map { unsafe Unmanaged<ServerContext>.fromOpaque($0).takeUnretainedValue() }
  }
}

func acceptConnection(
  _ cls: UnsafeMutableRawPointer?, _ address: UnsafePointer<sockaddr>?, _ size: socklen_t
) -> MHD_Result {
  let isAdmitted = unsafe ServerContext.of(cls)?.connections.admits(IPAddress(address)) ?? false
  return isAdmitted ? ba_mhd_yes : ba_mhd_no
}

/// Handles a request. The first call comes after the headers; responding then closes the connection,
/// which is right only for methods that may have a body, and for requests that are malformed.
func handleRequest(
  _ cls: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ url: UnsafePointer<CChar>?,
  _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?,
  _ upload: UnsafePointer<CChar>?, _ uploadSize: UnsafeMutablePointer<Int>?,
  _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let context = unsafe ServerContext.of(cls), let connection = unsafe connection,
    let url = unsafe url, let method = unsafe method, let state = unsafe state
  else { return ba_mhd_no }
  if let known = unsafe state.pointee {
    if let uploadSize = unsafe uploadSize, unsafe uploadSize.pointee > 0 {
      unsafe uploadSize.pointee = 0
      return ba_mhd_yes
    }
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
    return unsafe answer(exchange, connection, context)
  }
  let request = unsafe HTTPRequest(connection, method: method, url: url)
  let number = Int(bitPattern: connection)
  let exchange = Exchange(request) { context.connections.answers(number) }
  unsafe state.pointee = Unmanaged.passRetained(exchange).toOpaque()
  guard unsafe ba_mhd_is_well_formed(connection, method) != 0 else {
    let refusal = HTTPResponse.text(
      400, "400: the request is malformed: a name or a value, or more than one host or length",
      headers: [("Connection", "close")])
    return unsafe answer(exchange, connection, context, refusal)
  }
  if request.method == "GET" || request.method == "HEAD" { return ba_mhd_yes }
  return unsafe answer(exchange, connection, context)
}

private func answer(
  _ exchange: Exchange, _ connection: OpaquePointer, _ context: ServerContext,
  _ refusal: HTTPResponse? = nil
) -> MHD_Result {
  context.connections.answers(Int(bitPattern: connection))
  let response = refusal ?? context.handler(exchange.request)
  exchange.set(response)
  let handle: OpaquePointer?
  switch response.body {
  case .bytes(var bytes):
    unsafe handle = bytes.withUnsafeMutableBytes {
      unsafe MHD_create_response_from_buffer($0.count, $0.baseAddress, ba_mhd_copy)
    }
  case .transfer(let transfer):
    let kept = unsafe Unmanaged.passRetained(exchange).toOpaque()
    unsafe handle = MHD_create_response_from_callback(
      transfer.size, transferBlockSize, readTransfer, kept, releaseTransfer)
    if unsafe handle == nil { unsafe releaseTransfer(kept) }
  }
  guard let handle = unsafe handle else { return ba_mhd_no }
  for (name, value) in response.headers {
    unsafe MHD_add_response_header(handle, name, value)
  }
  let result = unsafe MHD_queue_response(connection, UInt32(response.status), handle)
  unsafe MHD_destroy_response(handle)
  return result
}

/// Four of TLS's largest records.
private let transferBlockSize = 64 << 10

private func readTransfer(
  _ cls: UnsafeMutableRawPointer?, _ position: UInt64, _ buffer: UnsafeMutablePointer<CChar>?,
  _ count: Int
) -> Int {
  guard let cls = unsafe cls, let buffer = unsafe buffer else { return ba_mhd_reader_failed }
  let exchange = unsafe Unmanaged<Exchange>.fromOpaque(cls).takeUnretainedValue()
  let target = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: count)
  guard let received = unsafe exchange.transfer?.read(at: position, into: target), received > 0
  else { return ba_mhd_reader_failed }
  exchange.sent.add(UInt64(received), ordering: .relaxed)
  exchange.progresses()
  return received
}

private func releaseTransfer(_ cls: UnsafeMutableRawPointer?) {
  guard let cls = unsafe cls else { return }
  unsafe Unmanaged<Exchange>.fromOpaque(cls).release()
}

func completeRequest(
  _ cls: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ reason: MHD_RequestTerminationCode
) {
  guard let context = unsafe ServerContext.of(cls), let state = unsafe state,
    let known = unsafe state.pointee
  else { return }
  unsafe state.pointee = nil
  let exchange = unsafe Unmanaged<Exchange>.fromOpaque(known).takeRetainedValue()
  context.connections.waits(Int(bitPattern: connection))
  context.observer(.answered(exchange.finished(isCut: reason != ba_mhd_completed)))
}

/// Keeps account of a connection, and registers a callback for its ClientHello, so a later
/// handshake failure can be attributed to a client.
func noteConnection(
  _ cls: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _ code: MHD_ConnectionNotificationCode
) {
  guard let connections = unsafe ServerContext.of(cls)?.connections,
    let connection = unsafe connection
  else { return }
  let number = Int(bitPattern: connection)
  guard code == ba_mhd_started else { return connections.remove(number) }
  unsafe connections.add(
    number, socket: ba_mhd_socket(connection),
    peer: IPAddress(ba_mhd_peer(connection)))
  if let session = unsafe ba_mhd_tls_session(connection) {
    unsafe gnutls_handshake_set_hook_function(
      OpaquePointer(session), UInt32(GNUTLS_HANDSHAKE_CLIENT_HELLO.rawValue),
      GNUTLS_HOOK_BOTH, noteHello)
  }
}

/// Records the session whose handshake runs on this thread, before its ClientHello is parsed and
/// after it was accepted.
private func noteHello(
  _ session: OpaquePointer?, _ type: UInt32, _ when: UInt32, _ incoming: UInt32,
  _ message: UnsafePointer<gnutls_datum_t>?
) -> CInt {
  guard let session = unsafe session else { return 0 }
  if when == UInt32(GNUTLS_HOOK_POST), let handshake = HandshakeThread.current {
    handshake.helloWasRead = true
  } else {
    // After the client has disconnected, the socket no longer has a peer.
    HandshakeThread.current = unsafe HandshakeThread.Handshake(
      session: session, peer: IPAddress(peerOf: gnutls_transport_get_int(session)))
  }
  return 0
}

/// libmicrohttpd logs a handshake failure on the connection's thread before it frees the session,
/// which is the only place with the alert that explains the failure.
func noteLog(
  _ cls: UnsafeMutableRawPointer?, _ format: UnsafePointer<CChar>?, _ arguments: CVaListPointer?
) {
  guard let context = unsafe ServerContext.of(cls), let format = unsafe format,
    unsafe String(cString: format).contains("handshake message")
  else { return }
  guard let handshake = HandshakeThread.current else {
    context.observer(.handshakeFailed(peer: nil, .notTLS))
    return
  }
  let handle = unsafe handshake.session
  let alert = unsafe gnutls_alert_get(handle)
  let name = unsafe gnutls_alert_get_name(alert).map { unsafe String(cString: $0) }
  let failure: HandshakeFailure =
    switch alert {
    case GNUTLS_A_UNKNOWN_CA, GNUTLS_A_BAD_CERTIFICATE, GNUTLS_A_CERTIFICATE_UNKNOWN,
      GNUTLS_A_CERTIFICATE_EXPIRED, GNUTLS_A_UNSUPPORTED_CERTIFICATE:
      .untrusted(alert: name ?? "bad certificate")
    case GNUTLS_A_PROTOCOL_VERSION, GNUTLS_A_HANDSHAKE_FAILURE, GNUTLS_A_INSUFFICIENT_SECURITY:
      .noCommonProtocol
    case GNUTLS_A_CLOSE_NOTIFY:
      handshake.helloWasRead ? .untrusted(alert: nil) : .noCommonProtocol
    default:
      .other(alert: name ?? "alert \(alert.rawValue)")
    }
  context.observer(.handshakeFailed(peer: handshake.peer, failure))
}

/// The bytes of a C string, without its NUL.
private func cBytes(_ text: UnsafePointer<CChar>) -> [UInt8] {
  unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
}

extension HTTPRequest {
  fileprivate init(
    _ connection: OpaquePointer, method: UnsafePointer<CChar>, url: UnsafePointer<CChar>
  ) {
    var headers: [Header: String] = [:]
    for header in Header.allCases {
      if let value = unsafe ba_mhd_header(connection, header.rawValue) {
        headers[header] = unsafe String(cString: value)
      }
    }
    let target = unsafe cBytes(url)
    let platform = unsafe ba_mhd_argument(connection, "platform").map { unsafe cBytes($0) }
    let version = unsafe ba_mhd_argument(connection, "version").map { unsafe cBytes($0) }
    unsafe self.init(
      method: brief(cBytes(method), 16), target: target, platform: platform, version: version,
      headers: headers, peer: IPAddress(ba_mhd_peer(connection)))
  }
}
