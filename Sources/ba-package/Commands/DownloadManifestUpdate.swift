import BACommandLine
import BAPackCore

/// `download-manifest update`: updates packs in an existing list, and adds new ones.
struct DownloadManifestUpdate: Command {
  static let manifest = Argument(
    "manifest", .file(["json"]), help: "The download manifest.")
  static let packs = Option(
    "asset-pack-paths", name: "pack", .file(["aar"]), isRequired: true, waiver: "remove",
    arity: .upToNextOption,
    help: "Asset packs that are new or may have changed; a folder means all packs in it.")
  static let remove = Option(
    "remove", name: "id", .text, arity: .repeating,
    help: """
      Remove the pack with this identifier from the list; its version stays recorded. Can be given \
      several times.
      """)
  static let output = Option(
    "output-path", "o", .file(["json"]),
    help: "Write to this file instead of replacing the manifest; its name must end in .json.")
  static let force = Option(
    "force", "f",
    help: "Replace an existing file at the output path. No pack's version gets lower than in it.")
  static let row = CommandRow(
    name: "update", overview: "Update packs in a download manifest, and add new ones.",
    discussion: [
      """
      The version of a pack increases by one if its contents differ from those recorded for its last \
      version, or if none are recorded. Packaging the same files again, with another zlib or at \
      another time, changes no version. Packs that are not given are kept as they are, and so are \
      unknown keys.
      """
    ],
    arguments: [manifest],
    options: [remove]
      + DownloadManifestCommand.options(packs: packs, output: output, force: force),
    exclusive: DownloadManifestCommand.exclusive,
    examples: [
      "ba-package download-manifest update Downloads.json --asset-pack-paths build "
        + "--download-base-url https://cdn.example.com/packs --dry-run":
        "Show which versions would increase.",
      "ba-package download-manifest update Downloads.json --remove lighthouse":
        "Remove a pack from the list.",
    ],
    command: DownloadManifestUpdate.init(typed:))

  let typed: TypedArguments

  func run(_ console: Console) throws -> ExitCode {
    let manifest = typed.path(Self.manifest)
    if manifest.hasExtension("digests.json"),
      let refusal = DownloadManifestCommand.refusal(of: manifest)
    {
      throw UsageError.invalid(manifest.bytes, for: Self.manifest, reason: refusal)
    }
    let settings = try DownloadSettings(typed, packs: typed.paths(Self.packs))
    // Without it, the manifest is replaced.
    let output = typed.path(Self.output)
    if let output, let refusal = DownloadManifestCommand.refusal(of: output) {
      throw UsageError.invalid(output.bytes, for: Self.output, reason: refusal)
    }
    let inputs = output == nil ? [] : DownloadHistory.paths(of: manifest)
    return try settings.run(writing: output ?? manifest, inputs: inputs, console) { packs, work in
      do {
        return try .updating(
          manifest, to: output, replacing: typed.has(Self.force), packs: packs,
          removing: typed.values(Self.remove).map { String(decoding: $0, as: UTF8.self) }, work)
      } catch let error as PackError where error.code == .notFound && error.path == manifest {
        throw PackagingError(
          "there is no '\(manifest)'; use 'ba-package download-manifest create' to make one")
      }
    }
  }
}
