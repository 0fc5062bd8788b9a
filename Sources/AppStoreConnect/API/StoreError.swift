import BAPackCore

/// Why an operation with App Store Connect failed.
package enum StoreError: Error, Sendable {
  /// A system call failed.
  case system(SystemError)
  /// A local file could not be read.
  case file(String)
  /// A pack could not be read.
  case archive(ArchiveError)
  /// No usable key was found.
  case key(KeyProblem)
  /// A token could not be signed.
  case signing
  /// A request got no response.
  case transport(TransportError, request: String)
  /// A request was rejected.
  case refused(Refusal)
  /// A response doesn't conform to the API's documentation.
  case answer(request: String, String)
  /// The key can't access an app with this bundle identifier.
  case noApp(String)
  /// The app has no such pack, and creating it was not requested.
  case noPack(String, app: String)
  /// The app has no such pack, but possibly a similarly named one.
  case unknownPack(String, app: String, nearest: String?)
  /// The pack is archived, so its identifier can't be used again.
  case archived(String)
  /// There is no such version of the pack.
  case noVersion(String, String)
  /// The upload operations don't cover the file exactly once.
  case operations(String)
  /// A part was rejected.
  case part(number: Int, status: Int, path: BytePath)
  /// The store rejected all upload URLs for the parts.
  case expired(BytePath)
  /// The store rejected the manifest that was sent first.
  case manifestRejected(BytePath, version: String, [StoreRemark])
  /// The pack changed after it was checked.
  case changed(BytePath)
  /// Another process is uploading the pack.
  case locked(BytePath)
  /// The receipt can't be used.
  case receipt(BytePath, String)
  /// The packs exceed the app's limit.
  case noRoom(used: UInt64, wanted: UInt64)
  /// The app has the maximum number of packs.
  case tooManyPacks(Int)
  /// The request is invalid.
  case request(String)
  /// A signal arrived.
  case interrupted(Int32)
}

extension StoreError {
  /// The maximum total size of an app's packs, in bytes.
  package static let mostBytes: UInt64 = 200_000_000_000
  /// The maximum number of an app's packs.
  package static let maximumPacks = 200
}

extension StoreError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .system(let error): "\(error)"
    case .file(let message): message
    case .archive(let error): "\(error)"
    case .key(let problem): "\(problem)"
    case .signing: "the token can't be signed with the API key"
    case .transport(let error, let request): transportText(error, request)
    case .refused(let refusal): "\(refusal)"
    case .answer(let request, let reason): "\(request): the answer can't be used: \(reason)"
    case .noApp(let bundleID):
      "the API key sees no app with the bundle identifier '\(printable(bundleID.utf8))'"
    case .noPack(let identifier, let app):
      "app \(app) has no asset pack '\(identifier)'"
    case .unknownPack(let identifier, let app, let nearest):
      "app \(app) has no asset pack '\(printable(identifier.utf8))'"
        + (nearest.map { "; did you mean '\($0)'?" } ?? "")
    case .archived(let identifier):
      "the asset pack '\(identifier)' is archived, and its name can't be used again; give the pack"
        + " another assetPackID"
    case .noVersion(let identifier, let version):
      "the asset pack '\(identifier)' has no \(version)"
    case .operations(let reason): "the server's plan for the upload doesn't fit the file: \(reason)"
    case .part(let number, let status, let path):
      "part \(number) of '\(path)' was refused with HTTP status \(status)"
    case .expired(let path):
      "the server refused each address it gave for the parts of '\(path)'; run the command again"
    case .manifestRejected(let path, let version, let remarks):
      "'\(path)': App Store Connect rejected the manifest"
        + remarks.map { "\n  \($0.text) [\($0.code)]" }.joined()
        + "\n  version \(version) can be used for the corrected pack"
    case .changed(let path):
      "'\(path)' changed while it was uploaded, and was not committed; run the command again"
    case .locked(let path): "another process is uploading '\(path)'"
    case .receipt(let path, let reason):
      "the receipt '\(path)' can't be used: \(reason). If you remove it, the server is asked instead."
    case .noRoom(let used, let wanted):
      "the app's asset packs have \(byteCount(used)), and these packs \(byteCount(wanted)) more;"
        + " App Store Connect takes \(byteCount(Self.mostBytes)) for an app"
    case .tooManyPacks(let count):
      "the app would have \(counted(count, "asset pack")); App Store Connect takes "
        + "\(Self.maximumPacks) for an app"
    case .request(let message): message
    case .interrupted(let signal):
      "stopped by \(Interruption.name(of: signal)); the same command continues"
    }
  }

  private func transportText(_ error: TransportError, _ request: String) -> String {
    switch error.kind {
    case .notConnected, .broken, .untrusted, .other: "\(request): \(error.message)"
    case .cancelled: "\(request): cancelled"
    case .file(let error): "\(error)"
    }
  }

  /// `error`, or the signal that caused it.
  package static func failing(_ error: StoreError) -> StoreError {
    Interruption.pending.map { .interrupted($0) } ?? error
  }
}

/// A response with an error status.
package struct Refusal: Sendable {
  /// The method and the path, without the query.
  package let request: String
  package let status: Int
  package let errors: [APIError]
  /// How far the local clock is ahead of the server's, in seconds; nil if unknown.
  package let clockAhead: Int?
  /// Whether the key is an individual one.
  package let isIndividual: Bool

  /// Whether one of the errors has this code, or a more specific one.
  package func has(_ code: String) -> Bool {
    errors.contains { $0.code == code || $0.code.hasPrefix(code + ".") }
  }
}

/// One of the `errors` of a response.
package struct APIError: Sendable {
  /// For programs: `ENTITY_ERROR.ATTRIBUTE.INVALID`.
  package let code: String
  /// For people.
  package let detail: String
  /// The part of the document or the parameter that caused it.
  package let source: String?
}

extension Refusal: CustomStringConvertible {
  package var description: String {
    var text = "\(request): HTTP status \(status)"
    for error in errors {
      text += "\n  \(error.detail)" + (error.source.map { " (\($0))" } ?? "") + " [\(error.code)]"
    }
    return text + (hint.map { "\n  \($0)" } ?? "")
  }

  private var hint: String? {
    switch status {
    case 401:
      if let clockAhead, abs(clockAhead) > 30 {
        return "this machine's clock is \(duration(abs(clockAhead))) "
          + "\(clockAhead > 0 ? "ahead of" : "behind") the server's, so that the token is not "
          + "valid: set the clock"
      }
      let owner = isIndividual ? "that it is an individual key" : "the issuer id"
      return
        "check that the key is not revoked, the key id, \(owner), and that they belong together"
    case 403:
      return "the key needs the role Admin, App Manager or Developer, and access to the app"
    case 429: return "too many requests in an hour for this key; try again later"
    default: return nil
    }
  }

  private func duration(_ seconds: Int) -> String {
    if seconds < 120 { return counted(seconds, "second") }
    return seconds < 7200 ? counted(seconds / 60, "minute") : counted(seconds / 3600, "hour")
  }
}
