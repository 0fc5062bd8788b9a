import BACommandLine
import BAImporters
import BAPackCore

/// `explain`: describes rules and kinds of damage, or lists the rules.
package struct Explain: Command {
  static let rules = Argument(
    "rule", .suggestion(names), isOptional: true, isRepeating: true,
    help: "The name shown in brackets after a finding; without one, all rules are listed.")
  /// The rules, then the kinds of damage that don't share a name with a rule.
  private static let names =
    Rule.known.map(\.id)
    + DamageReason.allCases.map(\.rawValue).filter { rule(named: $0) == nil }
  static let row = CommandRow(
    name: "explain", overview: "Explain the rules that manifests and packs must follow.",
    arguments: [rules], options: [PackReading.format],
    examples: [
      "ba-package explain missing-file": "Show the reason for a rule, and what to do.",
      "ba-package explain": "List the rules.",
    ],
    exitStatus: ["0": "Success."],
    command: Explain.init(typed:))

  package static let areas = Rule.known.reduce(into: [Rule.Area]()) { areas, rule in
    if areas.last != rule.area { areas.append(rule.area) }
  }

  let typed: TypedArguments

  /// The name that a user typed, perhaps in brackets, as in findings.
  private static func name(_ word: [UInt8]) throws -> String {
    var name = String(decoding: word, as: UTF8.self)
    if name.hasPrefix("["), name.hasSuffix("]"), name.count > 2 {
      name = String(name.dropFirst().dropLast())
    }
    if names.contains(name) { return name }
    let meant = suggestion(for: name, among: names) ?? rule(about: name)?.id
    throw UsageError(
      "unknown rule '\(printable(word))'; "
        + (meant.map { "did you mean '\($0)'?" } ?? "'ba-package explain' lists the rules"))
  }

  package func run(_ console: Console) throws -> ExitCode {
    let names = try typed.values(Self.rules).map(Self.name)
    let project = Project.find(for: [], rules: Rule.known)
    if try typed.format() == .json {
      try console.write(
        .object([
          "schemaVersion": 1,
          "rules": Rule.known.filter { names.isEmpty || names.contains($0.id) }.map {
            Self.json($0, project)
          },
          "damage": DamageReason.allCases.filter {
            names.isEmpty || names.contains($0.rawValue)
          }.map {
            JSONValue.object([
              "name": $0.rawValue, "title": $0.title, "explanation": $0.explanation,
              "hint": $0.hint,
            ])
          },
        ]))
      return .success
    }
    let parts =
      names.isEmpty
      ? Self.areas.map { list($0, console.width) } + [archives(console.width)]
      : names.flatMap { pages($0, console.width, project) }
    try console.write(parts.joined(separator: "\n"))
    return .success
  }

  /// The rule whose description contains `code`, such as an error of App Store Connect.
  private static func rule(about code: String) -> Rule? {
    code.count < 5 ? nil : Rule.known.first { ($0.reason + $0.remedy).contains(code) }
  }

  private static func rule(named name: String) -> Rule? { Rule.known.first { $0.id == name } }

  private static func json(_ rule: Rule, _ project: Project) -> JSONValue {
    .object([
      "name": rule.id, "severity": rule.severity.rawValue, "area": rule.area.title,
      "title": rule.title, "reason": rule.reason, "remedy": rule.remedy, "hint": rule.hint,
      "example": rule.example.isEmpty ? nil : rule.example,
      "setting": project.rules.level(of: rule)?.rawValue,
    ])
  }

  private func list(_ area: Rule.Area, _ width: Int) -> String {
    let rules = Rule.known.filter { $0.area == area }
    return "\(area.title):\n" + rules.map { labelled($0.id, $0.title, width: width) }.joined()
  }

  private func archives(_ width: Int) -> String {
    "Damage to archives:\n"
      + DamageReason.allCases.map { labelled($0.rawValue, $0.title, width: width) }.joined()
  }

  /// The descriptions for a name: a rule, a kind of damage, or both.
  private func pages(_ name: String, _ width: Int, _ project: Project) -> [String] {
    var pages = Self.rule(named: name).map { [page($0, width, project)] } ?? []
    if let reason = DamageReason(rawValue: name) {
      var parts = ["\(name) (damage to an archive): \(reason.title)"] + reason.explanation
      if let hint = reason.hint { parts.append(hint) }
      pages.append(parts.map { wrap($0, to: width) }.joined(separator: "\n"))
    }
    return pages
  }

  private func page(_ rule: Rule, _ width: Int, _ project: Project) -> String {
    var parts = [
      wrap("\(rule.id) (\(rule.severity.rawValue)): \(rule.title)", to: width),
      wrap(rule.reason, to: width),
      wrap(([rule.remedy] + [rule.hint].compactMap(\.self)).joined(separator: " "), to: width),
    ]
    if let level = project.rules.level(of: rule), let file = project.file {
      parts.insert(wrap("Set to '\(level.rawValue)' in '\(file)'.", to: width), at: 1)
    }
    if !rule.example.isEmpty {
      let lines = rule.example.split(separator: "\n", omittingEmptySubsequences: false)
      parts.append("For example:\n\n" + lines.map { "  \($0)\n" }.joined())
    }
    return parts.joined(separator: "\n")
  }
}
