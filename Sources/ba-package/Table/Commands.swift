import BAPackCore

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
  options: [generateCompletionScript, generateManual],
  exitStatus: [
    ExitStatus("0", "Done; there may have been warnings."),
    ExitStatus("1", "There were errors, or something could not be done."),
  ],
  subcommands: [
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
    Help.row,
  ],
  defaultSubcommand: Package.row.name
)

/// Prints a completion script for a shell.
let generateCompletionScript = Option(
  "generate-completion-script", name: "shell", .choice(Shell.allCases.map(\.rawValue)),
  help: "Print a completion script for a shell.")

/// Prints the manual page; the build calls it.
let generateManual = Option(
  "generate-manual", help: "Print the manual page in mdoc.", isHidden: true)

/// Variables of the environment that commands heed.
let environmentVariables = [
  (
    name: "SOURCE_DATE_EPOCH",
    meaning: "The time of all entries of a pack, in seconds since 1970; 2001 begins unless set."
  ),
  (name: "COLUMNS", meaning: "The width that help texts and charts are made for."),
  (name: "NO_COLOR", meaning: "Where it is set to something, nothing is colored by itself."),
]

/// Options that every command has.
enum EveryCommand {
  static let version = Option("version", help: "Show the version.")
  static let help = Option("help", "h", help: "Show help information.")
}

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
