import BAPackCore

struct HTTPRequest: Sendable {
  let method: String
  let url: WebAddress
  /// For errors: `GET /v1/apps`.
  let name: String
  var headers: [(name: String, value: String)] = []
  var body: Body?

  enum Body: Sendable {
    case bytes([UInt8])
    case file(ArchiveInput, offset: UInt64, count: UInt64)

    var count: UInt64 {
      switch self {
      case .bytes(let bytes): UInt64(bytes.count)
      case .file(_, _, let count): count
      }
    }

    func part(_ range: Range<UInt64>) -> Body {
      switch self {
      case .bytes(let bytes):
        .bytes(Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
      case .file(let input, let offset, _):
        .file(input, offset: offset + range.lowerBound, count: range.length)
      }
    }
  }
}

extension Range<UInt64> {
  var length: UInt64 { upperBound - lowerBound }
}

/// An HTTP response. Header names are in lowercase.
struct HTTPResponse: Sendable {
  let status: Int
  let headers: [String: String]
  let body: [UInt8]

  /// The server's clock, in seconds since 1970.
  var date: Int? { headers["date"].flatMap(secondsSince1970(httpDate:)) }

  /// The `Retry-After` header, in seconds or as a date.
  var retryAfter: Duration? {
    guard let value = headers["retry-after"] else { return nil }
    if let seconds = Int(value) { return .seconds(max(0, seconds)) }
    guard let then = secondsSince1970(httpDate: value) else { return nil }
    return .seconds(max(0, then - (date ?? secondsSince1970())))
  }

  var isTemporary: Bool { status == 408 || status == 429 || (500...599).contains(status) }
}
