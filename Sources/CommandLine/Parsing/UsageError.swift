import BAPackCore

/// A command line that was not understood: exit status 64.
package struct UsageError: Error {
  /// What is wrong; one sentence without, several with a final period.
  package let message: String
  /// The option or argument concerned, for the line that explains it.
  package var help: String?

  package init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }

  package static func unknownOption(_ text: String, nearest suggestion: String?) -> UsageError {
    guard let suggestion else { return UsageError("Unknown option '\(text)'") }
    return UsageError("Unknown option '\(text)'. Did you mean '\(suggestion)'?")
  }

  package static func unknownSubcommand(_ text: String, of group: CommandRow) -> UsageError {
    let names = group.subcommands.filter { !$0.isHidden }.map(\.name)
    guard let suggestion = nearest(to: text, among: names + ["help"]) else {
      return UsageError("Unknown subcommand '\(text)'. \(pleaseProvide(names))")
    }
    return UsageError("Unknown subcommand '\(text)'. Did you mean '\(suggestion)'?")
  }

  package static func missing(_ option: Option) -> UsageError {
    UsageError("Missing expected argument '\(option.synopsis)'", help: explanation(option))
  }

  package static func missing(_ argument: Argument) -> UsageError {
    UsageError("Missing expected argument '<\(argument.name)>'", help: explanation(argument))
  }

  package static func missingValue(_ option: Option, typed name: String) -> UsageError {
    UsageError(
      "Missing value for '\(name)\(option.valueSynopsis)'", help: explanation(option, typed: name))
  }

  package static func unexpectedValue(_ name: String, _ value: String) -> UsageError {
    UsageError("The option '\(name)' does not take any value, but '\(value)' was specified.")
  }

  package static func unexpected(_ arguments: [String]) -> UsageError {
    arguments.count == 1
      ? UsageError("Unexpected argument '\(arguments[0])'")
      : UsageError(
        "\(arguments.count) unexpected arguments: "
          + arguments.map { "'\($0)'" }.joined(separator: ", "))
  }

  package static func exclusive(_ first: Option, _ second: Option) -> UsageError {
    UsageError("'--\(second.long)' can't be used together with '--\(first.long)'")
  }

  /// A value that its option or argument can't take, with the reason (a sentence) if there is more
  /// to say.
  package static func invalid(_ value: [UInt8], for option: Option, reason: String? = nil)
    -> UsageError
  {
    UsageError(
      invalid(value, option.synopsis, option.value?.kind, reason), help: explanation(option))
  }

  /// The same for an argument.
  package static func invalid(_ value: [UInt8], for argument: Argument, reason: String? = nil)
    -> UsageError
  {
    UsageError(
      invalid(value, "<\(argument.name)>", argument.kind, reason), help: explanation(argument))
  }

  private static func invalid(
    _ value: [UInt8], _ name: String, _ kind: ValueKind?, _ reason: String?
  ) -> String {
    var message = "The value '\(printable(value))' is invalid for '\(name)'"
    if let reason { return message + ". \(reason)" }
    switch kind {
    case .choice(let words):
      let near = nearest(to: String(decoding: value, as: UTF8.self), among: words)
      if let near { message += ". Did you mean '\(near)'?" }
      // A long list would bury the suggestion.
      if words.count <= 12 { message += (near == nil ? ". " : " ") + pleaseProvide(words) }
    case .integer(let range):
      message += ". Please provide a whole number from \(range.lowerBound) to \(range.upperBound)."
    case .file, .directory, .text, .command, nil: break
    }
    return message
  }

  private static func pleaseProvide(_ words: [String]) -> String {
    if words.count >= 6 {
      return "Please provide one of the following:" + words.map { "\n  - \($0)" }.joined()
    }
    let quoted = words.map { "'\($0)'" }
    guard let last = quoted.last, quoted.count > 1 else {
      return "Please provide \(quoted.joined())."
    }
    return "Please provide one of \(quoted.dropLast().joined(separator: ", ")) or \(last)."
  }

  private static func explanation(_ option: Option, typed name: String? = nil) -> String {
    "\(name ?? "--\(option.long)")\(option.valueSynopsis)  \(option.help)"
  }

  private static func explanation(_ argument: Argument) -> String {
    "<\(argument.name)>  \(argument.help)"
  }
}
