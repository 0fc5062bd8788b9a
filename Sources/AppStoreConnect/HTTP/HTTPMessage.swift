import BAPackCore

package struct HTTPRequest: Sendable {
  package var method: String
  package var url: WebAddress
  /// For errors: `GET /v1/apps`.
  package var name: String
  package var headers: [HTTPHeader] = []
  package var body = Body.none

  package var mayBeRepeated: Bool { method == "GET" || method == "PUT" }

  package enum Body: Sendable {
    case none
    case bytes([UInt8])
    /// A range of an open file.
    case file(ArchiveInput, offset: UInt64, count: UInt64)

    package var count: UInt64 {
      switch self {
      case .none: 0
      case .bytes(let bytes): UInt64(bytes.count)
      case .file(_, _, let count): count
      }
    }
  }
}

package struct HTTPHeader: Hashable, Sendable {
  package let name: String
  package let value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// An HTTP response. Header names are in lowercase.
package struct HTTPResponse: Sendable {
  package let status: Int
  package let headers: [String: String]
  package let body: [UInt8]

  /// The server's clock, in seconds since 1970.
  package var date: Int? { headers["date"].flatMap(secondsSince1970(httpDate:)) }

  /// The `Retry-After` header, in seconds or as a date.
  package var retryAfter: Duration? {
    guard let value = headers["retry-after"] else { return nil }
    if let seconds = Int(value) { return .seconds(max(0, seconds)) }
    guard let then = secondsSince1970(httpDate: value) else { return nil }
    return .seconds(max(0, then - (date ?? secondsSince1970())))
  }

  package var isTemporary: Bool { status == 408 || status == 429 || (500...599).contains(status) }
}
