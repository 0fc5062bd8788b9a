import AppStoreConnect
import BAPackCore
import CommandLine

/// `archive`: archives a pack permanently.
struct Archive: Command {
  static let identifier = Argument("identifier", .text, help: "The asset pack.")
  static let confirm = Option(
    "confirm", name: "identifier", .text,
    help: "The identifier once more, where there is no terminal to ask.")
  static let permanently = Option(
    "permanently",
    help: "Confirm that the pack can't be brought back, where there is no terminal to ask.")
  static let row = CommandRow(
    name: "archive", overview: "Archive an asset pack; this can't be undone.",
    discussion: [
      """
      An archived asset pack can't be updated, submitted or restored, and its identifier can't be \
      used again. On a terminal, two questions are asked; elsewhere, --confirm and --permanently \
      answer them.
      """
    ],
    arguments: [identifier], options: [Shared.app, confirm, permanently] + Connecting.options,
    examples: [
      Example("ba-upload archive harbour --app com.example.game", "Archive a pack.")
    ],
    exitStatus: [
      ExitStatus("0", "The pack is archived."),
      ExitStatus("1", "It is not: something could not be done, or was not confirmed."),
    ],
    command: { try Archive($0) })

  let identifier: String
  let appName: String
  let confirmation: String?
  let isPermanent: Bool
  let connecting: Connecting

  init(_ typed: TypedArguments) throws(UsageError) {
    identifier = String(decoding: typed.required(Self.identifier), as: UTF8.self)
    appName = try typed.requiredText(Shared.app)
    confirmation = try typed.text(Self.confirm)
    isPermanent = typed.has(Self.permanently)
    connecting = try Connecting(typed)
  }

  func run(_ console: Console) throws -> ExitCode {
    let api = try connecting.client()
    let status = try AppStatus(api, appName: appName, identifiers: [identifier])
    guard let pack = status.packs.first else { return .failure }
    if pack.record.isArchived {
      try console.write("\(identifier): already archived\n")
      return .success
    }
    try confirmBoth(pack, console)
    try api.archive(pack.record)
    try console.write("\(identifier): archived\n")
    return .success
  }

  private func confirmBoth(_ pack: AppStatus.Pack, _ console: Console) throws {
    let isTerminal = FileDescriptor.withStandardInput { $0.isTerminal }
    if confirmation == nil || !isPermanent, !isTerminal {
      throw StoreError(
        "archiving can't be undone, and there is no terminal to ask:"
          + " '--confirm \(printable(identifier.utf8)) --permanently' confirms it")
    }
    let what = "'\(printable(identifier.utf8))' with \(counted(pack.versions.count, "version"))"
    var first = confirmation
    if first == nil {
      first = try answer("Archive \(what)? Type its identifier to go on:", console)
    }
    guard first == identifier else { throw StoreError("not confirmed, and not archived") }
    guard !isPermanent else { return }
    let second = try answer(
      "It can't be restored, and its name can't be used again. Type 'archive' to do it:",
      console)
    guard second == "archive" else { throw StoreError("not confirmed, and not archived") }
  }

  private func answer(_ question: String, _ console: Console) throws -> String {
    try console.finish()
    console.note(question)
    return readLine() ?? ""
  }
}
