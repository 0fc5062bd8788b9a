import BADiagnostics

package enum Request {
  /// A command, after the groups that contain it.
  case run(any Command, path: [CommandRow])
  /// Show the help text of the last row of this path.
  case help([CommandRow])
  /// Like `help`, but a usage error: there are no words, and the default command needs arguments.
  case missingCommand([CommandRow])
  case version
  /// Print a script, or what completes a word.
  case text(String)
  case manual
}

/// Parses a command line (without the program's name) according to the table.
package func parse(_ words: [[UInt8]], with tool: CommandRow) throws -> Request {
  if words.first?.elementsEqual("--complete".utf8) ?? false {
    return .text(completions(of: words.dropFirst(), with: tool))
  }
  var path = [tool]
  do {
    return try parse(words, with: tool, &path)
  } catch var error as UsageError {
    if error.path.isEmpty { error.path = path }
    throw error
  }
}

/// Adds the commands that the words select to `path`.
private func parse(
  _ words: [[UInt8]], with tool: CommandRow, _ path: inout [CommandRow]
) throws -> Request {
  var row = tool
  var rest = optionsAfterCommands(words, of: tool)[...]
  var isAssumed = false
  while let word = rest.first, let next = row.subcommand(named: word) {
    row = next
    path.append(row)
    rest = rest.dropFirst()
  }
  // Without a command the default one is used, unless the words are options of the group.
  let isForGroup = rest.first.map { word in
    isHelp(word) || isVersion(word) || word.elementsEqual("-v".utf8) && words.count == 1
      || row.options.contains { word.starts(with: "--\($0.long)".utf8) }
  }
  if let name = row.defaultSubcommand, isForGroup != true,
    let next = row.subcommand(named: name.utf8)
  {
    let needsWords =
      next.arguments.contains { !$0.isOptional } || next.options.contains(where: \.isRequired)
    if words.isEmpty, needsWords { return .missingCommand(path) }
    if let word = mistypedCommand(rest, of: row, default: next) {
      throw UsageError.unknownCommand(word, of: row)
    }
    row = next
    path.append(row)
    isAssumed = true
  }
  let beforeTerminator = rest.prefix { !$0.elementsEqual("--".utf8) }
  if beforeTerminator.contains(where: isHelp) { return .help(path) }
  if beforeTerminator.contains(where: isVersion) || words.elementsEqual([Array("-v".utf8)]) {
    return .version
  }

  if let refusal = row.refusal { throw UsageError(refusal) }
  var parser = WordParser(row: row, rest: rest)
  let (typed, positional) = try parser.parse()
  if let make = row.command {
    var typed = try assign(positional, to: row, typed)
    typed.mayBeginWithCommand = isAssumed && beforeTerminator.count == rest.count
    try checkPresence(row, typed)
    return .run(try make(typed), path: path)
  }
  if typed.has(generateManual) { return .manual }
  if typed.has(generateCompletionScript) {
    return .text(completionScript(for: try typed.choice(generateCompletionScript), of: tool))
  }
  if let word = positional.first {
    throw UsageError.unknownCommand(printable(word), of: row)
  }
  return .help(path)
}

/// The words with the commands first: `-q download-manifest update` as `download-manifest update
/// -q`. Otherwise the options would select the default command.
private func optionsAfterCommands(_ words: [[UInt8]], of tool: CommandRow) -> [[UInt8]] {
  guard let standard = tool.defaultSubcommand.flatMap({ tool.subcommand(named: $0.utf8) }),
    words.first?.first == UInt8(ascii: "-")
  else { return words }
  let end = words.firstIndex { $0.elementsEqual("--".utf8) } ?? words.count
  for start in 1..<max(1, end) {
    guard var row = tool.subcommand(named: words[start]) else { continue }
    var rest = words[(start + 1)...]
    while let next = rest.first.flatMap({ row.subcommand(named: $0) }) {
      row = next
      rest = rest.dropFirst()
    }
    let options = words[..<start]
    // Options of neither are errors of the named command.
    if areOptions(options, of: row)
      || options.allSatisfy({ $0.first == UInt8(ascii: "-") }) && areOptions(options, of: standard)
    {
      return Array(words[start..<rest.startIndex] + options + rest)
    }
  }
  return words
}

private func areOptions(_ words: ArraySlice<[UInt8]>, of row: CommandRow) -> Bool {
  var parser = WordParser(row: row, rest: words)
  do {
    return try parser.parse().positional.isEmpty
  } catch {
    return false
  }
}

private func isVersion(_ word: [UInt8]) -> Bool {
  word.elementsEqual("--version".utf8) || word.elementsEqual("-V".utf8)
}

private func isHelp(_ word: [UInt8]) -> Bool {
  word.elementsEqual("--help".utf8) || word.elementsEqual("-h".utf8)
}

/// The first word if it is probably a mistyped command rather than the default command's argument:
/// it doesn't look like a path, and is similar to a command, or is followed by more words than the
/// default command accepts.
private func mistypedCommand(
  _ words: ArraySlice<[UInt8]>, of group: CommandRow, default row: CommandRow
) -> String? {
  guard let word = words.first, word.first != UInt8(ascii: "-"),
    !word.contains(UInt8(ascii: ".")), !word.contains(ASCII.slash)
  else { return nil }
  let text = printable(word)
  let names = group.subcommands.map(\.name) + EveryCommand.options.map(\.long)
  if names.contains(text) || nearest(to: text, among: names) != nil { return text }
  let hasMore = words.dropFirst().first.map { $0.first != UInt8(ascii: "-") } ?? false
  return hasMore && row.arguments.count == 1 && !row.arguments[0].isRepeating ? text : nil
}

/// Assigns words to the arguments of `row`. One of them may repeat; those after it are filled from
/// the end.
private func assign(
  _ words: [[UInt8]], to row: CommandRow, _ typed: TypedArguments
) throws(UsageError) -> TypedArguments {
  var typed = typed
  var rest = words[...]
  for (index, argument) in row.arguments.enumerated() {
    let following = row.arguments[(index + 1)...].count { !$0.isOptional }
    let count =
      argument.isRepeating
      ? max(rest.count - following, min(rest.count, 1)) : min(rest.count, 1)
    let values = rest.prefix(count)
    for word in values where !fits(word, argument.kind) { throw .invalid(word, for: argument) }
    typed.set(values, for: argument)
    rest = rest.dropFirst(count)
  }
  if !rest.isEmpty { throw .unexpected(rest, of: words, for: row, typed) }
  return typed
}

/// Throws for the first required argument or option that is missing.
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

/// Whether a word is valid for its option or argument.
package func fits(_ word: some Collection<UInt8>, _ kind: ValueKind) -> Bool {
  switch kind {
  case .text, .suggestion, .setting: true
  case .file, .directory: !word.isEmpty
  case .choice(let choices): choices.contains { word.elementsEqual($0.utf8) }
  case .integer(let range):
    word.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      && Int(String(decoding: word, as: UTF8.self)).map(range.contains) ?? false
  case .size: byteCount(reading: String(decoding: word, as: UTF8.self)) != nil
  }
}
