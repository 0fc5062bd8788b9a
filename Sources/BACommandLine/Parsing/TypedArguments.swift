import BADiagnostics

/// The words given for a command, by option and argument, in bytes as the shell passed them. The
/// kinds of values were checked, and required ones are present; a command's `init` checks
/// combinations and converts the values to fields.
package struct TypedArguments: Sendable {
  /// The values of each option by long name, in the order typed; a flag collects empty ones.
  private var options: [String: [[UInt8]]] = [:]
  private var arguments: [String: [[UInt8]]] = [:]
  /// Whether the first argument may be a mistyped command: there is no command, and no `--` before
  /// it.
  package var mayBeginWithCommand = false

  package mutating func add(_ value: [UInt8], to option: Option) {
    options[option.long, default: []].append(value)
  }

  package mutating func set(_ words: some Sequence<[UInt8]>, for argument: Argument) {
    arguments[argument.name] = Array(words)
  }

  package func has(_ option: Option) -> Bool { options[option.long] != nil }

  package func values(_ option: Option) -> [[UInt8]] { options[option.long] ?? [] }

  /// Each value given, decoded; the error of `decode` is the reason why a value is invalid.
  package func values<Value>(
    _ option: Option, _ decode: ([UInt8]) throws -> Value
  ) throws -> [Value] {
    try values(option).map { value in
      do { return try decode(value) } catch {
        throw UsageError.invalid(value, for: option, reason: "\(error)")
      }
    }
  }

  /// The last value given, or the option's default.
  package func value(_ option: Option) -> [UInt8]? {
    options[option.long]?.last ?? option.value?.defaultValue.map { Array($0.utf8) }
  }

  /// The last value given, or the default, of an option that is required or has one.
  package func required(_ option: Option) -> [UInt8] {
    guard let value = value(option) else { preconditionFailure("no --\(option.long)") }
    return value
  }

  package func path(_ option: Option) -> BytePath? { value(option).map { BytePath($0) } }

  package func paths(_ option: Option) -> [BytePath] { values(option).map { BytePath($0) } }

  /// The last value given, as text; an error if it is not UTF-8.
  package func text(_ option: Option) throws(UsageError) -> String? {
    try value(option).map { value throws(UsageError) in try text(value, of: option) }
  }

  /// The value of an option that is required or has a default, as text; an error if not UTF-8.
  package func requiredText(_ option: Option) throws(UsageError) -> String {
    try text(required(option), of: option)
  }

  private func text(_ value: [UInt8], of option: Option) throws(UsageError) -> String {
    guard let text = String(validating: value, as: UTF8.self) else {
      throw .invalid(value, for: option, reason: "not UTF-8")
    }
    return text
  }

  /// The value as a case of `Choice`, whose raw values are the option's words.
  package func choice<Choice: RawRepresentable<String>>(
    _ option: Option, as type: Choice.Type = Choice.self
  ) throws(UsageError) -> Choice {
    let value = required(option)
    guard let choice = Choice(rawValue: String(decoding: value, as: UTF8.self)) else {
      throw .invalid(value, for: option)
    }
    return choice
  }

  /// The value as a whole number; the parser has checked the option's range.
  package func integer(_ option: Option) -> Int? {
    value(option).flatMap { Int(String(decoding: $0, as: UTF8.self)) }
  }

  /// The values as whole numbers; the parser has checked the option's range.
  package func integers(_ option: Option) -> [Int] {
    values(option).compactMap { Int(String(decoding: $0, as: UTF8.self)) }
  }

  /// The value as a number of bytes; the parser has checked it.
  package func size(_ option: Option) -> UInt64? {
    value(option).flatMap { byteCount(reading: String(decoding: $0, as: UTF8.self)) }
  }

  package func values(_ argument: Argument) -> [[UInt8]] { arguments[argument.name] ?? [] }

  package func required(_ argument: Argument) -> [UInt8] {
    guard let word = values(argument).first else { preconditionFailure("no <\(argument.name)>") }
    return word
  }

  package func path(_ argument: Argument) -> BytePath { BytePath(required(argument)) }

  package func paths(_ argument: Argument) -> [BytePath] { values(argument).map { BytePath($0) } }
}
