import AppStoreConnect
import BAPackCore
import CommandLine

/// The root of the command table.
package let tool: CommandRow = CommandRow(
  name: "ba-upload",
  overview: "Upload asset packs to App Store Connect.",
  discussion: [
    """
    Packs are checked before anything is sent. The same command continues an upload that was \
    interrupted, and packs that the store already has are not uploaded again.
    """
  ],
  options: CommandRow.generators,
  exitStatus: [
    ExitStatus("0", "Done; there may have been warnings."),
    ExitStatus("1", "There were errors, or something could not be done."),
  ],
  subcommands: commands + [HelpCommand.row(for: commands, of: tool)],
  defaultSubcommand: Upload.row.name
)

private let commands: [CommandRow] = [Upload.row, Status.row, Submit.row, Archive.row]

enum Format: String, CaseIterable { case text, json }

enum Shared {
  static let app = Option(
    "app", name: "app", .text, isRequired: true,
    help: "The app: its bundle identifier, or its number in App Store Connect.")
  static let format = Option(
    "format", name: "format", .choice(Format.allCases.map(\.rawValue)), default: "text",
    help: "How to show it: for people, or for programs.")
  static let dryRun = Option(
    "dry-run", "n",
    help: "Change nothing, and print what would be done; with --verbose, also each request.")
}
