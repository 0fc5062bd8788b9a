import BAPackCore
import CommandLine

/// The project file, and the options for rules.
struct ProjectInput {
  static let rule = Option(
    "rule", name: "id=level",
    .setting(of: Explain.allRules.map(\.id), to: RuleSettings.Level.allCases.map(\.rawValue)),
    arity: .repeating,
    help: """
      Set the level of a rule: off, warning or error. This option overrides the project file, \
      .ba-package.json, and can be used several times.
      """)

  private let settings: [RuleSettings.Setting]

  init(_ typed: TypedArguments) throws(UsageError) {
    var settings: [RuleSettings.Setting] = []
    for value in typed.values(Self.rule) { settings.append(try Self.setting(value)) }
    self.settings = settings
  }

  /// `stray-file=off`.
  private static func setting(_ value: [UInt8]) throws(UsageError) -> RuleSettings.Setting {
    let parts = String(decoding: value, as: UTF8.self).split(
      separator: "=", omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let rule = Explain.allRules.first(where: { $0.id == name }) else {
      let meant = nearest(to: name, among: Explain.allRules.map(\.id))
      throw .invalid(
        value, for: rule,
        reason: "there is no rule '\(printable(name.utf8))'"
          + (meant.map { "; did you mean '\($0)'?" } ?? ""))
    }
    guard parts.count == 2, let level = RuleSettings.Level(rawValue: String(parts[1])) else {
      throw .invalid(
        value, for: Self.rule, reason: "write '\(name)=off', '\(name)=warning' or '\(name)=error'")
    }
    if let problem = RuleSettings.problem(level, of: rule) {
      throw .invalid(value, for: Self.rule, reason: problem)
    }
    return RuleSettings.Setting(rule.id, level)
  }

  /// The project of the manifests at `paths`, with the findings about its file.
  func find(for paths: [BytePath] = []) -> Checked<Project> {
    let found = Project.find(for: paths, rules: Explain.allRules)
    var project = found.value
    project.rules.add(settings)
    return Checked(project, findings: project.rules.applied(to: found.findings))
  }

  /// The project of the manifests at `paths`. Findings about its file are printed; throws if it is invalid.
  func read(
    for paths: [BytePath] = [], _ console: Console, _ color: ColorChoice
  ) throws -> Project {
    let found = find(for: paths)
    console.note(found.findings, color)
    if found.findings.hasErrors {
      throw CommandError("the project file is invalid: \(found.findings.summary)")
    }
    return found.value
  }
}
