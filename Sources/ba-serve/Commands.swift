import CommandLine

/// The root of the command table.
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
    ExitStatus("0", "Done."),
    ExitStatus("1", "There were errors, or something could not be done."),
  ],
  subcommands: commands + [HelpCommand.row(for: commands, of: tool)],
  defaultSubcommand: Serve.row.name
)

/// The commands, in the order of the help text.
private let commands: [CommandRow] = [Serve.row, AuthorityCommand.row, URLOverride.row]
