/// A script for fish 3 and later.
package func fishCompletion(of tool: CommandRow) -> String {
  let function = "__" + identifier([tool.name])
  let all = paths(from: tool)
  let selections = all.dropFirst().map { words, _ in
    "      case \(fishQuoted(words.joined(separator: " ")))\n"
      + "        set command (string join -- ' ' $command $word)\n"
  }
  var script = """
    # Completes command lines of \(tool.name) in fish: put it as \(tool.name).fish into
    # ~/.config/fish/completions.

    # Whether the words before the cursor select the given command.
    function \(function)_command
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

    # Folders, and files whose names end in one of the given words.
    function \(function)_files
      set -l word (string replace -r '^-[^=]*=' '' -- (commandline -ct))
      __fish_complete_directories "$word" ''
      for ending in $argv
        for file in $word*$ending
          printf '%s\\t\\n' $file
        end
      end
    end

    # The names of settings, or the values in the first word after a name and an equals sign.
    function \(function)_setting
      set -l word (string replace -r '^--[^=]*=' '' -- (commandline -ct))
      if set -l name (string match -r '^[^=]+=' -- $word)
        printf "$name%s\\t\\n" (string split ' ' -- $argv[1])
      else
        printf '%s=\\t\\n' $argv[2..-1]
      end
    end

    complete -c \(tool.name) -f

    """
  for (words, row) in all {
    let condition = fishQuoted("\(function)_command \(fishQuoted(words.joined(separator: " ")))")
    script += fishCommand(row, "complete -c \(tool.name) -n \(condition)", function)
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

private func fishCommand(_ row: CommandRow, _ start: String, _ function: String) -> String {
  var lines = ""
  for command in row.offeredSubcommands {
    lines += "\(start) -a \(fishQuoted(command.name)) -d \(fishQuoted(command.overview))\n"
  }
  for option in visibleOptions(row) {
    lines += start + (option.short.map { " -s \($0)" } ?? "") + " -l \(option.long)"
    if let value = option.value, value.implied == nil { lines += fishValue(value.kind, function) }
    lines += " -d \(fishQuoted(option.help))\n"
  }
  for argument in row.arguments {
    if let offer = fishOffer(argument.kind, function) { lines += "\(start) \(offer)\n" }
  }
  return lines
}

private func fishValue(_ kind: ValueKind, _ function: String) -> String {
  if case .file(let extensions) = kind, extensions.isEmpty { return " -r -F" }
  return " -x" + (fishOffer(kind, function).map { " \($0)" } ?? "")
}

/// The values of an argument or option, each without a description: fish would repeat the option's.
private func fishOffer(_ kind: ValueKind, _ function: String) -> String? {
  switch kind {
  case .text, .integer, .size: nil
  case .choice, .suggestion:
    "-a \(fishQuoted((kind.words ?? []).map { $0 + "\\t" }.joined(separator: " ")))"
  case .setting(let names, let values):
    "-a \(fishQuoted("(\(function)_setting \(fishQuoted(values.joined(separator: " "))) \(names.joined(separator: " ")))"))"
  case .directory: "-a '(\(function)_files)'"
  case .file(let extensions) where extensions.isEmpty: "-F"
  case .file(let extensions):
    "-a '(\(function)_files \(extensions.map { "." + $0 }.joined(separator: " ")))'"
  }
}

private func fishQuoted(_ text: String) -> String {
  var result = "'"
  for character in text {
    if character == "'" || character == "\\" { result += "\\" }
    result.append(character)
  }
  return result + "'"
}
