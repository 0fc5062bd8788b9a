import BAPackCore
import CommandLine

/// `explain`: what a rule or a kind of damage is about, or which rules there are.
struct Explain: Command {
  static let rules = Argument(
    "rule", .choice(names), isOptional: true, isRepeating: true,
    help: "A name in brackets, as it stands behind a finding; without one, all rules are listed.")
  /// Rules of manifests, then what 'verify' names that is not called the same.
  private static let names =
    Rule.allCases.map(\.rawValue)
    + DamageReason.allCases.map(\.rawValue).filter { Rule(rawValue: $0) == nil }
  static let row = CommandRow(
    name: "explain", overview: "Explain the rules that manifests and packs are held against.",
    arguments: [rules],
    examples: [
      Example("ba-package explain missing-file", "Why a rule is there, and what to do."),
      Example("ba-package explain", "List the rules."),
    ],
    exitStatus: [ExitStatus("0", "Done.")],
    command: { typed throws(UsageError) in Explain(typed) })

  let names: [String]

  init(_ typed: TypedArguments) {
    names = typed.values(Self.rules).map { String(decoding: $0, as: UTF8.self) }
  }

  func run(_ console: Console) throws(CommandError) -> ExitCode {
    let parts =
      names.isEmpty
      ? RuleDocumentation.Area.allCases.compactMap { list($0, console.width) }
      : names.flatMap { pages($0, console.width) }
    try console.write(parts.joined(separator: "\n"))
    return .success
  }

  /// The rules of an area with their titles; nil when it has none.
  private func list(_ area: RuleDocumentation.Area, _ width: Int) -> String? {
    let rules = Rule.allCases.filter { $0.documentation.area == area }
    if rules.isEmpty { return nil }
    return "\(area.rawValue):\n"
      + rules.map { labelled($0.rawValue, $0.documentation.title, width: width) }.joined()
  }

  /// What is called `name`: a rule, damage, or both.
  private func pages(_ name: String, _ width: Int) -> [String] {
    var pages = Rule(rawValue: name).map { [page($0, width)] } ?? []
    if let reason = DamageReason(rawValue: name) {
      let parts = ["\(name): Damage to an archive"] + reason.explanation
      pages.append(parts.map { wrap($0, to: width) }.joined(separator: "\n"))
    }
    return pages
  }

  private func page(_ rule: Rule, _ width: Int) -> String {
    let text = rule.documentation
    var parts = [
      wrap("\(rule.rawValue) (\(text.severity.rawValue)): \(text.title)", to: width),
      wrap(text.reason, to: width), wrap(text.remedy, to: width),
    ]
    if !text.example.isEmpty {
      let lines = text.example.split(separator: "\n", omittingEmptySubsequences: false)
      parts.append("For example:\n\n" + lines.map { "  \($0)\n" }.joined())
    }
    return parts.joined(separator: "\n")
  }
}
