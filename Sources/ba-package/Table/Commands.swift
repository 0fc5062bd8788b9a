/// The tool itself: the row that all others hang from, and the one list of commands.
package let tool = CommandRow(
  name: "ba-package",
  overview: "Make asset packs for apps and games on Apple's platforms.",
  discussion: [
    """
    A manifest names the files of a repository that belong to a pack; packaging turns them into one \
    archive with the extension .aar.
    """
  ],
  exitStatus: [
    ExitStatus("0", "Done; there may have been warnings."),
    ExitStatus("1", "There were errors, or something could not be done."),
    ExitStatus.usage, ExitStatus.signals,
  ],
  subcommands: [
    Help.row
  ]
)

/// Options that every command has.
enum EveryCommand {
  static let version = Option("version", help: "Show the version.")
  static let help = Option("help", "h", help: "Show help information.")
}

/// Options that several commands share.
enum Shared {
  static let color = Option(
    "color", name: "when", .choice(ColorChoice.allCases.map(\.rawValue)), default: "auto",
    help: "Color the output; 'auto' does on a terminal unless NO_COLOR is set.")
}
