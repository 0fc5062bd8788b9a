import BAPackCore
import CommandLine

/// `validate`: checks manifests, the files they select, and all packs together.
struct Validate: Command {
  static let manifests = Argument(
    "manifest", .file(["json"]), isRepeating: true,
    help: """
      The manifests, or folders with manifests: all files in a folder whose names end in .json. '-' \
      means standard input.
      """)
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
  static let coverageStrict = Option(
    "coverage-strict", help: "With --coverage: fail if there are such files.")
  static let row = CommandRow(
    name: "validate", overview: "Check manifests and the files they select.",
    discussion: [
      """
      Each manifest is checked on its own, and then all of them together as the packs of one app: \
      duplicate identifiers, and files with the same path but different contents, which conflict on \
      a device. Each finding names its rule, which 'ba-package explain' describes.
      """
    ],
    arguments: [manifests],
    options: [
      Shared.hosting, strict, manifestOnly, format, coverage, coverageStrict, Shared.root,
      Shared.links, Shared.allowStubs,
      Shared.color,
    ],
    exclusive: [[manifestOnly, coverage], [manifestOnly, Shared.allowStubs]],
    examples: [
      Example("ba-package validate Packs/Harbour.json", "Check a manifest."),
      Example(
        "ba-package validate --strict --coverage . Packs",
        "Check all packs, fail on warnings, and list files that no pack contains."),
      Example(
        "ba-package validate --format github Packs/Harbour.json",
        "Show findings as annotations of a pull request."),
    ],
    exitStatus: [
      ExitStatus("0", "No errors were found; there may be warnings."),
      ExitStatus("1", "Errors were found, or with --coverage-strict files in no pack."),
    ],
    command: { typed throws(UsageError) in try Validate(typed) })

  let manifests: [BytePath]
  let hosting: Hosting
  let isStrict: Bool
  let selectsFiles: Bool
  let format: FindingFormat
  let coverage: BytePath?
  let isCoverageStrict: Bool
  let root: BytePath?
  let policy: SelectionPolicy
  let color: ColorChoice

  init(_ typed: TypedArguments) throws(UsageError) {
    manifests = typed.paths(Self.manifests)
    hosting = try typed.choice(Shared.hosting)
    isStrict = typed.has(Self.strict)
    selectsFiles = !typed.has(Self.manifestOnly)
    format = try typed.choice(Self.format)
    coverage = typed.path(Self.coverage)
    isCoverageStrict = typed.has(Self.coverageStrict)
    root = typed.path(Shared.root)
    policy = try typed.policy()
    color = try typed.choice(Shared.color)
    if isCoverageStrict, coverage == nil {
      throw UsageError("'--coverage-strict' can be used with '--coverage' only")
    }
  }

  func run(_ console: Console) throws(CommandError) -> ExitCode {
    let check = try CommandError.wrapping { () throws(ManifestFilesError) in
      try AppCheck(
        reading: manifests,
        .init(
          hosting: hosting, root: root, rootName: "--root", selectsFiles: selectsFiles,
          policy: policy))
    }
    let findings = isStrict ? check.findings.treatingWarningsAsErrors() : check.findings
    let uncovered = try coverage(of: check)
    try console.write(
      findings.rendered(
        as: format, files: check.manifests, coverage: uncovered,
        color: console.colorsOutput(color)))
    if format == .text, let uncovered { try list(uncovered, console) }
    if format == .text {
      console.note("\(counted(check.manifests.count, "manifest")): \(findings.summary)")
    }
    let lacksFiles = isCoverageStrict && uncovered?.files.isEmpty == false
    return findings.hasErrors || lacksFiles ? .failure : .success
  }

  private func coverage(of check: AppCheck) throws(CommandError) -> Coverage? {
    guard let coverage else { return nil }
    var found = try CommandError.wrapping { () throws(SystemError) in
      try check.coverage(of: coverage)
    }
    if isCoverageStrict { found.severity = .error }
    return found
  }

  /// Lists files in no pack, a line for each folder of which no pack has a file.
  private func list(_ coverage: Coverage, _ console: Console) throws(CommandError) {
    let sizes = coverage.groups.map { byteCount($0.size) }
    let width = sizes.map(\.count).max() ?? 0
    for (group, size) in zip(coverage.groups, sizes) {
      let padding = String(repeating: " ", count: width - size.count)
      let files = group.isFolder ? "/ (\(counted(group.files.count, "file")))" : ""
      try console.write("\(padding)\(size)  \(group.path)\(files)\n")
    }
    let verb = coverage.files.count == 1 ? "is" : "are"
    console.note(
      "\(counted(coverage.files.count, "file")) in '\(coverage.folder)' \(verb) in no pack"
        + (coverage.files.isEmpty ? "" : ", \(byteCount(coverage.size))"))
  }
}
