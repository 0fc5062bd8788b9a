import BACommandLine
import BAPackCore

/// `validate`: checks manifests, the files they select, and all packs together.
struct Validate: Command {
  static let strict = Option("strict", help: "Treat warnings as errors.")
  static let manifestOnly = Option(
    "manifest-only", help: "Check the manifests only; the files may not exist yet.")
  static let format = Option(
    "format", name: "format", .choice(FindingFormat.allCases.map(\.rawValue)), default: "text",
    help: """
      The output format: 'github' is for annotations, 'sarif' for code scanning, 'gitlab' for a Code \
      Quality report, and 'junit' for test results in other CI systems.
      """)
  static let coverage = Option(
    "coverage", name: "dir", .directory,
    help: """
      Also list the files of a folder that no pack contains. Left out are files that Git ignores, \
      manifests, and what this program writes.
      """)
  static let released = Option(
    "released", name: "report", .file(["json"]), arity: .repeating,
    help: """
      Also check that builds of the app in use still find what they read: compare with the packs of a \
      release, in the JSON that 'report --format json' wrote for it. Can be given several times.
      """)
  static let fix = Option(
    "fix",
    help:
      "Apply the fixes that findings suggest, except for guesses; comments and layout are kept.")
  static let dryRun = Option("dry-run", "n", help: "With --fix: print a diff; nothing is written.")
  static let name = Option(
    "stdin-name", name: "path", .file(["json"]),
    help: "The path that standard input is checked as, and that findings have: for editors.")
  static let row = CommandRow(
    name: "validate", overview: "Check manifests and the files they select.",
    discussion: [
      """
      Each manifest is checked on its own, and then all of them together as the packs of one app: \
      duplicate identifiers, files with the same path but different contents, which conflict on a \
      device, and files that some languages of localized packs lack. Each finding names its rule, which 'ba-package explain' describes.
      """
    ],
    arguments: [Checking.manifests],
    options: [
      strict, manifestOnly, format, coverage, released, fix, dryRun, name, Checking.verbose,
      Checking.root, Checking.hosting, Checking.links, Checking.allowStubs, Checking.rule,
      Checking.project,
      PackReading.quiet, Checking.color,
    ],
    exclusive: [
      [manifestOnly, coverage], [manifestOnly, released], [manifestOnly, Checking.allowStubs],
      [PackReading.quiet, Checking.verbose],
    ],
    requires: [fix: [dryRun]],
    examples: [
      "ba-package validate Packs/Harbour.json": "Check a manifest.",
      "ba-package validate --strict --coverage . Packs":
        "Check all packs, fail on warnings, and list files that no pack contains.",
      "ba-package validate --format github Packs/Harbour.json":
        "Show findings as annotations of a pull request.",
      "ba-package validate --released 1.0.json Packs":
        "Find what an update takes away from builds of version 1.0.",
      "ba-package validate --fix --dry-run Packs": "Show what --fix would change.",
    ],
    exitStatus: [
      "0": "No errors were found; there may be warnings.",
      "1": "Errors were found.",
    ],
    synonyms: ["check", "lint", "fix"],
    command: { try Validate($0) })

  let typed: TypedArguments
  let checking: Checking

  private var isFixing: Bool { typed.has(Self.fix) }
  private var isDryRun: Bool { typed.has(Self.dryRun) }

  init(_ typed: TypedArguments) throws {
    self.typed = typed
    checking = try Checking(typed)
    if isDryRun, try typed.choice(Self.format) != FindingFormat.text {
      throw UsageError("'--fix --dry-run' prints a diff and can't be used with '--format'")
    }
    if typed.has(Self.name), !typed.paths(Checking.manifests).contains("-") {
      throw UsageError("'--\(Self.name.long)' can be used with standard input only")
    }
    if isFixing, typed.paths(Checking.manifests).contains("-") {
      throw UsageError("'--fix' can't be used with standard input")
    }
  }

  func run(_ console: Console) throws -> ExitCode {
    let format = try typed.choice(Self.format, as: FindingFormat.self)
    let manifests = typed.paths(Checking.manifests)
    let name = typed.path(Self.name)
    let project = checking.project(for: manifests + [name].compactMap(\.self))
    var options = checking.options(
      of: project, selectsFiles: !typed.has(Self.manifestOnly))
    options.isThorough = true
    options.released = try typed.paths(Self.released).flatMap(PackIndex.packs(ofReport:))
    if typed.has(Self.strict) { options.rules.isStrict = true }
    var files = try ManifestFiles(at: manifests)
    if let name { files.nameStandardInput(name) }
    // With an invalid project file, other rules might apply.
    let fixes =
      isFixing && !options.projectFindings.hasErrors ? try fix(files, options, console) : []
    let check = AppCheck(of: files, options, with: fixes)
    for finding in check.findings where isFixing && !typed.isQuiet {
      guard let fix = finding.fix else { continue }
      console.tell(
        finding.line("not fixed", fix.isCertain ? "" : " ('\(fix.replacement)' is a guess)"))
    }
    let uncovered = try coverage(of: check, options.rules)
    let findings =
      check.findings + options.rules.applied(to: uncovered?.problems ?? [])
    if !typed.isQuiet {
      for file in check.skipped { console.tell("note: skipped '\(file.path)': it is \(file.kind)") }
      Checking.tell(stubsAllowedIn: check, console)
    }
    if typed.has(Checking.verbose) { checking.list(check, of: project, console) }
    if !isDryRun {
      let shown = typed.isQuiet ? findings.filter { $0.severity != .note } : findings
      try console.write(
        shown.rendered(
          as: format, files: check.manifests, summaries: uncovered?.findings ?? [],
          coverage: uncovered, color: console.colorsOutput(checking.color),
          columns: console.outputColumns), as: format)
    }
    if format == .text, let uncovered { try list(uncovered, console) }
    let lacksFiles = uncovered.map { $0.severity == .error && !$0.files.isEmpty } ?? false
    if format == .text || format == .github, !typed.isQuiet {
      let fixed = fixes.reduce(0) { $0 + $1.applied.count }
      let isAnyLeft = findings.contains { $0.severity != .note }
      let summary =
        "\(counted(check.manifests.count, "manifest")): "
        + (isFixing ? "\(isDryRun ? "would fix" : "fixed") \(counted(fixed, "finding")); " : "")
        + findings.summary + (isFixing && isAnyLeft ? " left" : "")
      // Next to the findings, wherever they are sent; a diff and commands stay alone.
      if isDryRun || format == .github {
        console.tell(summary)
      } else {
        let code = findings.hasErrors || lacksFiles ? 31 : 32
        let isColored = console.colorsOutput(checking.color)
        try console.write(isColored ? "\u{1B}[1;\(code)m\(summary)\u{1B}[0m\n" : summary + "\n")
      }
    }
    return findings.hasErrors || lacksFiles ? .failure : .success
  }

  /// Fixes the manifests, or prints how they would be fixed.
  private func fix(
    _ files: ManifestFiles, _ options: ManifestCheck.Options, _ console: Console
  ) throws -> [ManifestFixes] {
    let fixes = files.files.compactMap { ManifestFixes($0, options) }
    Interruption.postpone()
    for fix in fixes {
      if isDryRun {
        try console.write(fix.difference)
      } else {
        if try fix.write(), !typed.isQuiet {
          console.tell(
            "note: '\(fix.file)' has other names (hard links), which still have the old text")
        }
      }
      if typed.isQuiet { continue }
      for finding in fix.applied { console.tell(finding.line(isDryRun ? "fixable" : "fixed")) }
    }
    return fixes
  }

  /// The files in no pack, if requested and if their rule isn't off.
  private func coverage(
    of check: AppCheck, _ rules: RuleSettings
  ) throws -> Coverage? {
    let level = rules.level(of: .fileInNoPack)
    guard let coverage = typed.path(Self.coverage), level != .off else { return nil }
    var found = try check.coverage(of: coverage)
    if level == .error { found.severity = .error }
    return found
  }

  /// Lists files in no pack, with a single line for a folder that no pack uses.
  private func list(_ coverage: Coverage, _ console: Console) throws {
    let rows = coverage.groups.map { group in
      let files = group.isFolder ? "/ (\(counted(group.files.count, "file")))" : ""
      return [byteCount(group.size), "\(group.path)\(files)"]
    }
    for line in aligned(rows, numbers: 0..<1) { try console.write(line + "\n") }
    let verb = coverage.files.count == 1 ? "is" : "are"
    console.tell(
      coverage.files.isEmpty
        ? "every file in '\(coverage.folder)' is in a pack"
        : "\(counted(coverage.files.count, "file")) in '\(coverage.folder)' \(verb) in no pack, "
          + byteCount(coverage.size))
  }
}

extension Finding {
  /// `Packs/A.json:3:24: fixed: unknown key … [unknown-key]`.
  fileprivate func line(_ result: String, _ reason: String = "") -> String {
    let position = location.map { location in
      "\(printable(location.source.name)):\(location.start.line):\(location.start.column): "
    }
    return (position ?? "") + "\(result): \(message)\(reason) [\(rule.id)]"
  }
}
