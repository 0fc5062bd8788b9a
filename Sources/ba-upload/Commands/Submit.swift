import AppStoreConnect
import BAPackCore
import CommandLine

/// `submit`: submits versions for App Store review.
struct Submit: Command {
  static let versions = Argument(
    "identifier[@version]", .text, isRepeating: true,
    help: "The asset packs, each with a version; the newest that was processed unless given.")
  static let platform = Option(
    "platform", name: "platform", .choice(["IOS", "MAC_OS", "TV_OS", "VISION_OS"]),
    help: "The platform of the submission, where the app has several.")
  static let row = CommandRow(
    name: "submit", overview: "Submit versions of asset packs to the App Store's review.",
    discussion: [
      """
      All of them go into one submission, ten at most. An open submission is used if it contains \
      nothing else. The API can't request external testing: use the app's TestFlight page for that, \
      https://appstoreconnect.apple.com/apps/NUMBER/testflight.
      """
    ],
    arguments: [versions],
    options: [Shared.app, platform, Shared.dryRun, Shared.format] + Connecting.options,
    examples: [
      Example(
        "ba-upload submit harbour lighthouse@3 --app com.example.game",
        "Submit the newest version of one pack and version 3 of another.")
    ],
    exitStatus: [
      ExitStatus("0", "Done."), ExitStatus("1", "Something could not be done."),
    ],
    command: { try Submit($0) })

  let wanted: [(identifier: String, version: String?)]
  let appName: String
  let platform: String?
  let isDryRun: Bool
  let format: Format
  let connecting: Connecting

  init(_ typed: TypedArguments) throws(UsageError) {
    var wanted: [(identifier: String, version: String?)] = []
    for word in typed.values(Self.versions) {
      let parts = word.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
      let version = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : nil
      guard parts.count <= 2, !parts[0].isEmpty, version.map({ UInt64($0) != nil }) ?? true else {
        throw .invalid(
          word, for: Self.versions, reason: "expected an identifier such as harbour or harbour@3")
      }
      wanted.append((String(decoding: parts[0], as: UTF8.self), version))
    }
    self.wanted = wanted
    appName = try typed.requiredText(Shared.app)
    platform = try typed.text(Self.platform)
    isDryRun = typed.has(Shared.dryRun)
    format = try typed.choice(Shared.format)
    connecting = try Connecting(typed)
  }

  func run(_ console: Console) throws -> ExitCode {
    Interruption.postpone()
    let submission = try Submission(
      wanted, connecting.client(), appName: appName, platform: platform)
    let id = isDryRun ? nil : try submission.submit()
    switch format {
    case .text:
      for item in submission.items {
        let name = "\(item.identifier) version \(item.version.number)"
        if let state = item.submittedState {
          try console.write("\(name) is already \(words(state))\n")
        } else {
          try console.write(
            "\(name): \(isDryRun ? "would be submitted" : "submitted for review")\n")
        }
      }
      if isDryRun, connecting.isVerbose {
        for request in submission.plannedRequests {
          try console.write("  \(request.line) \(JSONWriter.text(request.body, .compact))\n")
        }
      }
    case .json:
      let items = submission.items.map { item -> JSONValue in
        .object([
          "assetPackID": item.identifier, "version": item.version.number,
          "versionID": item.version.id,
        ])
      }
      try console.write(
        .object([
          "schemaVersion": 1, "app": submission.app, "submission": id, "items": items,
          "requests": isDryRun ? submission.plannedRequests.map(\.json) : nil,
        ]))
    }
    return .success
  }
}
