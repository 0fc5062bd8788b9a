import BAPackCore

/// What was typed for a command, sorted by option and argument and in bytes as the shell passed it:
/// kinds of values are checked, but it says nothing about what they mean together. A command's
/// `init` reads it and makes validated fields of it.
struct TypedArguments: Sendable {
  /// The values of each option by long name, in the order typed; a flag collects empty ones.
  private var options: [String: [[UInt8]]] = [:]
  /// The words of each argument by name.
  private var arguments: [String: [[UInt8]]] = [:]

  mutating func add(_ value: [UInt8], to option: Option) {
    options[option.long, default: []].append(value)
  }

  mutating func set(_ words: some Sequence<[UInt8]>, for argument: Argument) {
    arguments[argument.name] = Array(words)
  }

  /// Whether the option was given.
  func has(_ option: Option) -> Bool { options[option.long] != nil }

  /// The values given, or none.
  func values(_ option: Option) -> [[UInt8]] { options[option.long] ?? [] }

  /// The last value given, or the option's default.
  func value(_ option: Option) -> [UInt8]? {
    options[option.long]?.last ?? option.value?.standard.map { Array($0.utf8) }
  }

  /// The last value given, or the default; an error when there is neither.
  func required(_ option: Option) throws(UsageError) -> [UInt8] {
    guard let value = value(option) else { throw .missing(option) }
    return value
  }

  /// The last value given, as a path.
  func path(_ option: Option) -> FilePath? { value(option).map { FilePath($0) } }

  /// The value as text. Only text and words of a choice may be asked for: bytes that are not UTF-8
  /// are an error.
  func text(_ option: Option) throws(UsageError) -> String? {
    guard let value = value(option) else { return nil }
    guard let text = String(validating: value, as: UTF8.self) else {
      throw .invalid(value, for: option, reason: "It is not UTF-8.")
    }
    return text
  }

  /// The value as a case of `Choice`, whose raw values are the option's words.
  func choice<Choice: RawRepresentable<String>>(
    _ option: Option, as type: Choice.Type = Choice.self
  ) throws(UsageError) -> Choice {
    let value = try required(option)
    guard let choice = Choice(rawValue: String(decoding: value, as: UTF8.self)) else {
      throw .invalid(value, for: option)
    }
    return choice
  }

  /// The value as a whole number, which the parser has held against the option's range.
  func integer(_ option: Option) -> Int? {
    value(option).flatMap { Int(String(decoding: $0, as: UTF8.self)) }
  }

  /// The words given for an argument, or none.
  func values(_ argument: Argument) -> [[UInt8]] { arguments[argument.name] ?? [] }

  /// The one word given for an argument.
  func value(_ argument: Argument) -> [UInt8]? { values(argument).first }

  /// The one word given for an argument; an error when it is missing.
  func required(_ argument: Argument) throws(UsageError) -> [UInt8] {
    guard let value = value(argument) else { throw .missing(argument) }
    return value
  }

  /// The word given for an argument, as a path; an error when it is missing.
  func path(_ argument: Argument) throws(UsageError) -> FilePath {
    FilePath(try required(argument))
  }

  /// The words given for an argument, as paths; an error when there are none.
  func paths(_ argument: Argument) throws(UsageError) -> [FilePath] {
    if values(argument).isEmpty { throw .missing(argument) }
    return values(argument).map { FilePath($0) }
  }
}
