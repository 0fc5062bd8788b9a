import BAPackCore

/// `help`: the help text of any command.
struct Help: Command {
  static let subcommands = Argument(
    "subcommands", .command, isOptional: true, isRepeating: true,
    help: "The command to show, with the one above it first where there is one.")
  static let row = CommandRow(
    name: "help", overview: "Show subcommand help information.", arguments: [subcommands],
    exitStatus: [ExitStatus("0", "Done.")], isHidden: true,
    command: { typed throws(UsageError) in try Help(typed) })

  let path: [CommandRow]

  init(_ typed: TypedArguments) throws(UsageError) {
    var path = [tool]
    for word in typed.values(Self.subcommands) {
      let row = path[path.count - 1]
      guard let next = row.subcommand(named: word) else {
        throw row.subcommands.isEmpty
          ? .unexpected([printable(word)]) : .unknownSubcommand(printable(word), of: row)
      }
      path.append(next)
    }
    self.path = path
  }

  func run(_ console: Console) throws(CommandError) -> ExitCode {
    try console.write(helpText(path, width: console.width))
    return .success
  }
}
