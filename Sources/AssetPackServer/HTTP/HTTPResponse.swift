package struct HTTPResponse: Sendable {
  package var status: Int
  /// Names and values, in order. Date, Connection and Content-Length are added automatically.
  package var headers: [(name: String, value: String)]
  /// The body, which is omitted for HEAD.
  package var body: Body

  package enum Body: Sendable {
    case bytes([UInt8])
    /// Contents that are read while they are sent.
    case transfer(any Transfer)
  }

  package init(
    _ status: Int, headers: [(name: String, value: String)] = [], body: Body = .bytes([])
  ) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A plain-text response: a sentence that is displayed by a browser or curl.
  package static func text(
    _ status: Int, _ sentence: String, headers: [(name: String, value: String)] = []
  ) -> HTTPResponse {
    HTTPResponse(
      status,
      headers: [
        ("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
      ] + headers,
      body: .bytes(Array((sentence + "\n").utf8)))
  }
}

extension HTTPRequest {
  /// The response to a method other than GET and HEAD.
  var refusalOfMethod: HTTPResponse? {
    method == "GET" || method == "HEAD"
      ? nil
      : .text(405, "405: only GET and HEAD are allowed", headers: [("Allow", "GET, HEAD")])
  }
}

/// A body that is read while it is sent, by one thread at a time.
package protocol Transfer: AnyObject, Sendable {
  var size: UInt64 { get }
  /// Copies bytes from `offset` to `buffer` and returns their number, at least 1; nil closes the
  /// connection.
  func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int?
}
