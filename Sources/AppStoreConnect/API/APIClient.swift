import BAPackCore

/// A client for App Store Connect's API. Sends one request at a time.
///
/// Idempotent requests (`GET`) are retried after a temporary failure. A request that creates
/// something isn't: if its outcome is unknown, ``create(_:_:find:)`` asks the server first.
package final class APIClient {
  /// The API's base address.
  package let server: WebAddress
  private let key: APIKey
  private let connection: Connection
  package let retry: Retry
  /// Receives a line for each request, response and pause, without secrets.
  private let log: (LogLine) -> Void
  private var token: (text: String, expires: Int)?

  /// A log entry.
  package enum LogLine: Sendable {
    /// A request and its outcome.
    case request(String)
    /// The request is repeated after a pause.
    case pause(Duration, after: StoreError)
  }

  /// The maximum duration of a call.
  package static let longestCall = Duration.seconds(600)
  /// Apple's server.
  package static let appleServer = "https://api.appstoreconnect.apple.com"

  /// A client that cancels a request after `timeout` seconds without a byte.
  package init(
    _ server: WebAddress, _ key: APIKey, timeout: Int, retry: Retry = Retry(),
    log: @escaping (LogLine) -> Void = { _ in }
  ) {
    self.server = server
    self.key = key
    self.retry = retry
    self.log = log
    connection = Connection(timeout: timeout)
  }

  /// The document at `path`.
  package func get(_ path: String, _ query: [(String, String)] = []) throws(StoreError) -> JSONValue
  {
    try getAddress(server.origin + path + queryText(query))
  }

  /// All resources of a list, from all pages, and the included ones.
  package func list(
    _ path: String, _ query: [(String, String)] = []
  ) throws(StoreError) -> (resources: [Resource], included: [Resource]) {
    var address = server.origin + path + queryText(query + [("limit", "200")])
    var resources: [Resource] = []
    var included: [Resource] = []
    while true {
      let document = try getAddress(address)
      let values = document["data"]?.array ?? []
      let page = values.compactMap { Resource($0) }
      guard document["data"]?.array != nil, page.count == values.count else {
        throw .answer(request: "GET \(path)", "'data' is not a list of resources")
      }
      resources += page
      included += (document["included"]?.array ?? []).compactMap { Resource($0) }
      guard let next = document["links"]?["next"]?.string else { break }
      // The token must not be sent to another server, whatever the response says.
      guard let url = try? WebAddress(next), url.origin == server.origin, next != address,
        !page.isEmpty
      else { throw .answer(request: "GET \(path)", "the link to the next page leads elsewhere") }
      address = next
    }
    return (resources, included)
  }

  /// Creates a resource, and returns it.
  ///
  /// After an attempt with an unknown outcome (no response, or a server error), `find` looks for
  /// the resource; the request is repeated only if it doesn't exist.
  package func create(
    _ path: String, _ document: JSONValue, find: () throws(StoreError) -> Resource?
  ) throws(StoreError) -> Resource {
    var failures = 0
    while true {
      switch try attempt("POST", server.origin + path, document) {
      case .done(let answer):
        guard let resource = answer["data"].flatMap({ Resource($0) }) else {
          throw .answer(request: "POST \(path)", "'data' is not a resource")
        }
        return resource
      case .refused(let refusal): throw .refused(refusal)
      case .failed(let error, let asked):
        failures += 1
        guard failures < retry.attempts else { throw error }
        try wait(after: failures, error, asked)
        if let found = try find() { return found }
      }
    }
  }

  /// Changes a resource. After an attempt with an unknown outcome, `isDone` checks for the change.
  package func change(
    _ path: String, _ document: JSONValue, isDone: () throws(StoreError) -> Bool
  ) throws(StoreError) {
    var failures = 0
    while true {
      switch try attempt("PATCH", server.origin + path, document) {
      case .done: return
      case .refused(let refusal): throw .refused(refusal)
      case .failed(let error, let asked):
        failures += 1
        guard failures < retry.attempts else { throw error }
        try wait(after: failures, error, asked)
        if try isDone() { return }
      }
    }
  }

  private func getAddress(_ address: String) throws(StoreError) -> JSONValue {
    var failures = 0
    while true {
      switch try attempt("GET", address, nil) {
      case .done(let answer): return answer
      case .refused(let refusal): throw .refused(refusal)
      case .failed(let error, let asked):
        failures += 1
        guard failures < retry.attempts else { throw error }
        try wait(after: failures, error, asked)
      }
    }
  }

  private func wait(
    after failures: Int, _ error: StoreError, _ asked: Duration?
  ) throws(StoreError) {
    let delay = retry.delay(after: failures, asked: asked)
    log(.pause(delay, after: error))
    pause(delay)
    if let signal = Interruption.pending { throw .interrupted(signal) }
  }

  private func queryText(_ query: [(String, String)]) -> String {
    if query.isEmpty { return "" }
    return "?" + query.map { "\(percentEncoded($0))=\(percentEncoded($1))" }.joined(separator: "&")
  }

  /// The outcome of an attempt.
  private enum Attempt {
    /// It succeeded; the response is a document.
    case done(JSONValue)
    /// It failed permanently.
    case refused(Refusal)
    /// The outcome is unknown; another attempt may succeed, after `asked`.
    case failed(StoreError, asked: Duration?)
  }

  private func attempt(
    _ method: String, _ address: String, _ document: JSONValue?
  ) throws(StoreError) -> Attempt {
    let isNew = try renewToken()
    let url = try mapping(
      { (_: WebAddress.Problem) in StoreError.answer(request: method, "an address can't be used") },
      WebAddress(address))
    let shown = "\(method) \(String(url.shown.dropFirst(server.origin.utf8.count)))"
    let response: HTTPResponse
    do throws(TransportError) {
      response = try connection.send(request(method, url, document))
    } catch {
      log(.request("\(shown): \(error.message)"))
      let failure = StoreError.failing(.transport(error, request: shown))
      guard error.isTemporary else { throw failure }
      return .failed(failure, asked: nil)
    }
    log(.request("\(shown): \(response.status)\(limitText(response))"))
    if response.status == 401, !isNew {
      // An upload may take longer than a token's lifetime, and the clock may be set during it.
      token = nil
      return try attempt(method, address, document)
    }
    guard (200...299).contains(response.status) else {
      let refusal = refusal(response, shown)
      if (300...399).contains(response.status) {
        throw .answer(request: shown, "a redirection, which the API doesn't use")
      }
      return response.isTemporary
        ? .failed(.refused(refusal), asked: response.retryAfter) : .refused(refusal)
    }
    let answer = JSONDocument(reading: SourceText(name: shown, bytes: response.body))
    guard answer.isStrict, let root = answer.root else {
      throw .answer(request: shown, "it is not JSON")
    }
    return .done(root)
  }

  private func request(_ method: String, _ url: WebAddress, _ document: JSONValue?) -> HTTPRequest {
    var request = HTTPRequest(
      method: method, url: url,
      headers: [
        HTTPHeader("Authorization", "Bearer \(token?.text ?? "")"),
        HTTPHeader("User-Agent", "ba-upload/\(toolVersion)"),
        HTTPHeader("Accept", "application/json"),
      ])
    if let document {
      request.headers.append(HTTPHeader("Content-Type", "application/json"))
      request.body = .bytes(JSONWriter.bytes(document, .compact))
    }
    return request
  }

  /// Creates a token if there is none or it is too old; returns whether it did.
  private func renewToken() throws(StoreError) -> Bool {
    let now = secondsSince1970()
    if let token, now < token.expires - APIKey.lifetime / 2,
      now > token.expires - APIKey.lifetime - 60
    {
      return false
    }
    guard let text = key.token(now: now) else { throw .signing }
    token = (text, now + APIKey.lifetime)
    return true
  }

  private func refusal(_ response: HTTPResponse, _ request: String) -> Refusal {
    let document = JSONDocument(reading: SourceText(name: request, bytes: response.body)).root
    let errors = (document?["errors"]?.array ?? []).prefix(20).map { error in
      let source = error["source"]
      return APIError(
        code: shown(error["code"]?.string ?? "?"),
        detail: shown(error["detail"]?.string ?? error["title"]?.string ?? "no reason is given"),
        source: (source?["pointer"]?.string ?? source?["parameter"]?.string).map(shown))
    }
    return Refusal(
      request: request, status: response.status, errors: errors,
      clockAhead: response.date.map { secondsSince1970() - $0 }, isIndividual: key.issuer == nil)
  }

  /// Text of the server, escaped for display, and without the token, in case the server repeats it.
  package func shown(_ text: String) -> String {
    var result = withoutQueries(text)
    for secret in token.map({ [$0.text] + $0.text.split(separator: ".").map(String.init) }) ?? [] {
      result = replacing(secret, in: result)
    }
    return printable(result.utf8)
  }

  private func limitText(_ response: HTTPResponse) -> String {
    response.headers["x-rate-limit"].map { " (\(printable($0.utf8)))" } ?? ""
  }
}

/// `text` with each `secret` replaced by `[secret]`.
private func replacing(_ secret: String, in text: String) -> String {
  let secret = Array(secret.utf8)
  let bytes = Array(text.utf8)
  guard !secret.isEmpty else { return text }
  var result: [UInt8] = []
  var index = 0
  while index < bytes.count {
    if bytes[index...].starts(with: secret) {
      result += "[secret]".utf8
      index += secret.count
    } else {
      result.append(bytes[index])
      index += 1
    }
  }
  return String(decoding: result, as: UTF8.self)
}
