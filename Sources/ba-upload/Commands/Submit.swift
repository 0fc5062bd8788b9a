import BACommandLine
import BAPackCore
import BAUpload

/// `submit`: submits versions of asset packs, and of the app, for App Store review.
struct Submit: Command {
  static let versions = Argument(
    "identifier[@version]", .text, isOptional: true, isRepeating: true,
    help: "The asset packs, each with a version; the newest that was processed unless given.")
  static let all = Option(
    "all",
    help: "All asset packs whose newest processed version is neither live nor under review.")
  static let appVersion = Option(
    "app-version", name: "version", .text,
    help: "A version of the app, such as 2.0, to submit together with the packs.")
  static let platform = Option(
    "platform", name: "platform", .suggestion(Platform.known.rawValues),
    help: """
      The platform of the submission, where the app has several: \
      \(listed(Platform.known.rawValues, "or")), or another of the app's.
      """)
  static let join = Option(
    "join", help: "Add to an open submission that has other items, which are submitted with it.")
  static let noSubmit = Option("no-submit", help: "Fill the submission, but don't submit it.")
  static let row = CommandRow(
    name: "submit", overview: "Submit versions of asset packs to the App Store's review.",
    discussion: [
      """
      A submission has ten asset packs at most. If there are more, repeat the same command: each run \
      submits the next ten, and the exit status is 3 while packs are left. App Store Connect allows \
      one submission with an app version and one without under review at a time, so a run may have \
      to wait for the review. Before the first approval of an app, its packs must be submitted \
      together with the app version.
      """,
      """
      The API can't request external testing: use the app's TestFlight page for that, \
      https://appstoreconnect.apple.com/apps/NUMBER/testflight.
      """,
    ],
    arguments: [versions],
    options: [Shared.app, all, appVersion, platform, join, noSubmit, Shared.dryRun, Shared.format]
      + Connecting.options,
    examples: [
      "ba-upload submit harbour lighthouse@3 --app com.example.game":
        "Submit the newest version of one pack and version 3 of another.",
      "ba-upload submit --all --app-version 2.0 --app com.example.game":
        "Submit an app version and all packs that are new since the last one.",
    ],
    exitStatus: [
      "0": "All packs are submitted.",
      "1": "Something could not be done.",
      "3": "Packs are left: repeat the command.",
    ],
    command: Submit.init(typed:))

  let typed: TypedArguments

  private var submits: Bool { !typed.has(Self.noSubmit) }
  private var isDryRun: Bool { typed.has(Shared.dryRun) }

  private func wish() throws -> Submission.Wish {
    var wish = Submission.Wish()
    for word in typed.values(Self.versions) {
      let parts = word.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
      let version = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : nil
      guard parts.count <= 2, !parts[0].isEmpty, version.map({ UInt64($0) != nil }) ?? true else {
        throw UsageError.invalid(
          word, for: Self.versions, reason: "expected an identifier such as harbour or harbour@3")
      }
      wish.packs.append((String(decoding: parts[0], as: UTF8.self), version))
    }
    if wish.packs.isEmpty == !typed.has(Self.all) {
      throw UsageError("give either identifiers of asset packs or '--all'")
    }
    wish.appVersion = try typed.text(Self.appVersion)
    wish.platform = try typed.text(Self.platform).map { Platform(rawValue: $0) }
    wish.joins = typed.has(Self.join)
    return wish
  }

  func run(_ console: Console) throws -> ExitCode {
    Interruption.postpone()
    let connecting = try Connecting(typed)
    let submission = try Submission(
      wish(), connecting.client(), appName: typed.requiredText(Shared.app))
    let done = isDryRun ? nil : try submission.run(submits: submits)
    switch try typed.choice(Shared.format, as: Format.self) {
    case .text:
      try write(submission, isVerbose: connecting.isVerbose, console)
      for name in done?.others ?? [] {
        try console.write("\(name): in the same submission, and submitted with it\n")
      }
    case .json: try console.write(json(submission, done))
    }
    let localized = submission.batch.count { $0.version.language != nil }
    if localized > 0 {
      console.tell(
        "note: \(counted(localized, "pack")) \(localized == 1 ? "has" : "have") a language; localized"
          + " packs were for TestFlight only when this was written: see App Store Connect Help"
          + " [localized-reach]")
    }
    if let obstacle = submission.obstacle { console.tell("note: \(obstacle)") }
    let left = submission.left.count
    if left > 0 {
      console.tell(
        "\(counted(left, "pack")) \(left == 1 ? "is" : "are") left; repeat this command"
          + (submission.obstacle == nil ? "" : " after the review"))
    }
    return left > 0 || submission.obstacle != nil ? .unfinished : .success
  }

  private func write(
    _ submission: Submission, isVerbose: Bool, _ console: Console
  ) throws {
    let isForAll = typed.has(Self.all)
    let done = submission.items.filter { $0.submittedState != nil }
    if isForAll, !done.isEmpty {
      try console.write(
        (submission.isEmpty && submission.left.isEmpty ? "nothing to submit: " : "")
          + "\(counted(done.count, "pack")) \(done.count == 1 ? "is" : "are") live or under review\n"
      )
    }
    for item in done where !isForAll {
      try console.write("\(item.name) is already \(words(item.submittedState))\n")
    }
    let result =
      submits
      ? isDryRun ? "would be submitted" : "submitted for review"
      : isDryRun ? "would be added to a submission" : "in a submission, which is not submitted yet"
    if let version = submission.appVersion {
      try console.write(
        submission.hasNewAppVersion
          ? "\(version.name): \(result)\n"
          : submission.obstacle == nil
            ? "\(version.name) is already \(words(version.state))"
              + (version.isLive ? "; the packs are submitted without it\n" : "\n")
            : "")
    }
    for item in submission.batch { try console.write("\(item.name): \(result)\n") }
    if isDryRun, isVerbose {
      for request in submission.plannedRequests(submits: submits) {
        try console.write("  \(request.line) \(JSONWriter.text(request.document, .compact))\n")
      }
    }
  }

  private func json(
    _ submission: Submission, _ done: (id: String, others: [String])?
  ) -> JSONValue {
    .object([
      "schemaVersion": 1, "app": submission.app, "submission": done?.id,
      "appVersion": submission.hasNewAppVersion ? submission.appVersion?.number : nil,
      "items": submission.batch.map(\.json), "left": submission.left.map(\.json),
      "submitted": submission.items.filter { $0.submittedState != nil }.map(\.json),
      "others": done.map { JSONValue(.array($0.others.map { JSONValue($0) })) },
      "requests": isDryRun
        ? submission.plannedRequests(submits: submits).map(\.json) : nil,
    ])
  }
}

extension Submission.Item {
  fileprivate var name: String { "\(identifier) version \(version.number)" }

  fileprivate var json: JSONValue {
    .object([
      "assetPackID": identifier, "version": version.number, "versionID": version.id,
      "state": submittedState,
    ])
  }
}
