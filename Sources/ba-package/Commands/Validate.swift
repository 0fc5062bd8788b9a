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
    "coverage", name: "dir", .directory, help: "List the files of a folder that no pack contains.")
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
      Shared.hosting, strict, manifestOnly, format, coverage, Shared.root, Shared.links,
      Shared.allowStubs,
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
      ExitStatus("1", "Errors were found."),
    ],
    command: { typed throws(UsageError) in try Validate(typed) })

  let manifests: [BytePath]
  let hosting: Hosting
  let isStrict: Bool
  let selectsFiles: Bool
  let format: FindingFormat
  let coverage: BytePath?
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
    root = typed.path(Shared.root)
    policy = try typed.policy()
    color = try typed.choice(Shared.color)
    if coverage != nil, format != .text {
      throw UsageError("'--coverage' can be used with '--format text' only")
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
    try console.write(
      findings.rendered(
        as: format, files: check.manifests, color: console.colorsOutput(color)))
    if let coverage { try list(check, coverage, console) }
    if format == .text {
      console.note("\(counted(check.manifests.count, "manifest")): \(findings.summary)")
    }
    return findings.hasErrors ? .failure : .success
  }

  private func list(
    _ check: AppCheck, _ folder: BytePath, _ console: Console
  ) throws(CommandError) {
    let files = try CommandError.wrapping { () throws(SystemError) in
      try check.filesInNoPack(below: folder)
    }
    for file in files { try console.write("\(file)\n") }
    let verb = files.count == 1 ? "is" : "are"
    console.note("\(counted(files.count, "file")) in '\(folder)' \(verb) in no pack")
  }
}
