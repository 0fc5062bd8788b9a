import BACommandLine
import BAPackCore
import BAUpload

/// `archive`: archives a pack permanently.
struct Archive: Command {
  static let identifier = Argument("identifier", .text, help: "The asset pack.")
  static let permanently = Option(
    "permanently", help: "Don't ask; this can't be undone.")
  static let row = CommandRow(
    name: "archive", overview: "Archive an asset pack; this can't be undone.",
    discussion: [
      """
      An archived asset pack can't be updated, submitted or restored, and its identifier can't be \
      used again. On a terminal, the identifier must be typed once more; elsewhere, --permanently \
      is required.
      """
    ],
    arguments: [identifier], options: [Shared.app, permanently] + Connecting.options,
    examples: [
      "ba-upload archive harbour --app com.example.game": "Archive a pack."
    ],
    exitStatus: [
      "0": "The pack is archived.",
      "1": "It is not: something could not be done, or was not confirmed.",
    ],
    command: Archive.init(typed:))

  let typed: TypedArguments

  func run(_ console: Console) throws -> ExitCode {
    let identifier = String(decoding: typed.required(Self.identifier), as: UTF8.self)
    let appName = try typed.requiredText(Shared.app)
    let api = try Connecting(typed).client()
    let status = try AppStatus(api, appName: appName, identifiers: [identifier])
    guard let pack = status.packs.first else { return .failure }
    if pack.isArchived {
      try console.write("\(identifier): already archived\n")
      return .success
    }
    if !typed.has(Self.permanently) { try confirm(pack, console) }
    try api.archive(pack)
    try console.write("\(identifier): archived\n")
    return .success
  }

  private func confirm(_ pack: AssetPackRecord, _ console: Console) throws {
    guard FileDescriptor.standardInput.isTerminal else {
      throw StoreError(
        "archiving can't be undone, and there is no terminal to ask: --permanently confirms it")
    }
    console.tell(
      "Archive '\(pack.identifier)' with \(counted(pack.versions.count, "version"))? It can't be restored,"
        + " and its name can't be used again. Type its identifier to go on:")
    guard readLine() == pack.identifier else {
      throw StoreError("not confirmed, and not archived")
    }
  }
}
