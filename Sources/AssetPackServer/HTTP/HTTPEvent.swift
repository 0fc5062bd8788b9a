/// What happens on a server.
package enum HTTPEvent: Sendable {
  /// A request was answered, as far as it went.
  case answered(HTTPExchange)
  /// A client went away while it and the server agreed on TLS.
  case handshakeFailed(peer: IPAddress?, HandshakeFailure)
}

/// A request with what became of it.
package struct HTTPExchange: Sendable {
  /// When the request came in: seconds since 1970.
  package let time: Int64
  /// The request.
  package let request: HTTPRequest
  /// The status of the answer.
  package let status: Int
  /// Bytes of the body that were handed to the connection.
  package let bytes: UInt64
  /// Nanoseconds from the request to the end of the answer.
  package let duration: Int64
  /// Whether the client or the server ended the connection before the end of the answer.
  package let isCut: Bool

  /// An exchange of these parts.
  package init(
    time: Int64, request: HTTPRequest, status: Int, bytes: UInt64, duration: Int64, isCut: Bool
  ) {
    self.time = time
    self.request = request
    self.status = status
    self.bytes = bytes
    self.duration = duration
    self.isCut = isCut
  }
}

/// Why no TLS connection came about.
package enum HandshakeFailure: Sendable, Equatable {
  /// The client does not trust the certificate: it sent this alert, or ended the handshake after it
  /// had seen the certificate. (An alert that OpenSSL sends then is not encrypted, as RFC 8446 would
  /// have it, and can't be read.)
  case untrusted(alert: String?)
  /// The client knows no version of TLS or no cipher that the server accepts.
  case noCommonProtocol
  /// The client speaks something else: plain HTTP, perhaps.
  case notTLS
  /// The client sent another alert.
  case other(alert: String)
}
