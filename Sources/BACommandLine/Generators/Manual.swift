import BADiagnostics

/// The date of this version, for manual pages.
let versionDate = "November 21, 2026"

/// The manual page, in the mdoc language of mandoc and groff.
package func manual(of program: Program) -> String {
  let tool = program.root
  let commands = paths(from: tool).dropFirst().filter { !$0.row.isHidden }
  var page = """
    .Dd \(versionDate)
    .Dt \(tool.name.uppercased()) 1
    .Os
    .Sh NAME
    .Nm \(tool.name)
    .Nd \(roff(lowercasedSentence(tool.overview)))
    .Sh SYNOPSIS

    """
  for (words, row) in commands where row.command != nil {
    page += synopsis(words, row, isDefault: words == [tool.defaultSubcommand])
  }
  page += ".Sh DESCRIPTION\n" + paragraphs(tool.discussion)
  if let defaultCommand = tool.defaultSubcommand {
    page += ".Pp\nIf no command is given,\n.Cm \(defaultCommand)\nis assumed.\n"
  }
  page += """
    .Pp
    Options may come before or after arguments, and short options may be combined.
    A value follows its option as the next word, or after an equals sign.
    Words after
    .Fl Fl
    are never options.
    With
    .Fl C Ar dir
    before the command, everything is done in that folder.
    .Pp
    The commands are:

    """
  for (words, row) in commands {
    page += ".Ss \(words.joined(separator: " "))\n\(roff(row.overview))\n"
    page += row.discussion.isEmpty ? "" : ".Pp\n" + paragraphs(row.discussion)
    page += list(row.arguments.map { (".It Ar \(roff($0.name))", $0.help) })
    page += list(
      row.options.filter { !$0.isHidden && !$0.isCommon }.map { (item($0), $0.help + remark($0)) })
    let common = row.options.filter(\.isCommon).map {
      $0.short.map { "Fl \($0)" } ?? "Fl Fl \($0.long)"
    }
    if !common.isEmpty {
      page += ".Pp\nCommon options:\n" + common.map { ".\($0)\n" }.joined()
    }
  }
  page += ".Ss Common options\n"
  page += list(tool.commonOptions.map { (item($0), $0.help + remark($0)) })
  page += ".Ss Options without a command\n"
  page += list(tool.options.filter { !$0.isHidden }.map { (item($0), $0.help + remark($0)) })
  page += ".Sh ENVIRONMENT\n"
  page += list(
    program.environment.map { (".It Ev \($0)", $1) } + [
      (".It Ev COLUMNS", "The width of help texts and charts, in columns."),
      (".It Ev NO_COLOR", "If set and not empty, colors are off by default."),
    ])
  if !program.files.isEmpty {
    page += ".Sh FILES\n" + list(program.files.map { (".It Pa \(roff($0))", $1) })
  }
  page += ".Sh EXIT STATUS\n"
  page += list(tool.exitStatus.map { (".It \($0)", $1) })
  let examples = commands.flatMap { $0.row.examples }
  if !examples.isEmpty { page += ".Sh EXAMPLES\n" }
  for (line, meaning) in examples {
    page += ".Pp\n\(roff(meaning))\n.Bd -literal -offset indent\n"
    page += literal("$ " + line) + ".Ed\n"
  }
  if !program.seeAlso.isEmpty {
    let pages = program.seeAlso.map { ".Xr \($0.page) \($0.section)" }
    page += ".Sh SEE ALSO\n" + pages.joined(separator: " ,\n") + "\n"
  }
  // A paragraph macro after a section's title is redundant.
  return page.replacing(".Sh EXAMPLES\n.Pp\n", with: ".Sh EXAMPLES\n")
}

private func synopsis(_ words: [String], _ row: CommandRow, isDefault: Bool) -> String {
  var text = ".Nm\n"
  let command = words.joined(separator: " ")
  text += isDefault ? ".Op Cm \(command)\n" : ".Cm \(command)\n"
  for option in row.options where !option.isHidden && !option.isCommon {
    let several = option.arity == .one ? "" : " ..."
    text += option.isRequired ? "." + flag(option) + several : ".Op " + flag(option) + several
    text += "\n"
  }
  if row.options.contains(where: \.isCommon) { text += ".Op Ar common options\n" }
  for argument in row.arguments {
    let several = argument.isRepeating ? " ..." : ""
    text += (argument.isOptional ? ".Op Ar " : ".Ar ") + argument.name + several + "\n"
  }
  return text
}

/// `Fl o Ar path` or `Fl Fl root Ar dir`.
private func flag(_ option: Option) -> String {
  (option.short.map { "Fl \($0)" } ?? "Fl Fl \(option.long)")
    + (option.value.map(valueText) ?? "")
}

/// ` Ar minutes`; in brackets, and in the same word, if it is optional.
private func valueText(_ value: Option.Value) -> String {
  value.implied == nil ? " Ar \(roff(value.name))" : " Ns Oo = Ns Ar \(roff(value.name)) Oc"
}

private func item(_ option: Option) -> String {
  let long = "Fl Fl \(option.long)" + (option.value.map(valueText) ?? "")
  return ".It " + (option.short.map { "Fl \($0) , " } ?? "") + long
}

private func list(_ items: [(String, String)]) -> String {
  if items.isEmpty { return "" }
  return ".Bl -tag -width Ds\n" + items.map { "\($0)\n\(roff($1))\n" }.joined() + ".El\n"
}

private func paragraphs(_ texts: [String]) -> String {
  texts.map { roff($0) + "\n" }.joined(separator: ".Pp\n")
}

/// Text with roff's special characters escaped: backslashes, hyphens, and dots and quotes at the
/// start of a line. Each sentence starts a line, as usual in roff.
func roff(_ text: String) -> String {
  var lines = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    .replacing(". ", with: ".\n")
  lines = lines.split(separator: "\n").map { wrap(String($0), to: 78) }.joined()
  return lines.split(separator: "\n").map { line in
    line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : String(line)
  }.joined(separator: "\n")
}

/// A command for a literal block; a long one is broken with backslashes. It can be copied: no
/// character becomes a typographic one.
private func literal(_ command: String) -> String {
  // Pages have 78 columns: 11 for margins, 4 for indentation and 2 for the backslash are
  // subtracted.
  var lines = wrap(command, to: 61).split(separator: "\n").map(String.init)
  for index in lines.indices.dropFirst() { lines[index] = "    " + lines[index] }
  var text = lines.joined(separator: " \\\n")
  for (character, name) in [
    ("\\", "\\e"), ("-", "\\-"), ("'", "\\(aq"), ("`", "\\(ga"), ("^", "\\(ha"), ("~", "\\(ti"),
  ] {
    text = text.replacing(character, with: name)
  }
  return text + "\n"
}

/// `Make packs.` as `make packs`.
private func lowercasedSentence(_ text: String) -> String {
  guard let first = text.first else { return text }
  let rest = text.dropFirst()
  return first.lowercased() + (rest.hasSuffix(".") ? rest.dropLast() : rest)
}
