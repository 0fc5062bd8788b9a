/// One row of the flag table: everything that is known about a command, as a value.
///
/// # Adding a command
///
/// A command is one file, `Commands/NAME.swift`: a type with a row and two functions.
///
/// ```swift
/// struct List: Command {
///   static let long = Option("long", "l", help: "Show type, mode, size and time.")
///   static let pack = Argument("pack", .file(["aar"]), help: "The asset pack, or '-'.")
///   static let row = CommandRow(
///     name: "list", overview: "List the files of an asset pack.", arguments: [pack],
///     options: [long], examples: [Example("ba-package list Pack.aar", "Show its paths.")],
///     command: { typed throws(UsageError) in try List(typed) })
///
///   let pack: FilePath  // what the words mean: checked, with a type, defaults filled in
///   let showsDetails: Bool
///
///   init(_ typed: TypedArguments) throws(UsageError) {  // words → meaning, or exit 64
///     pack = typed.path(Self.pack)
///     showsDetails = typed.has(Self.long)
///   }
///
///   func run(_ console: Console) throws(CommandError) -> ExitCode {  // meaning → work
///     try console.write("…\n")
///     return .success
///   }
/// }
/// ```
///
/// Then put `List.row` into the one list, `Table/Commands.swift`, and record cases that use the
/// command and each of its options in `Tests/CommandLineTests/Recorded` (a test fails for an option
/// without a case). Parser, `--help`, `help list`, the man page, the completions and the
/// suggestions for slips come from the row; nothing else has to be written.
///
/// A row says how words look: names, value names, kinds of values, defaults, help. The parser checks
/// what a kind says (`.choice`, `.integer`) and that what is required is there; what only the
/// command can know (an ending, a combination of options) is checked in its `init`, with
/// `UsageError`. `run` writes its product
/// with `console.write`, findings and remarks with `console.note`, and throws
/// `CommandError.failure` with a message for what went wrong. A row with `subcommands` is a group
/// and has no `command`.
package struct CommandRow: Sendable {
  /// The word that selects the command.
  package let name: String
  /// What it does, in one sentence.
  package let overview: String
  /// More about it: paragraphs, which are wrapped where they are shown.
  package let discussion: [String]
  /// What is given by position, in order; one of them may take several words.
  package let arguments: [Argument]
  /// What is given by name, in the order of the help text.
  package let options: [Option]
  /// Options of which at most one may be given.
  package let exclusive: [[Option]]
  /// Commands as a user would type them.
  package let examples: [Example]
  /// What the process's exit status says; of every command ``ExitStatus/everywhere`` too.
  package let exitStatus: [ExitStatus]
  /// Commands below this one.
  package let subcommands: [CommandRow]
  /// The subcommand that is meant when none is named.
  package let defaultSubcommand: String?
  /// Whether lists of commands show it.
  package let isHidden: Bool
  /// Gives typed words their meaning; nil for a group.
  package let command: Meaning?

  package typealias Meaning = @Sendable (TypedArguments) throws(UsageError) -> any Command

  package init(
    name: String, overview: String, discussion: [String] = [], arguments: [Argument] = [],
    options: [Option] = [], exclusive: [[Option]] = [], examples: [Example] = [],
    exitStatus: [ExitStatus] = ExitStatus.usual, subcommands: [CommandRow] = [],
    defaultSubcommand: String? = nil, isHidden: Bool = false, command: Meaning? = nil
  ) {
    self.name = name
    self.overview = overview
    self.discussion = discussion
    self.arguments = arguments
    self.options = options
    self.exclusive = exclusive
    self.examples = examples
    self.exitStatus = exitStatus + ExitStatus.everywhere
    self.subcommands = subcommands
    self.defaultSubcommand = defaultSubcommand
    self.isHidden = isHidden
    self.command = command
  }

  /// The command below this one with that name.
  package func subcommand(named name: some Sequence<UInt8>) -> CommandRow? {
    subcommands.first { name.elementsEqual($0.name.utf8) }
  }
}

/// A command with its meaning: validated fields that a row's words were turned into.
package protocol Command: Sendable {
  /// Does the work.
  func run(_ console: Console) throws(CommandError) -> ExitCode
}

/// A command line to show in help texts.
package struct Example: Sendable {
  /// What to type.
  package let line: String
  /// What that does, in one sentence.
  package let meaning: String

  package init(_ line: String, _ meaning: String) {
    self.line = line
    self.meaning = meaning
  }
}

/// An exit status and what it says.
package struct ExitStatus: Sendable {
  /// The number, or several: `130, 143`.
  package let number: String
  /// When the process ends with it.
  package let meaning: String

  package init(_ number: String, _ meaning: String) {
    self.number = number
    self.meaning = meaning
  }

  /// What most commands mean.
  package static let usual = [
    ExitStatus("0", "Done."),
    ExitStatus("1", "There were errors, and nothing was made of the input."),
  ]

  /// What every command means beside its own.
  package static let everywhere = [
    ExitStatus("64", "The command line was not understood."),
    ExitStatus("129, 130, 143", "Stopped by SIGHUP, SIGINT or SIGTERM."),
    ExitStatus("141", "Whoever read the output closed it."),
  ]
}
