import BAPackCore
import CommandLine

/// `download-manifest create`: makes a new list of packs.
struct DownloadManifestCreate: Command {
  static let packs = Argument(
    "pack", .file(["aar"]), isRepeating: true, help: "The asset packs, in the order of the list.")
  static let versions = Option(
    "asset-pack-versions", name: "version", .integer(0...Int.max), arity: .upToNextOption,
    help: "The version of each pack, in the same order. Default: 0 for each.")
  static let output = Option(
    "output-path", "o", .file(["json"]), isRequired: true,
    help: "The download manifest to write; its name must end in .json.")
  static let force = Option(
    "force", "f",
    help: "Replace an existing file at the output path. No pack's version may be lower than in it.")
  static let row = CommandRow(
    name: "create", overview: "List asset packs in a new download manifest.",
    arguments: [packs],
    options: DownloadManifestCommand.options(packs: versions, output: output, force: force),
    exclusive: DownloadManifestCommand.exclusive,
    examples: [
      Example(
        "ba-package download-manifest create Harbour.aar Lighthouse.aar --ios --macos "
          + "--download-base-url https://cdn.example.com/packs -o Downloads.json",
        "List two packs for iPhone, iPad and Mac.")
    ],
    command: { typed throws(UsageError) in try DownloadManifestCreate(typed) })

  let settings: DownloadSettings
  let versions: [Int]?
  let output: BytePath
  let replacesOutput: Bool

  init(_ typed: TypedArguments) throws(UsageError) {
    settings = try DownloadSettings(typed, packs: typed.paths(Self.packs))
    if typed.has(Self.versions) {
      // The parser has rejected everything else.
      let numbers = typed.values(Self.versions)
        .compactMap { Int(String(decoding: $0, as: UTF8.self)) }
      guard numbers.count == settings.packs.paths.count else {
        throw UsageError(
          "\(counted(settings.packs.paths.count, "pack")), but \(counted(numbers.count, "version")): "
            + "give one version for each pack")
      }
      versions = numbers
    } else {
      versions = nil
    }
    output = BytePath(typed.required(Self.output))
    if let refusal = DownloadManifestCommand.refusal(of: output) {
      throw .invalid(output.bytes, for: Self.output, reason: refusal)
    }
    replacesOutput = typed.has(Self.force)
  }

  func run(_ console: Console) throws -> ExitCode {
    Interruption.postpone()
    try AtomicOutput.checkFolder(of: output)
    return try holdingLock(of: output, console) { try runLocked(console) }
  }

  private func runLocked(_ console: Console) throws -> ExitCode {
    try compare(DownloadFiles.paths(of: output), withInputs: settings.packs.paths)
    let plan = try settings.plan(console) { packs in
      try .creating(output, replacing: replacesOutput, packs: packs, versions: versions)
    }
    return try settings.carryOut(plan, console)
  }
}
