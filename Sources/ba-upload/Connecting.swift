import BACommandLine
import BAPackCore
import BAUpload

/// The options that all commands need to access the API.
struct Connecting {
  static let keyID = Option(
    "key-id", name: "id", .text,
    help: "The API key's id; read from the key's file name unless given.")
  static let issuerID = Option(
    "issuer-id", name: "id", .text,
    help: "The issuer's id of a team's key; individual keys have none.")
  static let key = Option(
    "key", name: "file", .file(["p8", "json"]),
    help: "The API key: a .p8 file, or fastlane's JSON file.")
  static let api = Option(
    "api", name: "url", .text, help: "The address of the API, if it is not Apple's.")
  static let timeout = Option(
    "timeout", name: "seconds", .integer(1...3600), default: "60",
    help: """
      How long a request may go without a byte before it counts as lost. A call to the API takes at \
      most ten times as long, or ten minutes.
      """)
  static let verbose = Option(
    "verbose", "v", help: "Show each request and the status of its response.")
  static let options = [keyID, issuerID, key, api, timeout, verbose]

  private var search = KeySearch()
  let server: WebAddress
  let timeoutSeconds: Int
  let isVerbose: Bool

  init(_ typed: TypedArguments) throws(UsageError) {
    search.keyID = try typed.text(Self.keyID)
    search.issuerID = try typed.text(Self.issuerID)
    search.file = typed.path(Self.key)
    timeoutSeconds = typed.integer(Self.timeout) ?? 60
    isVerbose = typed.has(Self.verbose)
    let variable = "BA_UPLOAD_API"
    let given = typed.value(Self.api)
    let address = given ?? ProcessContext.environment(variable) ?? Array(APIClient.appleServer.utf8)
    guard let server = WebAddress(String(decoding: address, as: UTF8.self)),
      ["", "/"].contains(server.text.dropFirst(server.origin.utf8.count))
    else {
      // The value may be a key, or have a password.
      throw UsageError(
        "\(given == nil ? variable : "'--api'") is not the address of a server: expected a URL with"
          + " https and nothing after the host, such as https://api.example.com; http, only on this"
          + " machine, keeps the API key's token secret")
    }
    self.server = server
  }

  func client(_ log: UploadLog = UploadLog()) throws -> APIClient {
    var search = search
    search.warn = { log.tell("warning: \($0)") }
    if server.origin != APIClient.appleServer, !server.isLoopback {
      log.tell("note: the API is at \(server.origin), not Apple's")
    }
    return APIClient(server, try search.find(), timeout: timeoutSeconds) { line, isDetail in
      if isVerbose || !isDetail { log.tell(line) }
    }
  }
}
