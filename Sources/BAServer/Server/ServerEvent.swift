import BAPackCore

package enum ServerEvent: Sendable {
  /// A request was answered, at least in part.
  case answered(HTTPExchange)
  case handshakeFailed(peer: IPAddress?, HandshakeFailure)
  /// A manifest was requested, which didn't list these packs because they are for other platforms.
  case leftOut([ServedPack], platform: String, peer: IPAddress?)
  /// An unknown pack was requested; the nearest identifier is similar.
  case unknownPack(String, similar: String?, peer: IPAddress?)
  /// The host of a request isn't in the certificate, or its port isn't the server's.
  case foreignHost(String, peer: IPAddress?)
  case wrongPassword(peer: IPAddress?)
  case changedOnDisk(BytePath, identifier: String)
  case unreadable(BytePath, identifier: String)
}

package struct HTTPExchange: Sendable {
  package let request: HTTPRequest
  package let status: Int
  /// The time of the request, in seconds since 1970.
  package var time: Int64 = 0
  /// The number of body bytes passed to the connection.
  package var bytes: UInt64 = 0
  /// The time from the request to the end of the response, in nanoseconds.
  package var duration: Int64 = 0
  /// Whether the connection was closed before the end of the response.
  package var isCut = false

  package init(_ request: HTTPRequest, status: Int) {
    self.request = request
    self.status = status
  }
}

package enum HandshakeFailure: Sendable, Equatable {
  /// The client doesn't trust the certificate: it sent this alert, or ended the handshake after
  /// receiving the certificate. (The alert that OpenSSL sends at that point is unencrypted,
  /// contrary to RFC 8446, and can't be read.)
  case untrusted(alert: String?)
  /// The client supports no TLS version or cipher that the server accepts.
  case noCommonProtocol
  /// The client doesn't use TLS, but perhaps plain HTTP.
  case notTLS
  case other(alert: String)
}

extension HTTPExchange {
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

  package var json: JSONValue {
    .object([
      "event": "request", "time": Clock.timestamp(time),
      "peer": request.peer.map(\.description) ?? "", "method": request.method,
      "path": brief(request.target), "platform": request.platform.map { brief($0) },
      "range": request[.range].map { brief($0.utf8, 64) }, "status": status, "bytes": bytes,
      "seconds": JSONValue(.number(JSONNumber(text: seconds))), "isCut": isCut,
    ])
  }

  private var seconds: String {
    let milliseconds = (duration + 500_000) / 1_000_000
    return "\(milliseconds / 1000)." + String(String(milliseconds % 1000 + 1000).dropFirst())
  }
}
