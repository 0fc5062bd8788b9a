import BACommandLine
import BAPackCore
import BAServer

@main
struct Main {
  static func main() {
    Program(
      root: tool,
      environment: [
        "BA_SERVE_PASSWORD": "The password for --user; an error without it.",
        "XDG_DATA_HOME": "The folder above that of the authority and the versions of packs.",
        "XDG_CACHE_HOME": "The folder above that of packs made from manifests.",
      ],
      words: words
    ).main()
  }
}

package let tool: CommandRow = CommandRow(
  name: "ba-serve",
  overview: "Serve asset packs to devices for testing.",
  discussion: [
    """
    A mock of the server that devices download asset packs from: over TLS, with certificates from an \
    authority of your own, which each device must be set to trust once.
    """
  ],
  options: CommandRow.generators,
  exitStatus: [
    "0": "Done.",
    "1": "There were errors, or something could not be done.",
  ],
  subcommands: commands + [HelpCommand.row(for: commands, of: tool)],
  defaultSubcommand: Serve.row.name
)

private let commands: [CommandRow] = [Serve.row, AuthorityCommand.row, URLOverride.row]

/// An error in words, with the command or option that helps.
private func words(for error: any Error) -> String {
  switch error {
  case let error as SystemError where error.code == .fileExists:
    "'\(error.path)' exists and is left as it was; --force replaces it"
  default: "\(error)"
  }
}

/// The remedy if the authority can't be used.
let renewal =
  ". Run 'ba-serve authority --renew' for a new authority, and install it on your devices."

/// Says that another process has the lock of a folder.
func waitingText(_ folder: BytePath) -> String {
  "waiting for another ba-serve that is using '\(folder)'"
}
