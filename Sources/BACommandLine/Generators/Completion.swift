import BAFiles

package enum Shell: String, CaseIterable {
  case bash, zsh, fish
}

/// What shells offer in place of the last of `words`, which follow the tool's name: a candidate on
/// each line, with its description after a tab. A line that begins with a colon stands for folders,
/// and for files that match one of the patterns in it.
///
/// The first word may be a command, or belong to the default one.
func completions(of words: ArraySlice<[UInt8]>, with tool: CommandRow) -> String {
  var rest = words
  let word = String(decoding: rest.popLast() ?? [], as: UTF8.self)
  while rest.first?.elementsEqual("-C".utf8) ?? false { rest = rest.dropFirst(2) }
  var row = tool
  while let next = rest.first.flatMap({ row.subcommand(named: $0) }) {
    row = next
    rest = rest.dropFirst()
  }
  let commands = rest.isEmpty ? row.offeredSubcommands : []
  let rows = [row] + row.subcommands.filter { $0.name == row.defaultSubcommand }
  let options = rows.flatMap(visibleOptions)
  func value(of name: some StringProtocol) -> Option.Value? {
    options.first { "--\($0.long)" == name || $0.short.map { "-\($0)" } ?? "" == name }?.value
  }

  let offers: [String]
  let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
  if word.hasPrefix("--"), parts.count == 2 {
    offers = (value(of: parts[0])?.kind.offers(for: parts[1]) ?? [])
      .map { $0.hasPrefix(":") ? $0 : "\(parts[0])=\($0)" }
  } else if word.hasPrefix("-") {
    offers = options.flatMap { option in
      (["--\(option.long)"] + (option.short.map { ["-\($0)"] } ?? [])).map {
        $0 + "\t" + option.help
      }
    }
  } else if let value = rest.last.flatMap({ value(of: String(decoding: $0, as: UTF8.self)) }),
    value.implied == nil
  {
    offers = value.kind.offers(for: word[...])
  } else {
    offers =
      commands.map { $0.name + "\t" + $0.overview }
      + rows.flatMap(\.arguments).flatMap { $0.kind.offers(for: word[...]) }
  }
  return offers.filter { $0.hasPrefix(word) || $0.hasPrefix(":") }
    .reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    .map { $0 + "\n" }.joined()
}

extension ValueKind {
  /// What completes a value that begins with `start`.
  fileprivate func offers(for start: Substring) -> [String] {
    switch self {
    case .text, .integer, .size: return []
    case .choice(let words), .suggestion(let words): return words
    case .setting(let names, let values):
      guard let equals = start.firstIndex(of: "=") else { return names.map { $0 + "=" } }
      return values.map { start[...equals] + $0 }
    case .directory: return [":"]
    case .file(let extensions):
      return [":" + (extensions.isEmpty ? " *" : extensions.map { " *.\($0)" }.joined())]
    }
  }
}

/// A script that completes the tool's command lines in `shell`, by what the tool prints for
/// `--complete` and the words up to the cursor.
func completionScript(for shell: Shell, of tool: CommandRow) -> String {
  let script =
    switch shell {
    case .bash: PackageResources.completion_bash
    case .zsh: PackageResources.completion_zsh
    case .fish: PackageResources.completion_fish
    }
  let function = "_" + tool.name.replacing("-", with: "_")
  return filled(script, ["FUNCTION": function, "NAME": tool.name])
}

/// `row` itself, with no words, and every command below it with the words that select it.
package func paths(from row: CommandRow, _ words: [String] = []) -> [(
  words: [String], row: CommandRow
)] {
  [(words, row)] + row.offeredSubcommands.flatMap { paths(from: $0, words + [$0.name]) }
}

extension CommandRow {
  fileprivate var offeredSubcommands: [CommandRow] {
    subcommands.filter { !$0.isHidden || $0.name == "help" }
  }
}
