/// The response to a request.
package struct HTTPResponse: Sendable {
  /// The status code.
  package var status: Int
  /// Names and values, in order. Date, Connection and Content-Length are added automatically.
  package var headers: [(name: String, value: String)]
  /// The body, which is omitted for HEAD.
  package var body: Body

  /// The contents of a response.
  package enum Body: Sendable {
    /// These bytes.
    case bytes([UInt8])
    /// Contents that are read while they are sent.
    case transfer(any Transfer)
  }

  /// A response with these parts.
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

/// A body that is read while it is sent, by one thread at a time.
package protocol Transfer: AnyObject, Sendable {
  /// The size in bytes.
  var size: UInt64 { get }
  /// Copies bytes from `offset` to `buffer` and returns their number, at least 1; nil closes the
  /// connection.
  func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int?
}
