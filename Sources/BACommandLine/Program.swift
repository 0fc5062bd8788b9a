import BADiagnostics

/// A program: its table of commands, and more for its manual page.
package struct Program: Sendable {
  /// The root of the table: the program itself, with all commands below it.
  package let root: CommandRow
  /// The environment variables that the commands read, each with its meaning.
  package let environment: KeyValuePairs<String, String>
  /// The files that the commands look for or write by default, each with a description.
  package let files: KeyValuePairs<String, String>
  package let seeAlso: [(page: String, section: Int)]
  /// An error in words, with the option that helps: the library names none.
  package let words: @Sendable (any Error) -> String

  package init(
    root: CommandRow, environment: KeyValuePairs<String, String>,
    files: KeyValuePairs<String, String> = [:], seeAlso: [(page: String, section: Int)] = [],
    words: @escaping @Sendable (any Error) -> String = { "\($0)" }
  ) {
    self.root = root
    self.files = files
    self.seeAlso = seeAlso
    self.words = words
    self.environment = environment
  }

  /// Parses the process's command line, does what it asks for and exits.
  package func main() -> Never {
    Interruption.turnWriteSignalsIntoErrors()
    ProcessContext.allowManyOpenFiles()
    let console = Console()
    ProcessContext.exit(status(of: ProcessContext.arguments, console))
  }

  private func status(of words: [[UInt8]], _ console: Console) -> Int32 {
    var failure = ExitCode.failure
    do {
      let request = try parse(try ResponseFile.expanding(try changingFolder(words)), with: root)
      if case .run(_, let path) = request, let row = path.last { failure = row.errorStatus }
      let code = try answer(request, console)
      try console.finish()
      return code.rawValue
    } catch let error as UsageError {
      console.tell(errorText(error, width: console.width))
      return ExitCode.usage.rawValue
    } catch let error as SystemError where error.isClosedOutput {
      return ExitCode.outputClosed.rawValue
    } catch {
      console.tell("error: \(self.words(error))")
      return Interruption.pending.map { 128 + $0 } ?? failure.rawValue
    }
  }

  /// The words after `-C DIR`, if they begin with it: the rest is done in that folder.
  private func changingFolder(_ words: [[UInt8]]) throws -> [[UInt8]] {
    guard let first = words.first, first.starts(with: "-C".utf8) else { return words }
    guard let folder = first.count > 2 ? first.dropFirst(2) : words.dropFirst().first?[...] else {
      var error = UsageError("missing value for '-C <dir>'")
      error.path = [root]
      throw error
    }
    try BytePath(folder).makeWorkingDirectory()
    return try changingFolder(Array(words.dropFirst(first.count > 2 ? 1 : 2)))
  }

  private func answer(_ request: Request, _ console: Console) throws -> ExitCode {
    switch request {
    case .run(let command, let path):
      do {
        return try command.run(console)
      } catch var error as UsageError {
        if error.path.isEmpty { error.path = path }
        throw error
      }
    case .help(let path): try console.write(helpText(path, width: console.width))
    case .missingCommand(let path):
      console.tell(String(helpText(path, width: console.width).dropLast()))
      return .usage
    case .version: try console.write(toolVersion + "\n")
    case .text(let text): try console.write(Array(text.utf8))
    case .manual: try console.write(Array(manual(of: self).utf8))
    }
    return .success
  }
}

extension SystemError {
  /// Whether the reader of the standard output closed the pipe.
  fileprivate var isClosedOutput: Bool { code == .brokenPipe && path == .standardOutput }
}

extension CommandRow {
  /// Options of every program's root row; the parser handles them.
  package static let generators = [generateCompletionScript, generateManual]

  /// The options that several of the commands below have, and those of every command.
  package var commonOptions: [Option] {
    let found = paths(from: self).flatMap(\.row.options).filter(\.isCommon)
      .reduce(into: [Option]()) { if !$0.contains($1) { $0.append($1) } }
    return found + EveryCommand.options
  }
}

let generateCompletionScript = Option(
  "generate-completion-script", name: "shell", .choice(Shell.allCases.map(\.rawValue)),
  help: "Print a completion script for a shell.")

/// Prints the manual page; the build calls it.
let generateManual = Option(
  "generate-manual", help: "Print the manual page in mdoc.", isHidden: true)

package enum EveryCommand {
  package static let version = Option("version", "V", help: "Show the version.")
  package static let help = Option("help", "h", help: "Show the help text.")
  package static let options = [version, help]
}
