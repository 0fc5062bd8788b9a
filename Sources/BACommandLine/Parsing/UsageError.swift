import BADiagnostics

/// An invalid command line: exit status 64.
package struct UsageError: Error {
  /// The problem, without a final period.
  package let message: String
  /// The option or argument concerned, for the line that explains it.
  package var help: (label: String, text: String)?
  /// The command, after the groups that contain it: its usage line is shown.
  package var path: [CommandRow] = []

  package init(_ message: String, help: (label: String, text: String)? = nil) {
    self.message = message
    self.help = help
  }

  package static func unknownOption(_ text: String, nearest suggestion: String?) -> UsageError {
    UsageError("unknown option '\(text)'" + didYouMean(suggestion))
  }

  package static func unknownCommand(_ text: String, of group: CommandRow) -> UsageError {
    let rows = group.subcommands.filter { !$0.isHidden }
    let options = (group.options.filter { !$0.isHidden } + EveryCommand.options).map(\.long)
    let meant =
      options.first { $0 == text || $0.contains(text) && text.count > 5 }.map { "--\($0)" }
      ?? rows.first { $0.synonyms.contains(text) }?.name(meantBy: text)
      ?? suggestion(for: text, among: rows.map(\.name) + ["help"])
    var error = UsageError("unknown command '\(text)'" + didYouMean(meant))
    if group.defaultSubcommand != nil { error.path = [group] }
    return error
  }

  package static func missing(_ option: Option) -> UsageError {
    UsageError("missing option '\(option.synopsis)'", help: explanation(option))
  }

  package static func missing(_ argument: Argument) -> UsageError {
    UsageError("missing argument '<\(argument.name)>'", help: explanation(argument))
  }

  package static func missingValue(_ option: Option, typed name: String) -> UsageError {
    UsageError(
      "missing value for '\(name)\(option.valueSynopsis)'", help: explanation(option, typed: name))
  }

  package static func unexpectedValue(_ name: String, _ value: String) -> UsageError {
    UsageError("'\(name)' does not accept a value, but '\(value)' was given")
  }

  /// More arguments than a command has: `extra` is what is left of `words`.
  package static func unexpected(
    _ extra: some Collection<[UInt8]>, of words: [[UInt8]], for row: CommandRow,
    _ typed: TypedArguments
  ) -> UsageError {
    var message =
      extra.count == 1
      ? "unexpected argument " : "\(extra.count) unexpected arguments: "
    // A blank in the password of a URL begins another word.
    let isURL = words.contains { String(decoding: $0, as: UTF8.self).contains("://") }
    message += extra.map { isURL ? "'…'" : "'\(printable($0))'" }.joined(separator: ", ")
    // A name in the style of an output file: '-o' may have been forgotten.
    let output = row.options.first { option in
      guard case .file(let extensions) = option.value?.kind, let word = extra.first else {
        return false
      }
      return option.short != nil && extra.count == 1 && !typed.has(option)
        && extensions.contains { BytePath(word).hasExtension($0) }
    }
    let blank = row.options.lazy.flatMap { typed.values($0) }
      .map { $0 + [0x20] + extra.joined(separator: [0x20]) }
      .first { (try? FileStatus.following(BytePath($0))) != nil }
    if let blank {
      return UsageError(message + "; quote a name with blanks: '\(printable(blank))'")
    }
    if let output, let letter = output.short, let word = extra.first {
      return UsageError(message + didYouMean("-\(letter) \(printable(word))"))
    }
    if let option = row.options.first(where: { $0.isRequired && !typed.has($0) }),
      let word = extra.first
    {
      return UsageError(message + didYouMean("--\(option.long) \(printable(word))"))
    }
    if row.arguments.count == 1, let argument = row.arguments.first {
      message += "; '\(row.name)' accepts one <\(argument.name)>, but \(words.count) were given"
    }
    return UsageError(message)
  }

  package static func exclusive(_ first: Option, _ second: Option) -> UsageError {
    UsageError("'--\(second.long)' can't be used with '--\(first.long)'")
  }

  /// An option without the one that it is for.
  package static func needs(_ option: Option, _ other: Option) -> UsageError {
    UsageError("'--\(option.long)' can be used with '--\(other.long)' only")
  }

  /// A value that is invalid for its option, with a reason if there is more to say.
  package static func invalid(_ value: [UInt8], for option: Option, reason: String? = nil)
    -> UsageError
  {
    UsageError(
      invalid(value, option.synopsis, option.value?.kind, reason), help: explanation(option))
  }

  /// A value that is invalid for its argument, with a reason if there is more to say.
  package static func invalid(_ value: [UInt8], for argument: Argument, reason: String? = nil)
    -> UsageError
  {
    UsageError(
      invalid(value, "<\(argument.name)>", argument.kind, reason), help: explanation(argument))
  }

  private static func invalid(
    _ value: [UInt8], _ name: String, _ kind: ValueKind?, _ reason: String?
  ) -> String {
    // Without the name and the password of a URL.
    let at = value.lastIndex(of: UInt8(ascii: "@")) ?? value.startIndex
    let isSecret = value[..<at].contains(UInt8(ascii: ":"))
    let shown = isSecret ? "…" + printable(value[at...]) : printable(value)
    let message = "invalid value '\(shown)' for '\(name)'"
    if let reason { return message + ": \(reason)" }
    switch kind {
    case .choice(let words):
      return message
        + didYouMean(
          suggestion(for: String(decoding: value, as: UTF8.self), among: words))
    case .integer(let range):
      return message + ": expected a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .size: return message + ": expected a size such as 1000000, 64MB or 1GiB"
    case .file, .directory, .text, .suggestion, .setting, nil: return message
    }
  }

  private static func didYouMean(_ suggestion: String?) -> String {
    suggestion.map { "; did you mean '\($0)'?" } ?? ""
  }

  private static func explanation(
    _ option: Option, typed name: String? = nil
  ) -> (label: String, text: String) {
    ("\(name ?? "--\(option.long)")\(option.valueSynopsis)", option.help + remark(option))
  }

  private static func explanation(_ argument: Argument) -> (label: String, text: String) {
    ("<\(argument.name)>", argument.help)
  }
}
