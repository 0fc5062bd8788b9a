package enum Shell: String, CaseIterable {
  case bash, zsh, fish
}

/// A script that completes the tool's command lines in `shell`.
///
/// For the first word, all scripts offer the commands and what the default command accepts; after
/// that, what the named command accepts, or else the default one.
package func completionScript(for shell: Shell, of tool: CommandRow) -> String {
  switch shell {
  case .bash: bashCompletion(of: tool)
  case .zsh: zshCompletion(of: tool)
  case .fish: fishCompletion(of: tool)
  }
}

/// `row` itself, with no words, and every command below it with the words that select it.
package func paths(from row: CommandRow, _ words: [String] = []) -> [(
  words: [String], row: CommandRow
)] {
  [(words, row)] + row.offeredSubcommands.flatMap { paths(from: $0, words + [$0.name]) }
}

extension CommandRow {
  var offeredSubcommands: [CommandRow] { subcommands.filter { !$0.isHidden || $0.name == "help" } }
}

/// `text` in single quotes, for a POSIX shell.
package func quoted(_ text: String) -> String {
  "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
    + "'"
}

/// The words as part of a function name.
package func identifier(_ words: [String]) -> String {
  String(words.joined(separator: "_").map { $0 == "-" ? "_" : $0 })
}
