import BADiagnostics

/// `help`: the help text of any command of a program.
package struct HelpCommand: Command {
  /// The row of a program's `help` command, which is listed after its `commands`; `root` is the row
  /// above them, evaluated when the command is used.
  package static func row(
    for commands: [CommandRow], of root: @escaping @Sendable @autoclosure () -> CommandRow
  ) -> CommandRow {
    let subcommands = Argument(
      "subcommands", .suggestion(commands.filter { !$0.isHidden }.map(\.name) + [options, "help"]),
      isOptional: true,
      isRepeating: true,
      help: """
        The command to show, after the names of the groups that contain it; 'options' for the \
        options that several commands have.
        """)
    return CommandRow(
      name: "help", overview: "Show help for a command.", arguments: [subcommands],
      exitStatus: ["0": "Success."], isHidden: true,
      command: { typed in HelpCommand(words: typed.values(subcommands), root: root()) })
  }

  private static let options = "options"

  fileprivate let words: [[UInt8]]
  fileprivate let root: CommandRow

  package func run(_ console: Console) throws -> ExitCode {
    if words.elementsEqual([Array(Self.options.utf8)]) {
      try console.write(commonHelpText(root, width: console.width))
      return .success
    }
    var path = [root]
    for word in words {
      let row = path[path.count - 1]
      guard let next = row.subcommand(named: word) else {
        throw row.subcommands.isEmpty
          ? UsageError("unexpected argument '\(printable(word))': '\(row.name)' has no subcommands")
          : .unknownCommand(printable(word), of: row)
      }
      path.append(next)
    }
    try console.write(helpText(path, width: console.width))
    return .success
  }
}
