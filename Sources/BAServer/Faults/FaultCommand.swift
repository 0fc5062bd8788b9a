import BAPackCore

package enum FaultCommand: Sendable, Equatable {
  case set(Faults.Kind, [UInt8]?, UInt64)
  case clear(Faults.Kind?, [UInt8]?)
  case status
  case packs
  case help
  case quit

  /// Parses a line; nil if it is empty.
  package init?(_ line: String) throws {
    let words = line.split { $0 == " " || $0 == "\t" || $0 == "\r" }.map(String.init)
    guard let first = words.first else { return nil }
    let rest = Array(words.dropFirst())
    switch first {
    case "help", "?": self = .help
    case "status": self = .status
    case "packs": self = .packs
    case "quit", "exit": self = .quit
    case "off":
      let kind = rest.first.flatMap(Faults.Kind.init(rawValue:))
      let identifiers = rest.dropFirst(kind == nil ? 0 : 1)
      guard identifiers.count <= 1 else { throw PackagingError("off [FAULT] [ID]") }
      self = .clear(kind, identifiers.first.map { Array($0.utf8) })
    default:
      guard let kind = Faults.Kind(rawValue: first) else {
        let known =
          ["help", "status", "packs", "quit", "off"] + Faults.Kind.allCases.map(\.rawValue)
        let meant = nearest(to: first, among: known).map { "did you mean '\($0)'?" }
        throw PackagingError(
          "'\(brief(first.utf8))' is not a command; \(meant ?? "'help' lists them")")
      }
      if rest.count == 1, rest[0] == "off" {
        self = .clear(kind, nil)
        return
      }
      guard rest.count == 1 else { throw PackagingError("\(first) \(kind.argument.uppercased())") }
      do {
        self = try FaultCommand(kind, rest[0])
      } catch {
        throw PackagingError("'\(brief(rest[0].utf8))' is not valid: \(error)")
      }
    }
    if rest.count > 0, [.help, .status, .packs, .quit].contains(self) {
      throw PackagingError("'\(first)' takes no argument")
    }
  }

  /// Parses the argument of a fault: `VALUE` or `ID=VALUE`; for a wrong size `ID` or `*`. An
  /// identifier may contain `=`.
  package init(_ kind: Faults.Kind, _ argument: String) throws {
    if kind == .wrongSize {
      guard !argument.isEmpty else {
        throw PackagingError("\(kind.rawValue) \(kind.argument.uppercased())")
      }
      self = .set(kind, argument == "*" ? nil : Array(argument.utf8), 1)
      return
    }
    let equals = argument.lastIndex(of: "=")
    let value = equals.map { argument[argument.index(after: $0)...] } ?? argument[...]
    let identifier = equals.map { Array(argument[..<$0].utf8) }
    self = .set(kind, identifier, try kind.value(String(value)))
  }

  package static var reference: [(words: String, meaning: String)] {
    Faults.Kind.allCases.map { ("\($0.rawValue) \($0.argument.uppercased())", $0.meaning) } + [
      ("off [FAULT] [ID]", "end a fault, or all"),
      ("status", "show the faults that are set"),
      ("packs", "show the packs and their versions"),
      ("quit", "end the server"),
    ]
  }
}
