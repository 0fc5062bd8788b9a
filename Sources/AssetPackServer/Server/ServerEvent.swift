import BAPackCore

/// An event while serving packs.
package enum ServerEvent: Sendable {
  /// A request was answered, at least in part.
  case answered(HTTPExchange)
  /// The client disconnected during the TLS handshake.
  case handshakeFailed(peer: IPAddress?, HandshakeFailure)
  /// A manifest was requested, which didn't list these packs because they are for other platforms.
  case leftOut([ServedPack], platform: String, peer: IPAddress?)
  /// An unknown pack was requested; the nearest identifier is similar.
  case unknownPack(String, similar: String?, peer: IPAddress?)
  /// The host of a request isn't in the certificate, or its port isn't the server's.
  case foreignHost(String, peer: IPAddress?)
  /// The file of a pack was modified after it was opened.
  case changedOnDisk(BytePath, identifier: String)
  /// The file of a pack could not be read.
  case unreadable(BytePath, identifier: String)
}

/// A request and its outcome.
package struct HTTPExchange: Sendable {
  /// The time of the request, in seconds since 1970.
  package let time: Int64
  package let request: HTTPRequest
  package let status: Int
  /// The number of body bytes passed to the connection.
  package let bytes: UInt64
  /// The time from the request to the end of the response, in nanoseconds.
  package let duration: Int64
  /// Whether the connection was closed before the end of the response.
  package let isCut: Bool

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

extension HTTPExchange {
  /// The request as a line of text.
  package var line: String {
    var parts = [
      Clock.timeOfDay(time), request.peer.map(\.description) ?? "-", request.method,
      brief(request.target) + (request.platform.map { "?platform=" + brief($0) } ?? ""),
      "\(status)",
    ]
    if let range = request[.range] { parts.append("(\(brief(range.utf8, 64)))") }
    parts.append(byteCount(bytes))
    parts.append(seconds + " s")
    if isCut { parts.append("cut off") }
    return parts.joined(separator: " ")
  }

  /// The request as JSON.
  package var json: JSONValue {
    .object([
      "event": "request", "time": Clock.timestamp(time),
      "peer": request.peer.map(\.description) ?? "", "method": request.method,
      "path": brief(request.target), "platform": request.platform.map { brief($0) },
      "range": request[.range].map { brief($0.utf8, 64) }, "status": status, "bytes": bytes,
      "seconds": JSONValue(.number(JSONNumber(text: seconds))), "isCut": isCut,
    ])
  }

  /// Seconds with three decimals.
  private var seconds: String {
    let milliseconds = (duration + 500_000) / 1_000_000
    return "\(milliseconds / 1000)." + String(String(milliseconds % 1000 + 1000).dropFirst())
  }
}
