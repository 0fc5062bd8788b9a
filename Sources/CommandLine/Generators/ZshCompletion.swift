/// A script for zsh: a file `_ba-package` in a folder of `fpath`, or sourced after `compinit`.
package func zshCompletion(of tool: CommandRow) -> String {
  let name = "_" + tool.name
  var script = """
    #compdef \(tool.name)
    # Completes command lines of \(tool.name) in zsh: put it as \(name) into a folder of fpath, or
    # source it after compinit.


    """
  for (words, row) in paths(from: tool) {
    let function = ([name] + words).joined(separator: "-")
    script +=
      row.subcommands.isEmpty
      ? zshLeaf(row, function) : zshGroup(row, function)
  }
  return script + """
    if [[ $funcstack[1] == \(name) ]]; then
      \(name) "$@"
    else
      compdef \(name) \(tool.name)
    fi

    """
}

/// Offers the subcommands for the first word; the named one completes the rest.
private func zshGroup(_ row: CommandRow, _ function: String) -> String {
  let commands = row.offeredSubcommands.map { command in
    "    " + quoted("\(command.name):\(command.overview)") + "\n"
  }
  let cases = row.subcommands.map { command in
    "    \(command.name)) shift words; (( CURRENT-- )); \(function)-\(command.name) ;;\n"
  }
  let defaultCommand = row.defaultSubcommand.map { "\(function)-\($0)" }
  return """
    \(function)() {
      local -a commands=(
    \(commands.joined())  )
      if (( CURRENT == 2 )) && [[ $PREFIX == -* ]]; then
        \(zshOptions(row, defaultCommand))
        return
      fi
      if (( CURRENT == 2 )); then
        _describe command commands
        \(defaultCommand ?? "return")
        return
      fi
      case $words[2] in
    \(cases.joined())\(zshOwn(row))    *) \(defaultCommand ?? "_message 'no such command'") ;;
      esac
    }


    """
}

/// The case for an option of the group itself, which may have a value.
private func zshOwn(_ row: CommandRow) -> String {
  let options = row.options.filter { !$0.isHidden }
  if options.isEmpty { return "" }
  return "    \(options.map { "--\($0.long)*" }.joined(separator: "|")))"
    + " _arguments \(options.map(zshOption).joined(separator: " ")) ;;\n"
}

private func zshOptions(_ row: CommandRow, _ defaultCommand: String?) -> String {
  let own = visibleOptions(row).map(zshOption).joined(separator: " ")
  return "_arguments -s \(own)" + (defaultCommand.map { "\n    \($0)" } ?? "")
}

private func zshLeaf(_ row: CommandRow, _ function: String) -> String {
  var lines = visibleOptions(row).map(zshOption)
  for argument in row.arguments {
    let count = argument.isRepeating ? "*" : ""
    let optional = argument.isOptional && !argument.isRepeating ? ":" : ""
    lines.append(
      quoted("\(count):\(optional)\(escaped(argument.name)):\(zshAction(argument.kind))"))
  }
  return "\(function)() {\n  _arguments -s -S \\\n    "
    + lines.joined(separator: " \\\n    ") + "\n}\n\n"
}

/// An option for `_arguments`: `'(-o --output-path)'{-o+,--output-path=}'[help]:name:action'`.
private func zshOption(_ option: Option) -> String {
  var tail = "[\(escaped(option.help))]"
  var separator = ""
  if let value = option.value {
    // An optional value is in the same word.
    separator = value.implied == nil ? "=" : "=-"
    tail += value.implied == nil ? ":" : "::"
    tail += "\(escaped(value.name)):\(zshAction(value.kind))"
  }
  let long = "--\(option.long)" + separator
  let several = option.arity == .one ? "" : "*"
  guard let short = option.short else { return quoted(several + long + tail) }
  let shorts = "-\(short)" + (option.value == nil ? "" : "+")
  return quoted(several.isEmpty ? "(-\(short) --\(option.long))" : several)
    + "{\(shorts),\(long)}" + quoted(tail)
}

private func zshAction(_ kind: ValueKind) -> String {
  switch kind {
  case .text, .integer, .size: ""
  case .choice, .suggestion: "(\((kind.words ?? []).joined(separator: " ")))"
  case .setting(let names, let values):
    "{compset -P \"*=\" && compadd \(values.joined(separator: " ")) || "
      + "compadd -S = \(names.joined(separator: " "))}"
  case .directory: "_files -/"
  case .file(let extensions) where extensions.isEmpty: "_files"
  // Parentheses around a single word would be a glob qualifier.
  case .file(let extensions) where extensions.count == 1: "_files -g \"*.\(extensions[0])\""
  case .file(let extensions): "_files -g \"*.(\(extensions.joined(separator: "|")))\""
  }
}

/// Text with the characters escaped that end a part of a specification.
private func escaped(_ text: String) -> String {
  var result = ""
  for character in text {
    if "[]:\\".contains(character) { result += "\\" }
    result.append(character)
  }
  return result
}
