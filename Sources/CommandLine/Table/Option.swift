/// Something given by name: `--output-path Pack.aar`, `-o Pack.aar`, `--strict`.
package struct Option: Sendable, Equatable {
  /// The long name, without dashes. It identifies the option within its command.
  package let long: String
  /// The one-letter name.
  package let short: Character?
  /// What follows the name; nil for a flag.
  package let value: Value?
  /// Whether the command can't do without it, unless the flag called `waiver` is given.
  package let isRequired: Bool
  /// The long name of the flag that makes it needless, where there is one.
  package let waiver: String?
  /// How many values it collects.
  package let arity: Arity
  /// What it does, in one sentence.
  package let help: String
  /// Whether help texts leave it out.
  package let isHidden: Bool

  /// The value of an option.
  package struct Value: Sendable, Equatable {
    /// What to call it: `--root <dir>`.
    package let name: String
    /// What it must look like.
    package let kind: ValueKind
    /// What stands when the option is not given.
    package let standard: String?
    /// What the option means without a value, where it may have none. A value then stands in the
    /// same word: `--wait=30`.
    package let implied: String?
  }

  /// How many values an option collects.
  package enum Arity: Sendable {
    /// One; of several, the last counts.
    case one
    /// One each time it is given.
    case repeating
    /// All words up to the next option, each time it is given.
    case upToNextOption
  }

  /// A flag.
  package init(_ long: String, _ short: Character? = nil, help: String, isHidden: Bool = false) {
    self.init(
      long: long, short: short, value: nil, isRequired: false, waiver: nil, arity: .one,
      help: help, isHidden: isHidden)
  }

  /// An option with a value, called as the option unless it has a `name` of its own.
  package init(
    _ long: String, _ short: Character? = nil, name: String? = nil, _ kind: ValueKind,
    default standard: String? = nil, implied: String? = nil, isRequired: Bool = false,
    waiver: String? = nil, arity: Arity = .one, help: String
  ) {
    self.init(
      long: long, short: short,
      value: Value(name: name ?? long, kind: kind, standard: standard, implied: implied),
      isRequired: isRequired,
      waiver: waiver, arity: arity, help: help, isHidden: false)
  }

  private init(
    long: String, short: Character?, value: Value?, isRequired: Bool, waiver: String?,
    arity: Arity, help: String, isHidden: Bool
  ) {
    self.long = long
    self.short = short
    self.value = value
    self.isRequired = isRequired
    self.waiver = waiver
    self.arity = arity
    self.help = help
    self.isHidden = isHidden
  }

  /// `--root <dir>` or `--strict`.
  package var synopsis: String { "--\(long)\(valueSynopsis)" }
  /// ` <dir>`; `[=<minutes>]` where the value may be left out; empty for a flag.
  package var valueSynopsis: String {
    value.map { $0.implied == nil ? " <\($0.name)>" : "[=<\($0.name)>]" } ?? ""
  }
  /// `-o, --output-path <output-path>`.
  package var label: String { (short.map { "-\($0), " } ?? "") + synopsis }
  /// As a usage line shows it: in brackets unless required, with dots when it takes several.
  package var usage: String {
    let text = arity == .one ? synopsis : synopsis + " ..."
    return isRequired ? text : "[\(text)]"
  }
}

/// Something given by position.
package struct Argument: Sendable {
  /// What to call it: `<manifest>`.
  package let name: String
  /// What it must look like.
  package let kind: ValueKind
  /// Whether it may be left out.
  package let isOptional: Bool
  /// Whether it takes several words.
  package let isRepeating: Bool
  /// What it is, in one sentence.
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

  /// `<manifest> ...`, in brackets when it may be left out.
  package var usage: String {
    let text = isRepeating ? "<\(name)> ..." : "<\(name)>"
    return isOptional ? "[\(text)]" : text
  }
}

/// What a value looks like: the parser holds it against this, completions offer what fits.
package enum ValueKind: Sendable, Equatable {
  /// Any text.
  case text
  /// One of these names of commands.
  case command([String])
  /// A path of a file; completions offer files with these extensions, or all when there are none.
  case file([String])
  /// A path of a directory.
  case directory
  /// One of these words.
  case choice([String])
  /// A whole number in this range, in decimal digits.
  case integer(ClosedRange<Int>)
}
