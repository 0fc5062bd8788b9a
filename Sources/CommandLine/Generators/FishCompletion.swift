/// A script for fish 3 and later.
package func fishCompletion(of tool: CommandRow) -> String {
  let function = "__" + identifier([tool.name]) + "_command"
  let all = paths(from: tool)
  let selections = all.dropFirst().map { words, _ in
    "      case \(fishQuoted(words.joined(separator: " ")))\n"
      + "        set command (string join -- ' ' $command $word)\n"
  }
  var script = """
    # Completes command lines of \(tool.name) in fish: put it as \(tool.name).fish into
    # ~/.config/fish/completions.

    # Whether the words before the cursor select the given command.
    function \(function)
      set -l words (commandline -opc)[2..-1]
      set -l command
      for word in $words
        switch (string join -- ' ' $command $word)
    \(selections.joined())      case '*'
            break
        end
      end
    \(fishDefault(tool))
      test "$command" = "$argv[1]"
    end

    complete -c \(tool.name) -f

    """
  for (words, row) in all {
    let condition = fishQuoted("\(function) \(fishQuoted(words.joined(separator: " ")))")
    script += fishCommand(row, "complete -c \(tool.name) -n \(condition)")
  }
  return script
}

private func fishDefault(_ tool: CommandRow) -> String {
  guard let defaultCommand = tool.defaultSubcommand else { return "" }
  // At the first word both the tool's own completions and the default command's apply.
  let own = tool.options.filter { !$0.isHidden }.map { "--\($0.long)" }.joined(separator: " ")
  return """
      if test -z "$command"; and not contains -- "$words[1]" \(own)
        set -q words[1]; and set command \(defaultCommand)
        set -q words[1]; or test "$argv[1]" = \(defaultCommand); and return 0
      end
    """
}

private func fishCommand(_ row: CommandRow, _ start: String) -> String {
  var lines = ""
  for command in row.offeredSubcommands {
    lines += "\(start) -a \(fishQuoted(command.name)) -d \(fishQuoted(command.overview))\n"
  }
  for option in visibleOptions(row) {
    lines += start + (option.short.map { " -s \($0)" } ?? "") + " -l \(option.long)"
    if let value = option.value, value.implied == nil { lines += fishValue(value.kind) }
    lines += " -d \(fishQuoted(option.help))\n"
  }
  for argument in row.arguments {
    if let offer = fishOffer(argument.kind) { lines += "\(start) \(offer)\n" }
  }
  return lines
}

private func fishValue(_ kind: ValueKind) -> String {
  switch kind {
  case .text, .integer, .command: " -x"
  case .choice, .setting: " -x -a \(fishQuoted((kind.words ?? []).joined(separator: " ")))"
  case .directory: " -x -a '(__fish_complete_directories)'"
  case .file(let extensions) where extensions.isEmpty: " -r -F"
  case .file(let extensions): " -r -k -a \(fishQuoted(fishFiles(extensions)))"
  }
}

private func fishOffer(_ kind: ValueKind) -> String? {
  switch kind {
  case .text, .integer: nil
  case .choice, .command, .setting:
    "-a \(fishQuoted((kind.words ?? []).joined(separator: " ")))"
  case .directory: "-a '(__fish_complete_directories)'"
  case .file(let extensions) where extensions.isEmpty: "-F"
  case .file(let extensions): "-k -a \(fishQuoted(fishFiles(extensions)))"
  }
}

private func fishFiles(_ extensions: [String]) -> String {
  "(" + extensions.map { "__fish_complete_suffix .\($0)" }.joined(separator: "; ") + ")"
}

private func fishQuoted(_ text: String) -> String {
  var result = "'"
  for character in text {
    if character == "'" || character == "\\" { result += "\\" }
    result.append(character)
  }
  return result + "'"
}
