import AppStoreConnect
import BAPackCore
import CommandLine

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
    help: "How long a request may go without a byte before it counts as lost.")
  static let verbose = Option(
    "verbose", "v", help: "Show each request and its answer's status.")
  static let options = [keyID, issuerID, key, api, timeout, verbose]

  let search: KeySearch
  let server: WebAddress
  let timeoutSeconds: Int
  let isVerbose: Bool

  init(_ typed: TypedArguments) throws(UsageError) {
    search = KeySearch(
      keyID: try typed.text(Self.keyID), issuerID: try typed.text(Self.issuerID),
      file: typed.path(Self.key))
    timeoutSeconds = typed.integer(Self.timeout) ?? 60
    isVerbose = typed.has(Self.verbose)
    let given = typed.value(Self.api) ?? ProcessContext.environment("BA_UPLOAD_API")
    let address = given ?? Array(APIClient.appleServer.utf8)
    do throws(WebAddress.Problem) {
      server = try WebAddress(String(decoding: address, as: UTF8.self))
    } catch {
      switch error {
      case .malformed:
        throw .invalid(
          address, for: Self.api, reason: "expected a URL such as https://api.example.com")
      case .plainHTTP:
        throw .invalid(
          address, for: Self.api,
          reason: "only https, or http to this machine, keeps the API key's token secret")
      }
    }
  }

  /// The key, from wherever it is stored.
  func findKey() throws(CommandError) -> APIKey {
    return try mapping({ CommandError(.key($0)) }, search.find())
  }

  /// A client for the API.
  func client(_ key: APIKey, _ log: UploadLog) -> APIClient {
    APIClient(server, key, timeout: timeoutSeconds) { line in
      switch line {
      case .request(let text): if isVerbose { log.note(text) }
      case .pause(let delay, let error):
        let seconds = delay.components.seconds + 1
        // Short pauses are not worth a message.
        if isVerbose || seconds > 5 { log.note("\(error)\nagain in \(seconds) s") }
      }
    }
  }
}

extension StoreError {
  /// The option of this program that helps, to follow the description.
  fileprivate var remedy: String {
    switch self {
    case .noPack: "; --create creates it, with a permanent name"
    case .key(.noKey):
      ". Give --key with the .p8 file of App Store Connect, or --key-id, or set ASC_KEY_ID and "
        + "ASC_ISSUER_ID."
    case .key(.noKeyID): "; give --key-id"
    case .key(.noIssuer): "; give --issuer-id"
    case .key(.notFound): "; --key names the file"
    default: ""
    }
  }
}

extension CommandError {
  init(_ error: StoreError) {
    if case .interrupted(let signal) = error {
      self = .interrupted(signal, "\(error)")
    } else {
      self = .failure("\(error)" + error.remedy)
    }
  }

  /// The result of `body`. Converts errors of the store or the system to those of a command.
  static func ofStore<Result>(
    _ body: @autoclosure () throws(StoreError) -> Result
  ) throws(CommandError) -> Result {
    try mapping({ CommandError($0 as StoreError) }, body())
  }
}
