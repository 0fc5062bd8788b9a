import BAPackCore

/// What a command line asks for.
package enum Request {
  /// Run a command.
  case run(any Command)
  /// Show the help text of the last row of this path.
  case help([CommandRow])
  /// Show the version.
  case version
  /// Print a completion script.
  case completionScript(Shell)
  /// Print the manual page.
  case manual
}

/// A usage error and the path of commands whose usage line belongs to it.
package struct FailedParse: Error {
  package let error: UsageError
  package let path: [CommandRow]
}

/// Reads a command line (without the program's name) against the table.
package func parse(_ words: [[UInt8]], with tool: CommandRow) throws(FailedParse) -> Request {
  var path = [tool]
  var row = tool
  var rest = words[...]
  while let word = rest.first, let next = row.subcommand(named: word) {
    row = next
    path.append(row)
    rest = rest.dropFirst()
  }
  // No command is named: the default one is meant, unless the words are for the group itself.
  let isForGroup = rest.first.map { word in
    isHelp(word) || word.starts(with: versionFlag)
      || row.options.contains { word.starts(with: "--\($0.long)".utf8) }
  }
  if let standard = row.defaultSubcommand, isForGroup != true,
    let next = row.subcommand(named: standard.utf8)
  {
    row = next
    path.append(row)
  }
  let beforeTerminator = rest.prefix { !$0.elementsEqual("--".utf8) }
  if beforeTerminator.contains(where: isHelp) { return .help(path) }
  if beforeTerminator.contains(where: { $0.elementsEqual(versionFlag) }) { return .version }

  do throws(UsageError) {
    var parser = WordParser(row: row, rest: rest)
    let (typed, positional) = try parser.parse()
    if let make = row.command {
      let typed = try assign(positional, to: row, in: tool, typed)
      try checkPresence(row, typed)
      return .run(try make(typed))
    }
    if typed.has(generateManual) { return .manual }
    if typed.has(generateCompletionScript) {
      return .completionScript(try typed.choice(generateCompletionScript))
    }
    if let word = positional.first { throw .unknownSubcommand(printable(word), of: row) }
    return .help(path)
  } catch {
    throw FailedParse(error: error, path: path)
  }
}

private let versionFlag = "--version".utf8

private func isHelp(_ word: [UInt8]) -> Bool {
  word.elementsEqual("--help".utf8) || word.elementsEqual("-h".utf8)
}

/// Gives each argument of `row` its words. One may repeat: those behind it take from the end.
private func assign(
  _ words: [[UInt8]], to row: CommandRow, in tool: CommandRow, _ typed: TypedArguments
) throws(UsageError) -> TypedArguments {
  var typed = typed
  var rest = words[...]
  for (index, argument) in row.arguments.enumerated() {
    let behind = row.arguments[(index + 1)...].count { !$0.isOptional }
    let count =
      argument.isRepeating
      ? max(rest.count - behind, min(rest.count, 1)) : min(rest.count, 1)
    let taken = rest.prefix(count)
    for word in taken where !fits(word, argument.kind) { throw .invalid(word, for: argument) }
    // A slip in a command's name reaches the default command as its first word.
    if index == 0, row.name == tool.defaultSubcommand, let word = taken.first,
      !word.contains(UInt8(ascii: ".")), !word.contains(UInt8(ascii: "/")),
      let near = nearest(
        to: String(decoding: word, as: UTF8.self),
        among: tool.subcommands.map(\.name).filter { $0 != row.name })
    {
      throw UsageError("Unknown subcommand '\(printable(word))'. Did you mean '\(near)'?")
    }
    typed.set(taken, for: argument)
    rest = rest.dropFirst(count)
  }
  if !rest.isEmpty { throw .unexpected(rest.map { printable($0) }) }
  return typed
}

/// Throws for the first argument or option that the command can't do without and does not have.
private func checkPresence(
  _ row: CommandRow, _ typed: TypedArguments
) throws(UsageError) {
  for argument in row.arguments where !argument.isOptional && typed.values(argument).isEmpty {
    throw .missing(argument)
  }
  for option in row.options where option.isRequired && !typed.has(option) {
    if row.options.contains(where: { $0.long == option.waiver && typed.has($0) }) { continue }
    throw .missing(option)
  }
}

/// Whether a word is what its option or argument takes.
package func fits(_ word: some Collection<UInt8>, _ kind: ValueKind) -> Bool {
  switch kind {
  case .text, .command: true
  case .file, .directory: !word.isEmpty
  case .choice(let choices): choices.contains { word.elementsEqual($0.utf8) }
  case .integer(let range):
    word.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      && Int(String(decoding: word, as: UTF8.self)).map(range.contains) ?? false
  }
}
