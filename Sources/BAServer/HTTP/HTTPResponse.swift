struct HTTPResponse: Sendable {
  let status: Int
  /// Names and values, in order. Date, Connection and Content-Length are added automatically.
  let headers: [(name: String, value: String)]
  /// The body, which is omitted for HEAD.
  let body: Body

  enum Body: Sendable {
    case bytes([UInt8])
    case transfer(PackTransfer)
  }

  /// A response that browsers take for what it declares, and that nobody keeps.
  static func fresh(
    _ status: Int, _ type: String, _ bytes: [UInt8], headers: [(name: String, value: String)] = []
  ) -> HTTPResponse {
    HTTPResponse(
      status: status,
      headers: [
        ("Content-Type", type), ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
      ] + headers, body: .bytes(bytes))
  }

  /// A plain-text response: a sentence that is displayed by a browser or curl.
  static func text(
    _ status: Int, _ sentence: String, headers: [(name: String, value: String)] = []
  ) -> HTTPResponse {
    fresh(status, "text/plain; charset=utf-8", Array((sentence + "\n").utf8), headers: headers)
  }

  static var isAboutToStop: HTTPResponse {
    text(503, "503: the server is about to stop", headers: [("Connection", "close")])
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
