/// A named option: `--output-path Pack.aar`, `-o Pack.aar`, `--strict`.
package struct Option: Sendable, Equatable {
  /// The long name, without dashes. It identifies the option within its command.
  package let long: String
  package let short: Character?
  /// The value after the name; nil for a flag.
  package private(set) var value: Value?
  /// Whether it is required, unless the flag `waiver` is given.
  package private(set) var isRequired = false
  /// The long name of the flag that makes this option optional, if there is one.
  package private(set) var waiver: String?
  package private(set) var arity = Arity.one
  package let help: String
  package let isHidden: Bool
  /// Whether several commands have it: 'help options' describes it, once for all of them.
  package private(set) var isCommon = false
  /// Another long name, which is still accepted.
  package private(set) var synonym: String?
  /// Whether `-` as the name of a file means a standard stream; for other options it is refused, so
  /// that none reads or writes a file of that name.
  package private(set) var takesStream = false

  package struct Value: Sendable, Equatable {
    /// The name: `--root <dir>`.
    package let name: String
    package let kind: ValueKind
    package let defaultValue: String?
    /// The value when the option is given without one, if that is allowed. A value must then be in
    /// the same word: `--wait=30`.
    package let implied: String?
  }

  package enum Arity: Sendable {
    /// One; of several, the last is used.
    case one
    /// One each time it is given.
    case repeating
    /// All words up to the next option, each time it is given.
    case upToNextOption
  }

  package init(
    _ long: String, _ short: Character? = nil, help: String, isHidden: Bool = false,
    isCommon: Bool = false
  ) {
    self.long = long
    self.short = short
    self.help = help
    self.isHidden = isHidden
    self.isCommon = isCommon
  }

  /// An option with a value; the value has the option's name unless `name` is given.
  package init(
    _ long: String, _ short: Character? = nil, name: String? = nil, _ kind: ValueKind,
    default defaultValue: String? = nil, implied: String? = nil, isRequired: Bool = false,
    waiver: String? = nil, arity: Arity = .one, isCommon: Bool = false, synonym: String? = nil,
    takesStream: Bool = false, help: String
  ) {
    self.init(long, short, help: help, isCommon: isCommon)
    self.synonym = synonym
    self.takesStream = takesStream
    value = Value(name: name ?? long, kind: kind, defaultValue: defaultValue, implied: implied)
    self.isRequired = isRequired
    self.waiver = waiver
    self.arity = arity
  }

  /// Whether it is a format that can be JSON, for which `--json` is short.
  package var acceptsJSON: Bool {
    guard long == "format", case .choice(let words) = value?.kind else { return false }
    return words.contains("json")
  }
  /// `--root <dir>` or `--strict`.
  package var synopsis: String { "--\(long)\(valueSynopsis)" }
  /// ` <dir>`; `[=<minutes>]` if the value may be omitted; empty for a flag.
  package var valueSynopsis: String {
    value.map { $0.implied == nil ? " <\($0.name)>" : "[=<\($0.name)>]" } ?? ""
  }
  /// `-o, --output-path <output-path>`.
  package var label: String { (short.map { "-\($0), " } ?? "") + synopsis }
  /// `-o` or `--strict`.
  package var shortest: String { short.map { "-\($0)" } ?? "--\(long)" }
  /// As in a usage line: in brackets if optional, with dots if it accepts several.
  package var usage: String {
    let text = arity == .one ? synopsis : synopsis + " ..."
    return isRequired ? text : "[\(text)]"
  }
}

package struct Argument: Sendable {
  /// The name: `<manifest>`.
  package let name: String
  package let kind: ValueKind
  package let isOptional: Bool
  package let isRepeating: Bool
  package let help: String

  package init(
    _ name: String, _ kind: ValueKind, isOptional: Bool = false, isRepeating: Bool = false,
    help: String
  ) {
    self.name = name
    self.kind = kind
    self.isOptional = isOptional
    self.isRepeating = isRepeating
    self.help = help
  }

  /// `<manifest> ...`, in brackets if it is optional.
  package var usage: String {
    let text = isRepeating ? "<\(name)> ..." : "<\(name)>"
    return isOptional ? "[\(text)]" : text
  }
}

/// The kind of a value: the parser checks it, and completions offer valid ones.
package enum ValueKind: Sendable, Equatable {
  case text
  /// Any text; completions offer these words.
  case suggestion([String])
  /// A file path; completions offer files with these extensions, or all files if empty.
  case file([String])
  case directory
  case choice([String])
  /// A setting such as `stray-file=off`: one of the names, an equals sign and one of the values.
  /// The command checks it.
  case setting(of: [String], to: [String])
  /// A whole number in this range, in decimal digits.
  case integer(ClosedRange<Int>)
  /// A number of bytes, with or without a unit.
  case size
}
