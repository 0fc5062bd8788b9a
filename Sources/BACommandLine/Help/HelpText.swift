/// The help text of the last row of `path`, for a terminal `width` columns wide. It looks like that
/// of tools built with Swift Argument Parser, with two more sections: examples and exit status.
package func helpText(_ path: [CommandRow], width: Int) -> String {
  guard let row = path.last else { return "" }
  var sections = [
    wrap("OVERVIEW: \(row.overview)", to: width)
      + row.discussion.map { "\n" + wrap($0, to: width) }.joined(),
    wrap("USAGE: \(usage(path))", to: width, hanging: 4),
  ]
  let arguments = row.arguments.map { argument in
    labelled("<\(argument.name)>", argument.help, width: width)
  }
  // The root's own help is short enough for those of every command.
  let options =
    row.options.filter { !$0.isHidden && !$0.isCommon }
    + (path.count == 1 ? EveryCommand.options : [])
  let common = path.count == 1 ? [] : visibleOptions(row).filter { !options.contains($0) }
  let subcommands = row.subcommands.filter { !$0.isHidden }
  let groups =
    row.groups.isEmpty ? [(title: "Subcommands", names: subcommands.map(\.name))] : row.groups
  let examples = row.examples.map { line, meaning in
    "  \(line)\n" + wrap(meaning, to: width, indent: 6)
  }
  let exitStatus = row.exitStatus.map { labelled($0, $1, width: width) }
  let commands = groups.map { group in
    let rows = subcommands.filter { group.names.contains($0.name) }
    return (
      group.title.uppercased(),
      rows.map { command in
        labelled(
          command.name == row.defaultSubcommand ? command.name + " (default)" : command.name,
          command.overview, width: width)
      }
    )
  }
  let parts = [
    ("ARGUMENTS", arguments), ("OPTIONS", described(options, width: width)),
    (
      "COMMON OPTIONS",
      common.isEmpty
        ? []
        : [wrap(common.map(\.shortest).joined(separator: " "), to: width, indent: 2)]
          + ["  See '\(path[0].name) help options'.\n"]
    ),
  ]
  let ends = [("EXAMPLES", examples), ("EXIT STATUS", exitStatus)]
  for (title, entries) in parts + commands + ends where !entries.isEmpty {
    sections.append("\(title):\n" + entries.joined())
  }
  var text = sections.joined(separator: "\n")
  if !subcommands.isEmpty {
    var names = path.map(\.name)
    names.insert("help", at: 1)
    text += "\n  See '\(names.joined(separator: " ")) <subcommand>' for detailed help.\n"
  }
  return text
}

/// The help text of the options that several commands of a program have.
package func commonHelpText(_ root: CommandRow, width: Int) -> String {
  "COMMON OPTIONS:\n" + described(root.commonOptions, width: width).joined()
}

private func described(_ options: [Option], width: Int) -> [String] {
  options.map { labelled($0.label, $0.help + remark($0), width: width) }
}

/// The usage line of the last row of `path`, without its label.
package func usage(_ path: [CommandRow]) -> String {
  guard let row = path.last else { return "" }
  var words = path.map(\.name)
  if !row.subcommands.isEmpty {
    if path.count == 1 { words.append("[-C <dir>]") }
    return (words + ["<subcommand>"]).joined(separator: " ")
  }
  let options = row.options.filter { !$0.isHidden && !$0.isCommon }
  // More would be hard to read; the help text lists them.
  if options.count + row.arguments.count > 5 || row.options.contains(where: \.isCommon) {
    words.append("[<options>]")
    words += options.filter(\.isRequired).map(\.usage)
  } else {
    words += options.map(\.usage)
  }
  words += row.arguments.map(\.usage)
  return words.joined(separator: " ")
}

/// A usage error as displayed on a terminal `width` columns wide, without a trailing line feed.
package func errorText(_ error: UsageError, width: Int) -> String {
  if error.path.last?.refusal != nil { return "error: \(error.message)" }
  let command = error.path.map(\.name).joined(separator: " ")
  var text = "error: \(error.message)\n"
  if let help = error.help { text += labelled(help.label, help.text, width: width) }
  return text + wrap("usage: \(usage(error.path))", to: width, hanging: 4)
    + "For more information, try '\(command) --help'."
}

/// The options that a help text or a completion shows for a command.
package func visibleOptions(_ row: CommandRow) -> [Option] {
  row.options.filter { !$0.isHidden } + EveryCommand.options
}

/// ` (values: a, b; default: a)`, or nothing.
package func remark(_ option: Option) -> String {
  guard let value = option.value else { return "" }
  var parts: [String] = []
  switch value.kind {
  case .choice(let words): parts.append("values: \(words.joined(separator: ", "))")
  case .integer(let range) where range.upperBound < 1000:
    parts.append("values: \(range.lowerBound)-\(range.upperBound)")
  case .size: parts.append("1MB is 1,000,000 bytes, 1MiB 1,048,576")
  case .integer, .text, .suggestion, .setting, .file, .directory: break
  }
  if option.acceptsJSON { parts.append("'--json' is short for json") }
  if let defaultValue = value.defaultValue { parts.append("default: \(defaultValue)") }
  return parts.isEmpty ? "" : " (\(parts.joined(separator: "; ")))"
}

private let labelColumn = 26

/// A label in the left column and its text next to it, or below when the label is too wide.
package func labelled(_ label: String, _ text: String, width: Int) -> String {
  let label = "  " + label
  // There would be no room for text next to the labels.
  if width < 60 { return label + "\n" + wrap(text, to: width, indent: 6) }
  let wrapped = wrap(text, to: width, indent: labelColumn)
  return label.count < labelColumn
    ? label + wrapped.dropFirst(label.count) : label + "\n" + wrapped
}

/// `text` broken at spaces into lines of at most `width` columns, each indented, all but the first of
/// a paragraph by `hanging` if given, and ended by a line feed. A word longer than a line gets a line of its own. Texts of the table are ASCII, so
/// characters and columns are the same.
package func wrap(
  _ text: String, to width: Int, indent: Int = 0, hanging: Int? = nil
) -> String {
  // Narrower text would be unreadable; the terminal may wrap lines itself.
  let width = max(width, indent + 20)
  let margin = String(repeating: " ", count: indent)
  let next = String(repeating: " ", count: hanging ?? indent)
  var lines = ""
  for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
    var line = margin
    for word in paragraph.split(separator: " ") {
      if line.count > indent {
        if line.count + 1 + word.count > width {
          lines += line + "\n"
          line = next
        } else {
          line += " "
        }
      }
      line += word
    }
    lines += line + "\n"
  }
  return lines
}
