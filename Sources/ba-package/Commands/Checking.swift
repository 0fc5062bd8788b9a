import BACommandLine
import BAImporters
import BAPackCore

/// The options for checking manifests and the files they select, and the project file, which sets
/// more of them.
struct Checking {
  static let manifests = Argument(
    "manifest", .file(["json"]), isRepeating: true,
    help: """
      The manifests, or folders with manifests: the files in a folder whose names end in .json, and \
      manifests in the folders below it. '-' means standard input.
      """)
  static let root = Option(
    "root", name: "dir", .directory, isCommon: true,
    help: "The source root: the folder that selectors' paths are relative to.")
  static let hosting = Option(
    "hosting", name: "host", .choice(Hosting.allCases.map(\.rawValue)), isCommon: true,
    help: """
      Who hosts the packs. With 'apple', what App Store Connect rejects is an error, and LZFSE is the \
      default; with 'self', the store's rules don't apply; if neither is stated, they are warnings.
      """)
  static let links = Option(
    "links", name: "policy", .choice(LinkPolicy.allCases.map(\.rawValue)), default: "inside",
    isCommon: true,
    help: """
      Where symbolic links may lead: 'inside' the source root, or anywhere with 'follow', which build \
      systems need that present inputs as links.
      """)
  static let allowStubs = Option(
    "allow-stubs",
    help: "Package Git LFS pointers and other placeholders for files that were not fetched.",
    isCommon: true)
  static let rule = Option(
    "rule", name: "id=level",
    .setting(of: Rule.known.map(\.id), to: RuleSettings.Level.allCases.map(\.rawValue)),
    arity: .repeating, isCommon: true,
    help: """
      Set the level of a rule: off, warning or error. This option overrides the project file, \
      .ba-package.json, and can be used several times.
      """)
  static let project = Option(
    "project-file", name: "file", .file(["json"]), isCommon: true,
    help: """
      The project file, whoever it belongs to. Default: .ba-package.json in the folder of the \
      manifests, or above it in their Git repository.
      """)
  static let color = Option(
    "color", name: "when", .choice(ColorChoice.allCases.map(\.rawValue)), default: "auto",
    isCommon: true, help: "When to use colors; 'auto' means on a terminal, unless NO_COLOR is set.")

  static let verbose = Option("verbose", "v", help: "List the files of each pack.")

  let root: BytePath?
  /// Nil for that of the project, if it states one.
  let hosting: Hosting?
  /// Nil for that of the project.
  let links: LinkPolicy?
  private let allowsStubs: Bool
  let color: ColorChoice
  private let projectFile: BytePath?
  private let settings: [RuleSettings.Setting]

  init(_ typed: TypedArguments) throws {
    root = typed.path(Self.root)
    if let root { _ = try FileStatus.following(root) }
    projectFile = typed.path(Self.project)
    hosting = typed.has(Self.hosting) ? try typed.choice(Self.hosting) : nil
    links = typed.has(Self.links) ? try typed.choice(Self.links) : nil
    allowsStubs = typed.has(Self.allowStubs)
    color = try typed.choice(Self.color)
    settings = try typed.values(Self.rule, Self.setting)
  }

  /// `stray-file=off`.
  private static func setting(_ value: [UInt8]) throws -> RuleSettings.Setting {
    let parts = String(decoding: value, as: UTF8.self).split(
      separator: "=", omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let rule = Rule.known.first(where: { $0.id == name }) else {
      let meant = suggestion(for: name, among: Rule.known.map(\.id))
      throw PackagingError(
        "there is no rule '\(printable(name.utf8))'"
          + (meant.map { "; did you mean '\($0)'?" } ?? ""))
    }
    guard parts.count == 2, let level = RuleSettings.Level(rawValue: String(parts[1])) else {
      throw PackagingError("write '\(name)=off', '\(name)=warning' or '\(name)=error'")
    }
    if let problem = RuleSettings.problem(level, of: rule) { throw PackagingError(problem) }
    return RuleSettings.Setting(rule.id, level)
  }

  /// The project of the manifests at `paths`, with the findings about its file.
  func project(for paths: [BytePath] = []) -> Project {
    var project = Project.find(for: paths, named: projectFile, rules: Rule.known)
    project.rules.add(settings)
    return project
  }

  /// The project of the manifests at `paths`. Findings about its file are printed; throws if it is
  /// invalid.
  func readProject(for paths: [BytePath] = [], _ console: Console) throws -> Project {
    try project(for: paths).valid(console, color)
  }

  /// Lists the files of each manifest's pack, and names the project file.
  func list(_ check: AppCheck, of project: Project, _ console: Console) {
    if project.isElsewhere, let file = project.file { console.tell("project file: \(file)") }
    for (manifest, check) in zip(check.manifests, check.checks) {
      console.tell("\(manifest):")
      for file in check.pack?.selection?.files ?? [] { console.tell("  \(file.line)") }
    }
  }

  /// Notes how many placeholders --allow-stubs let pass.
  static func tell(stubsAllowedIn check: AppCheck, _ console: Console) {
    let count = check.checks.reduce(0) { $0 + $1.allowedStubs }
    if count == 0 { return }
    console.tell(
      "note: \(counted(count, "placeholder")) for files that were not fetched: packaged as they are"
    )
  }

  func options(of project: Project, selectsFiles: Bool = true) -> ManifestCheck.Options {
    var options = project.options(
      hosting: hosting, root: root, rootName: "--\(Self.root.long)", selectsFiles: selectsFiles,
      links: links, allowsStubs: allowsStubs)
    options.hostingName = "--\(Self.hosting.long)"
    options.git = Git()
    return options
  }
}

extension Project {
  /// The project, without the findings about its file, which are printed; throws if it is invalid.
  func valid(_ console: Console, _ color: ColorChoice) throws -> Project {
    let found = rules.applied(to: findings)
    console.tell(found, color)
    if found.hasErrors {
      throw PackagingError("the project file is invalid: \(found.summary)")
    }
    var project = self
    project.findings = []
    return project
  }
}
