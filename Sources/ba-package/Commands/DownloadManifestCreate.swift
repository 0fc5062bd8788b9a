import BACommandLine
import BAPackCore

/// `download-manifest create`: makes a new list of packs.
struct DownloadManifestCreate: Command {
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
    arguments: [PackReading.packs],
    options: DownloadManifestCommand.options(packs: versions, output: output, force: force),
    exclusive: DownloadManifestCommand.exclusive,
    gone: ["asset-pack-paths": "the packs are arguments of 'create'"],
    examples: [
      "ba-package download-manifest create Harbour.aar Lighthouse.aar --ios --macos "
        + "--download-base-url https://cdn.example.com/packs -o Downloads.json":
        "List two packs for iPhone, iPad and Mac."
    ],
    command: DownloadManifestCreate.init(typed:))

  let typed: TypedArguments

  func run(_ console: Console) throws -> ExitCode {
    let settings = try DownloadSettings(typed, packs: typed.paths(PackReading.packs))
    let versions = typed.has(Self.versions) ? typed.integers(Self.versions) : nil
    let output = BytePath(typed.required(Self.output))
    if let refusal = DownloadManifestCommand.refusal(of: output) {
      throw UsageError.invalid(output.bytes, for: Self.output, reason: refusal)
    }
    return try settings.run(writing: output, inputs: [], console) { packs, work in
      guard let packs else { throw UsageError.missing(PackReading.packs) }
      if let versions, versions.count != packs.paths.count {
        throw UsageError(
          "\(counted(packs.paths.count, "pack")), but \(counted(versions.count, "version")): "
            + "give one version for each pack")
      }
      return try .creating(
        output, replacing: typed.has(Self.force), packs: packs, versions: versions, work)
    }
  }
}
