/// An event on a server.
package enum HTTPEvent: Sendable {
  /// A request was answered, at least in part.
  case answered(HTTPExchange)
  /// The client disconnected during the TLS handshake.
  case handshakeFailed(peer: IPAddress?, HandshakeFailure)
}

/// A request and its outcome.
package struct HTTPExchange: Sendable {
  /// The time of the request, in seconds since 1970.
  package let time: Int64
  /// The request.
  package let request: HTTPRequest
  /// The status of the response.
  package let status: Int
  /// The number of body bytes passed to the connection.
  package let bytes: UInt64
  /// The time from the request to the end of the response, in nanoseconds.
  package let duration: Int64
  /// Whether the connection was closed before the end of the response.
  package let isCut: Bool

  /// An exchange with these properties.
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

/// Why a TLS handshake failed.
package enum HandshakeFailure: Sendable, Equatable {
  /// The client doesn't trust the certificate: it sent this alert, or ended the handshake after
  /// receiving the certificate. (The alert that OpenSSL sends at that point is unencrypted,
  /// contrary to RFC 8446, and can't be read.)
  case untrusted(alert: String?)
  /// The client supports no TLS version or cipher that the server accepts.
  case noCommonProtocol
  /// The client doesn't use TLS, but perhaps plain HTTP.
  case notTLS
  /// The client sent another alert.
  case other(alert: String)
}
