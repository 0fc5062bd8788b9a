import BAPackCore
import CommandLine

/// The options for checking manifests and the files they select, and the project file, which sets
/// more of them.
struct Checking {
  static let root = Option(
    "root", name: "dir", .directory,
    help: "The source root: the folder that selectors' paths are relative to.")
  static let hosting = Option(
    "hosting", name: "host", .choice(Hosting.allCases.map(\.rawValue)), default: "apple",
    help: "Who hosts the packs; 'self' skips the App Store's rules.")
  static let links = Option(
    "links", name: "policy", .choice(LinkPolicy.allCases.map(\.rawValue)), default: "inside",
    help: """
      Where symbolic links may lead: 'inside' the source root, or anywhere with 'follow', which build \
      systems need that present inputs as links.
      """)
  static let allowStubs = Option(
    "allow-stubs",
    help: "Package Git LFS pointers and other placeholders for files that were not fetched.")
  static let rule = Option(
    "rule", name: "id=level",
    .setting(of: Explain.allRules.map(\.id), to: RuleSettings.Level.allCases.map(\.rawValue)),
    arity: .repeating,
    help: """
      Set the level of a rule: off, warning or error. This option overrides the project file, \
      .ba-package.json, and can be used several times.
      """)
  static let color = Option(
    "color", name: "when", .choice(ColorChoice.allCases.map(\.rawValue)), default: "auto",
    help: "When to use colors; 'auto' means on a terminal, unless NO_COLOR is set.")

  let root: BytePath?
  /// Nil for that of the project.
  let hosting: Hosting?
  let policy: SelectionPolicy
  let color: ColorChoice
  private let settings: [RuleSettings.Setting]

  init(_ typed: TypedArguments) throws(UsageError) {
    root = typed.path(Self.root)
    hosting = typed.has(Self.hosting) ? try typed.choice(Self.hosting) : nil
    policy = SelectionPolicy(
      links: try typed.choice(Self.links), allowsStubs: typed.has(Self.allowStubs))
    color = try typed.choice(Self.color)
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
  func project(for paths: [BytePath] = []) -> Checked<Project> {
    let found = Project.find(for: paths, rules: Explain.allRules)
    var project = found.value
    project.rules.add(settings)
    return Checked(project, findings: project.rules.applied(to: found.findings))
  }

  /// The project of the manifests at `paths`. Findings about its file are printed; throws if it is
  /// invalid.
  func readProject(for paths: [BytePath] = [], _ console: Console) throws -> Project {
    try project(for: paths).valid(console, color)
  }

  /// The options for manifests of `project`.
  func options(of project: Project, selectsFiles: Bool = true) -> ManifestCheck.Options {
    project.options(
      hosting: hosting, root: root, rootName: "--\(Self.root.long)", selectsFiles: selectsFiles,
      policy: policy)
  }
}

extension Checked<Project> {
  /// The project. Findings about its file are printed; throws if it is invalid.
  func valid(_ console: Console, _ color: ColorChoice) throws -> Project {
    console.note(findings, color)
    if findings.hasErrors {
      throw PackagingError("the project file is invalid: \(findings.summary)")
    }
    return value
  }
}
