/// One row of the flag table: a command with its arguments, options and help, as a value.
///
/// # Adding a command
///
/// A command is one file, `Commands/NAME.swift`: a type with a row and a function.
///
/// ```swift
/// struct List: Command {
///   static let long = Option("long", "l", help: "Show type, mode, size and time.")
///   static let pack = Argument("pack", .file(["aar"]), help: "The asset pack, or '-'.")
///   static let row = CommandRow(
///     name: "list", overview: "List the files of an asset pack.", arguments: [pack],
///     options: [long], examples: ["ba-package list Pack.aar": "Show its paths."],
///     command: List.init(typed:))
///
///   let typed: TypedArguments  // the words, by option and argument
///
///   func run(_ console: Console) throws -> ExitCode {
///     let reading = PackReading(typed)  // a group of options that commands share
///     let pack = try reading.read(typed.path(Self.pack))
///     if typed.has(Self.long) { try console.write("…\n") }
///     return .success
///   }
/// }
/// ```
///
/// Then add `List.row` to the program's list of commands, and record cases that use the command and
/// each of its options in `Tests/BACommandLineTests/Recorded` (a test fails for an option without a
/// case). The parser, `--help`, `help list`, the man page, the completions and the suggestions for
/// typos are derived from the row.
///
/// A row describes the syntax: names, value names, kinds of values, defaults, help. The parser
/// checks kinds (`.choice`, `.integer`), that everything required is present, and which options can
/// be used together (`exclusive`, `requires`). The command checks the rest, and throws
/// `UsageError`. `run` writes its output with `console.write`, findings and messages with
/// `console.note`, and throws errors of the library, or `PackagingError` with a message. A row with
/// `subcommands` is a group and has no `command`.
package struct CommandRow: Sendable {
  /// The word that selects the command.
  package let name: String
  package let overview: String
  /// More about it: paragraphs, which are wrapped to the width of the terminal.
  package let discussion: [String]
  /// Positional arguments, in order; one of them may accept several words.
  package let arguments: [Argument]
  /// Named options, in the order of the help text.
  package let options: [Option]
  /// Options of which at most one may be given.
  package let exclusive: [[Option]]
  /// Options that can be used with another one only, by that.
  package let requires: [(option: Option, by: [Option])]
  /// What to do instead of options that it had.
  package let gone: KeyValuePairs<String, String>
  /// Commands as a user would type them, each with its meaning.
  package let examples: KeyValuePairs<String, String>
  /// The meaning of each exit status, or of several: `130, 143`.
  package let exitStatus: [(status: String, meaning: String)]
  /// The status after an error that ends the command.
  package let errorStatus: ExitCode
  package let subcommands: [CommandRow]
  /// The names of the subcommands by what they are for, for the help text; empty for a single list.
  package let groups: [(title: String, names: [String])]
  /// Words for it that users of other tools may type; errors suggest the command.
  package let synonyms: [String]
  /// The subcommand that is used when none is given.
  package let defaultSubcommand: String?
  package let isHidden: Bool
  /// Why a command of another tool that users may expect here isn't supported.
  package let refusal: String?
  /// Creates a command from the parsed words; nil for a group.
  package let command: Initializer?

  package typealias Initializer = @Sendable (TypedArguments) throws -> any Command

  package init(
    name: String, overview: String, discussion: [String] = [], arguments: [Argument] = [],
    options: [Option] = [], exclusive: [[Option]] = [],
    requires: KeyValuePairs<Option, [Option]> = [:],
    gone: KeyValuePairs<String, String> = [:],
    examples: KeyValuePairs<String, String> = [:],
    exitStatus: KeyValuePairs<String, String> = [
      "0": "Success.", "1": "There were errors; nothing was written.",
    ],
    errorStatus: ExitCode = .failure,
    subcommands: [CommandRow] = [],
    groups: [(title: String, names: [String])] = [], synonyms: [String] = [],
    defaultSubcommand: String? = nil, isHidden: Bool = false, refusal: String? = nil,
    command: Initializer? = nil
  ) {
    self.name = name
    self.overview = overview
    self.discussion = discussion
    self.arguments = arguments
    self.options = options
    self.exclusive = exclusive
    self.requires = requires.map { ($0, $1) }
    self.gone = gone
    self.examples = examples
    self.exitStatus = exitStatus.map { ($0, $1) } + Self.everywhere
    self.errorStatus = errorStatus
    self.subcommands = subcommands
    self.groups = groups
    self.synonyms = synonyms
    self.defaultSubcommand = defaultSubcommand
    self.isHidden = isHidden
    self.refusal = refusal
    self.command = command
  }

  /// The statuses that every command has in addition to its own.
  private static let everywhere = [
    ("64", "The command line is invalid."),
    ("129, 130, 143", "Stopped by SIGHUP, SIGINT or SIGTERM."),
    ("141", "The reader of the output closed the pipe (SIGPIPE)."),
  ]

  /// What to type instead of a synonym: the command, with the option that has the synonym's name.
  package func name(meantBy synonym: String) -> String {
    options.contains { $0.long == synonym } ? "\(name) --\(synonym)" : name
  }

  package func subcommand(named name: some Sequence<UInt8>) -> CommandRow? {
    subcommands.first { name.elementsEqual($0.name.utf8) }
  }
}

/// A command with its validated arguments and options as fields.
package protocol Command: Sendable {
  func run(_ console: Console) throws -> ExitCode
}

package enum ExitCode: Int32, Sendable {
  /// Success; there may have been warnings.
  case success = 0
  case failure = 1
  case rejected = 2
  /// What a command was asked about could not be found out, where ``failure`` is an answer.
  package static let unknown = rejected
  /// Something remains to be done: the wait timed out, or packs are left.
  case unfinished = 3
  case usage = 64
  /// The reader of the output closed the pipe: the status of a process killed by SIGPIPE.
  case outputClosed = 141
}
