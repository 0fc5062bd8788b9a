/// What a request is answered with.
package struct HTTPResponse: Sendable {
  /// The status code.
  package var status: Int
  /// Names and values, in order; Date, Connection and Content-Length are added.
  package var headers: [(name: String, value: String)]
  /// What follows the headers, for GET.
  package var body: Body

  /// The contents of a response.
  package enum Body: Sendable {
    /// These bytes.
    case bytes([UInt8])
    /// What a transfer reads while it is sent.
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

  /// A response in plain text: a sentence that a person sees in a browser or in curl.
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

/// Contents that are read while they are sent, by one thread at a time.
package protocol Transfer: AnyObject, Sendable {
  /// How many bytes there are.
  var size: UInt64 { get }
  /// Puts bytes from `offset` into `buffer` and returns how many, at least 1; nil to cut the
  /// connection.
  func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int?
}
