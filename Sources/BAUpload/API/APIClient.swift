import BAPackCore

/// A client for App Store Connect's API. Sends one request at a time.
///
/// Requests are repeated after a temporary failure. One that creates or changes something isn't
/// repeated blindly: if its outcome is unknown, the server is asked first.
package final class APIClient {
  package let server: WebAddress
  private let key: APIKey
  private let connection: Connection
  /// Receives a line for each response and pause, without secrets, and whether it is a detail.
  private let log: (String, Bool) -> Void
  private var token: (text: String, expires: Int)?
  /// Texts that must not be shown: the tokens that may still be valid, and their parts.
  private var secrets: [[UInt8]] = []
  /// The maximum duration of a call, with all its pages and attempts.
  private let longestCall: Duration
  /// How far the local clock is ahead of the server's, in seconds.
  private var clockAhead = 0
  private var deadline: ContinuousClock.Instant?

  package static let appleServer = "https://api.appstoreconnect.apple.com"
  /// The limits of a list: a server could send pages without end.
  private static let maximumPages = 1000
  private static let maximumListSize = 32 << 20

  /// A client that cancels a request after `timeout` seconds without a byte, and a call after ten
  /// times as long, or ten minutes.
  package init(
    _ server: WebAddress, _ key: APIKey, timeout: Int,
    log: @escaping (_ line: String, _ isDetail: Bool) -> Void = { _, _ in }
  ) {
    self.server = server
    self.key = key
    self.log = log
    connection = Connection(timeout: timeout)
    longestCall = min(.seconds(10 * timeout), Retry.longestWait)
  }

  /// The document at `path`.
  package func get(_ path: String, _ query: [(String, String)] = []) throws -> JSONValue {
    try call { try attempt("GET", address(path, query)).document }
  }

  /// The server's time, in seconds since 1970.
  var serverTime: Int { secondsSince1970() - clockAhead }

  package func resource(_ path: String) throws -> Resource {
    try resource(in: get(path), "GET \(path)")
  }

  /// All resources of a list, from all pages, and the included ones.
  package func list(
    _ path: String, _ query: [(String, String)] = []
  ) throws -> (resources: [Resource], included: [Resource]) {
    var next = address(path, query + [("limit", "200")])
    var resources: [Resource] = []
    var included: [Resource] = []
    var size = 0
    return try timed {
      for _ in 0..<Self.maximumPages {
        let (document, bytes) = try call { try attempt("GET", next) }
        let values = document["data"]?.array ?? []
        let page = values.compactMap { Resource($0) }
        guard document["data"]?.array != nil, page.count == values.count else {
          throw StoreError(response: "GET \(path)", "'data' is not a list of resources")
        }
        resources += page
        included += (document["included"]?.array ?? []).compactMap { Resource($0) }
        guard let link = document["links"]?["next"]?.string else { return (resources, included) }
        // The token must not be sent to another server, whatever the response contains.
        guard WebAddress(link)?.origin == server.origin, link != next, !page.isEmpty else {
          throw StoreError(response: "GET \(path)", "the link to the next page leads elsewhere")
        }
        size += bytes
        guard size <= Self.maximumListSize else {
          throw StoreError(
            response: "GET \(path)", "the list has more than \(grouped(Self.maximumListSize)) bytes"
          )
        }
        next = link
      }
      throw StoreError(
        response: "GET \(path)", "the list has more than \(grouped(Self.maximumPages)) pages")
    }
  }

  /// Creates a resource, and returns its `record`.
  ///
  /// After an attempt with an unknown outcome (no response, or a server error), `find` looks for
  /// the resource; the request is repeated only if it doesn't exist.
  func create<Record>(
    _ request: ResourceRequest, _ record: (Resource) throws -> Record, find: () throws -> Record?
  ) throws -> Record {
    var isRepeated = false
    return try call {
      if isRepeated, let found = try find() { return found }
      isRepeated = true
      let document = try attempt("POST", address(request.path), request.document).document
      return try record(resource(in: document, request.line))
    }
  }

  /// Changes a resource. After an attempt with an unknown outcome, `isDone` checks for the change.
  func change(_ request: ResourceRequest, isDone: () throws -> Bool) throws {
    var isRepeated = false
    try call {
      if isRepeated, try isDone() { return }
      isRepeated = true
      _ = try attempt("PATCH", address(request.path), request.document)
    }
  }

  private func address(_ path: String, _ query: [(String, String)] = []) -> String {
    let words = query.map { "\(percentEncoded($0))=\(percentEncoded($1))" }
    return server.origin + path + (words.isEmpty ? "" : "?" + words.joined(separator: "&"))
  }

  private func resource(in document: JSONValue, _ request: String) throws -> Resource {
    guard let resource = document["data"].flatMap({ Resource($0) }) else {
      throw StoreError(response: request, "'data' is not a resource")
    }
    return resource
  }

  /// The result of `body`, which is repeated after temporary failures.
  private func call<Result>(_ body: () throws -> Result) throws -> Result {
    try timed {
      try Retry.run(
        until: deadline,
        failed: { error, delay in
          let seconds = delay.components.seconds + 1
          log("\(error)\nagain in \(seconds) s", seconds <= 5)
        }, body)
    }
  }

  /// Calls `body` with a deadline. A call within a call has the same one.
  private func timed<Result>(_ body: () throws -> Result) throws -> Result {
    guard deadline == nil else { return try body() }
    deadline = .now + longestCall
    defer { deadline = nil }
    return try body()
  }

  /// Sends a request once; returns the document in the response, and its size.
  private func attempt(
    _ method: String, _ address: String, _ document: JSONValue? = nil
  ) throws -> (document: JSONValue, size: Int) {
    let isNew = try renewToken()
    guard let url = WebAddress(address) else { preconditionFailure("the address was checked") }
    let name = shown("\(method) \(url.shown.dropFirst(server.origin.utf8.count))")
    var request = HTTPRequest(
      method: method, url: url, name: name,
      headers: [
        ("Authorization", "Bearer \(token?.text ?? "")"),
        ("User-Agent", "ba-upload/\(toolVersion)"), ("Accept", "application/json"),
      ])
    if let document {
      request.headers.append(("Content-Type", "application/json"))
      request.body = .bytes(JSONWriter.bytes(document, .compact))
    }
    let response: HTTPResponse
    do {
      response = try connection.send(
        request, limit: deadline.map { $0 - .now } ?? Retry.longestWait)
    } catch {
      log("\(error)", true)
      throw error
    }
    if let date = response.date { clockAhead = secondsSince1970() - date }
    let limit = response.headers["x-rate-limit"].map { " (\(shown($0)))" } ?? ""
    log("\(name): \(response.status)\(limit)", true)
    if response.status == 401, !isNew {
      // An upload may take longer than a token's lifetime, and the clock may be set during it.
      token = nil
      return try attempt(method, address, document)
    }
    if (300...399).contains(response.status) {
      throw StoreError(response: name, "a redirection, which the API doesn't use")
    }
    let answer = JSONDocument(reading: SourceText(name: name, bytes: response.body))
    let root = answer.root.map(shown)
    guard (200...299).contains(response.status) else {
      throw StoreError(
        Refusal(
          request: name, response: response, document: root, isIndividual: key.issuer == nil))
    }
    guard answer.isStrict, let root else { throw StoreError(response: name, "it is not JSON") }
    return (root, response.body.count)
  }

  /// Creates a token if there is none or it is too old; returns whether it did.
  private func renewToken() throws -> Bool {
    let now = secondsSince1970()
    if let token, now < token.expires - APIKey.lifetime / 2,
      now > token.expires - APIKey.lifetime - 60
    {
      return false
    }
    guard let text = key.token(now: now) else {
      throw StoreError("the token can't be signed with the API key")
    }
    token = (text, now + APIKey.lifetime)
    let parts = [Array(text.utf8)] + text.utf8.split(separator: UInt8(ascii: ".")).map(Array.init)
    secrets = parts + secrets.prefix(2 * parts.count)
    return true
  }

  /// A value of a response whose texts can be shown: escaped, and without the secrets that the
  /// server may repeat. URLs that requests are sent to are left as they are.
  private func shown(_ value: JSONValue) -> JSONValue {
    switch value.content {
    case .string(let text): JSONValue(shown(text))
    case .array(let elements): JSONValue(.array(elements.map(shown)))
    case .object(let members):
      JSONValue(
        .object(
          members.map { member in
            ["links", "uploadOperations"].contains(member.key)
              ? member : JSONMember(member.key, shown(member.value))
          }))
    default: value
    }
  }

  private func shown(_ text: String) -> String {
    let text = secrets.reduce(Array(withoutSecrets(text).utf8)) {
      $0.replacing($1, with: Array("[secret]".utf8))
    }
    return printable(text)
  }
}
