import BAPackCore
import CommandLine

/// The tool itself: the row that all others hang from, and the one list of commands.
package let tool: CommandRow = CommandRow(
  name: "ba-package",
  overview: "Make asset packs for apps and games on Apple's platforms.",
  discussion: [
    """
    A manifest names the files of a repository that belong to a pack; packaging turns them into one \
    archive with the extension .aar.
    """
  ],
  options: CommandRow.generators,
  exitStatus: [
    ExitStatus("0", "Done; there may have been warnings."),
    ExitStatus("1", "There were errors, or something could not be done."),
  ],
  subcommands: commands + [HelpCommand.row(for: commands, of: tool)],
  defaultSubcommand: Package.row.name
)

/// The commands, in the order of the help text.
private let commands: [CommandRow] = [
  Template.row,
  Validate.row,
  Package.row,
  Evaluate.row,
  Convert.row,
  DownloadManifestCommand.row,
  List.row,
  Info.row,
  Verify.row,
  Extract.row,
  Cat.row,
  Diff.row,
  Explain.row,
]

/// Options that several commands share.
enum Shared {
  static let root = Option(
    "root", name: "dir", .directory,
    help: "The folder that the selectors' paths start from.")
  static let hosting = Option(
    "hosting", name: "host", .choice(Hosting.allCases.map(\.rawValue)), default: "apple",
    help: "Who serves the packs; the App Store's rules are for 'apple'.")
  static let color = Option(
    "color", name: "when", .choice(ColorChoice.allCases.map(\.rawValue)), default: "auto",
    help: "Color the output; 'auto' does on a terminal unless NO_COLOR is set.")
}
