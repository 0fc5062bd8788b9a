/// A script for bash 3.2 and later. It doesn't need the bash-completion package, so it handles the
/// way bash splits `--name=value` into three words.
package func bashCompletion(of tool: CommandRow) -> String {
  let function = "_" + identifier([tool.name])
  let all = paths(from: tool)
  let selections = all.dropFirst().map { words, _ in
    "      \(quoted(words.dropLast().joined(separator: " ") + "/" + words[words.count - 1])))"
      + " command=\(quoted(words.joined(separator: " "))) ;;\n"
  }
  let commands = all.map { words, row in
    "    \(quoted(words.joined(separator: " "))))\n\(bashCommand(row, function)) ;;\n"
  }
  return """
    # Completes command lines of \(tool.name) in bash: source it, or put it into a folder that
    # bash-completion reads, such as ~/.local/share/bash-completion/completions.

    # Offers those of the given words that begin like the word at the cursor.
    \(function)_words() {
      local line
      while IFS='' read -r line; do
        COMPREPLY+=("$line")
      done < <(compgen -W "$1" -- "$word")
    }

    # Offers folders, and files that match the given pattern if there is one.
    \(function)_files() {
      local line
      compopt -o filenames 2>/dev/null
      while IFS='' read -r line; do
        COMPREPLY+=("$line")
      done < <(
        compgen -d -- "$word"
        if [ -n "$1" ]; then compgen -f -X "!$1" -- "$word"; fi
      )
    }

    \(function)() {
      local word="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD - 1]}"
      local command='' index
      COMPREPLY=()
      if [ "$word" = '=' ]; then
        word=''
    \(bashSettings(all.flatMap(\.1.options), function, back: 2))  elif [ "$previous" = '=' ]; then
        previous="${COMP_WORDS[COMP_CWORD - 2]}"
    \(bashSettings(all.flatMap(\.1.options), function, back: 3))  fi
      for ((index = 1; index < COMP_CWORD; index++)); do
        case "$command/${COMP_WORDS[index]}" in
    \(selections.joined())      *) break ;;
        esac
      done
    \(bashDefault(tool, function))
      case "$command" in
    \(commands.joined())  esac
    }

    complete -F \(function) \(tool.name)

    """
}

/// Completion for the first word: a command or an option of the tool; without a command, what the
/// default one accepts.
private func bashDefault(_ tool: CommandRow, _ function: String) -> String {
  guard let defaultCommand = tool.defaultSubcommand else { return "" }
  let own = tool.options.filter { !$0.isHidden }.map { "--\($0.long)" }
  return """
      if [ "$COMP_CWORD" = 1 ]; then
        case "$word" in
          -*) \(function)_words \(quoted(own.joined(separator: " "))) ;;
          *) \(function)_words \(quoted(subcommandWords(tool))) ;;
        esac
      fi
      case "$command/${COMP_WORDS[1]}" in
        \(own.map { "/\($0)" }.joined(separator: " | "))) ;;
        /*) command=\(quoted(defaultCommand)) ;;
      esac
    """
}

/// Completion for the value of a setting, after the equals sign, if the option is `back` words
/// before.
private func bashSettings(_ options: [Option], _ function: String, back: Int) -> String {
  var lines = ""
  var seen: Set<String> = []
  for option in options {
    guard case .setting(_, let values)? = option.value?.kind, seen.insert(option.long).inserted
    else { continue }
    lines += """
          if [ "${COMP_WORDS[COMP_CWORD < \(back) ? 0 : COMP_CWORD - \(back)]}" = '--\(option.long)' ]; then
            \(function)_words \(quoted(values.joined(separator: " "))); return
          fi

      """
  }
  return lines
}

private func subcommandWords(_ row: CommandRow) -> String {
  row.offeredSubcommands.map(\.name).joined(separator: " ")
}

/// Completion for a command: the value of the option before the cursor, an option after a dash,
/// otherwise an argument.
private func bashCommand(_ row: CommandRow, _ function: String) -> String {
  var lines = ""
  let valued = row.options.filter { $0.value.map { $0.implied == nil } ?? false && !$0.isHidden }
  if !valued.isEmpty {
    lines += "      case \"$previous\" in\n"
    for option in valued {
      let names = "--\(option.long)" + (option.short.map { " | -\($0)" } ?? "")
      let offer = option.value.map { bashOffer($0.kind, function) } ?? ":"
      lines += "        \(names)) \(offer); return ;;\n"
    }
    lines += "      esac\n"
  }
  let names = visibleOptions(row).map { option in
    (option.short.map { "-\($0) " } ?? "") + "--\(option.long)"
  }
  lines += """
          case "$word" in
            -*) \(function)_words \(quoted(names.joined(separator: " "))) ;;

    """
  var offers = row.arguments.map { bashOffer($0.kind, function) }.filter { $0 != ":" }
  if !row.subcommands.isEmpty, row.defaultSubcommand == nil {
    offers.append("\(function)_words \(quoted(subcommandWords(row)))")
  }
  if !offers.isEmpty {
    let unique = offers.enumerated().filter { offers.firstIndex(of: $1) == $0 }.map(\.element)
    lines += "        *) \(unique.joined(separator: "; ")) ;;\n"
  }
  return lines + "      esac"
}

private func bashOffer(_ kind: ValueKind, _ function: String) -> String {
  switch kind {
  case .text, .integer, .size: ":"
  case .choice, .suggestion, .setting:
    "\(function)_words \(quoted((kind.words ?? []).joined(separator: " ")))"
      + (kind.isSetting ? "; compopt -o nospace 2>/dev/null" : "")
  case .directory: "\(function)_files ''"
  case .file(let extensions) where extensions.isEmpty: "\(function)_files '*'"
  case .file(let extensions):
    extensions.map { "\(function)_files \(quoted("*.\($0)"))" }.joined(separator: "; ")
  }
}
