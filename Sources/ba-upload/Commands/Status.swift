import BACommandLine
import BAPackCore
import BAUpload

/// `status`: shows an app's packs in App Store Connect.
struct Status: Command {
  static let identifiers = Argument(
    "identifier", .text, isOptional: true, isRepeating: true,
    help: "Asset packs to show; all that are not archived unless given.")
  static let watch = Option(
    "watch", help: "Continue until no version is being processed, and print changes.")
  static let row = CommandRow(
    name: "status", overview: "Show an app's asset packs, their versions, and where each stands.",
    discussion: [
      """
      A version is ready for internal testing as soon as it is processed. The API can't request \
      external testing: use the app's TestFlight page for that, \
      https://appstoreconnect.apple.com/apps/NUMBER/testflight. For the App Store, use \
      'ba-upload submit'.
      """
    ],
    arguments: [identifiers], options: [Shared.app, watch, Shared.format] + Connecting.options,
    examples: [
      "ba-upload status --app com.example.game": "Show all packs of an app."
    ],
    exitStatus: [
      "0": "Done.", "1": "Something could not be done.",
    ],
    command: Status.init(typed:))

  let typed: TypedArguments

  func run(_ console: Console) throws -> ExitCode {
    Interruption.postpone()
    let appName = try typed.requiredText(Shared.app)
    let format: Format = try typed.choice(Shared.format)
    let api = try Connecting(typed).client()
    let names = typed.values(Self.identifiers).map { String(decoding: $0, as: UTF8.self) }
    var status = try AppStatus(api, appName: appName, identifiers: names)
    try show(status, format, console)
    guard typed.has(Self.watch) else { return .success }
    var delays = PollDelays()
    while status.packs.contains(where: { $0.versions.contains { $0.state == .processing } }) {
      try console.finish()
      try delays.pause()
      let next = try AppStatus(api, appName: appName, identifiers: names)
      try showChanges(from: status, to: next, format, console)
      status = next
    }
    return .success
  }

  private func show(_ status: AppStatus, _ format: Format, _ console: Console) throws {
    if let warning = status.storageWarning { console.tell("warning: \(warning)") }
    switch format {
    case .text: try console.write(status.text)
    case .json: try console.write(status.json)
    }
  }

  private func showChanges(
    from old: AppStatus, to new: AppStatus, _ format: Format, _ console: Console
  ) throws {
    if format == .json { return old.text == new.text ? () : try show(new, format, console) }
    let known = Set(old.rows)
    for row in new.rows where !known.contains(row) {
      try console.write("\(row.cells[0]) version \(row.cells[1]): \(row.state)\n")
      for remark in row.remarks { try console.write("  \(remark)\n") }
    }
  }
}

extension AppStatus {
  /// A table of the versions, with the store's remarks below each.
  fileprivate var text: String {
    let used = usedBytes.map { used in
      ", \(byteCount(used)) of \(byteCount(Uploader.maximumBytes)) used"
        + (percentage(used, of: Uploader.maximumBytes).map { " (\($0))" } ?? "")
    }
    var text = "app \(app): \(counted(packs.count, "asset pack"))\(used ?? "")\n"
    if packs.isEmpty { return text }
    let title = [
      "Asset pack", "Version", "Language", "Platforms", "Internal", "External", "App Store",
    ]
    for (line, remarks) in zip(
      aligned([title] + rows.map(\.cells)), [[]] + rows.map(\.remarks))
    {
      text += line + "\n"
      for remark in remarks { text += "  \(remark)\n" }
    }
    return text
  }

  /// From 80 percent on, App Store Connect sends an e-mail, too.
  fileprivate var storageWarning: String? {
    guard let usedBytes, usedBytes >= Uploader.maximumBytes / 5 * 4 else { return nil }
    let free = Uploader.maximumBytes - min(usedBytes, Uploader.maximumBytes)
    let share = percentage(usedBytes, of: Uploader.maximumBytes) ?? "all"
    return "\(share) of the app's storage is used; \(byteCount(free)) are left"
  }

  fileprivate struct Row: Hashable {
    let cells: [String]
    let remarks: [String]

    /// The state of processing, or of internal testing.
    var state: String { cells[4] }
  }

  fileprivate var rows: [Row] {
    packs.flatMap { pack in
      let name = pack.identifier + (pack.isArchived ? " (archived)" : "")
      let rows = pack.versions.map { version in
        Row(
          cells: [
            name, version.number, version.language ?? "", version.platformNames,
            words(version.state == .complete ? version.internalBeta : version.state.rawValue),
            words(version.externalBeta), words(version.appStore),
          ], remarks: version.remarks.map(\.line))
      }
      return rows.isEmpty
        ? [Row(cells: [name, "", "", "", "no version", "", ""], remarks: [])] : rows
    }
  }

  fileprivate var json: JSONValue {
    .object([
      "schemaVersion": 1, "app": app, "usedBytes": usedBytes,
      "maximumBytes": Uploader.maximumBytes, "packs": packs.map(\.json),
    ])
  }
}

extension VersionRecord {
  fileprivate var platformNames: String {
    let platforms = platforms.map(Platform.init(storeName:))
    return Set(platforms) == Set(Platform.known) ? "all" : platforms.shown
  }
}

/// A state of the API in words: `READY_FOR_TESTING` is `ready for testing`.
func words(_ state: String?) -> String {
  switch state {
  case nil: ""
  case "PREPARE_FOR_SUBMISSION"?, "READY_FOR_BETA_SUBMISSION"?: "not submitted"
  case "READY_FOR_REVIEW"?: "in a submission"
  case "READY_FOR_DISTRIBUTION"?: "live"
  case let state?: state.lowercased().replacing("_", with: " ")
  }
}

extension AssetPackRecord {
  fileprivate var json: JSONValue {
    .object([
      "assetPackID": identifier, "packID": id, "isArchived": isArchived,
      "usedBytes": usedBytes, "versions": versions.map(\.json),
    ])
  }
}

extension VersionRecord {
  fileprivate var json: JSONValue {
    .object([
      "version": number, "versionID": id, "state": state.rawValue,
      "platforms": platforms, "language": language, "createdDate": createdDate,
      "internalTesting": internalBeta, "externalTesting": externalBeta, "appStore": appStore,
      "findings": remarks.isEmpty ? nil : remarks.map(\.json),
    ])
  }
}
