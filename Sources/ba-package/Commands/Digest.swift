import BAPackCore
import CommandLine

/// `digest`: prints digests that change if and only if the bytes of packs would.
struct Digest: Command {
  static let manifests = Argument(
    "manifest", .file(["json"]), isRepeating: true,
    help: """
      The manifests, or folders with manifests: all files in a folder whose names end in .json.
      """)
  static let format = Option(
    "format", name: "format", .choice(Format.allCases.map(\.rawValue)), default: "text",
    help: "The output format.")
  static let row = CommandRow(
    name: "digest", overview: "Print digests that change when packs would.",
    discussion: [
      """
      Each line is the digest of a pack and the path of its manifest. The digest is found without \
      compressing anything. It depends on all that the bytes of the pack depend on: the manifest, the \
      paths, modes and contents of the files, the options for compression, SOURCE_DATE_EPOCH, and the \
      versions of ba-package and zlib. With the same digest, 'package' makes the same bytes: caches \
      can use it as a key.
      """
    ],
    arguments: [manifests],
    options: [
      Shared.root, Packing.jobs, Packing.compression, Packing.level, Shared.hosting, Shared.links,
      Shared.allowStubs, ProjectInput.rule, format, Shared.color,
    ],
    examples: [
      Example("ba-package digest Packs", "Print the digests of all packs."),
      Example(
        "ba-package digest --compression lzfse Packs/Harbour.json",
        "Print the digest of a pack for App Store Connect."),
    ],
    exitStatus: [
      ExitStatus("0", "Success; there may have been warnings."),
      ExitStatus("1", "There were errors; packs with errors have no digest."),
    ],
    command: { typed throws(UsageError) in try Digest(typed) })

  /// The values of `--format`.
  enum Format: String, CaseIterable { case text, json }

  let manifests: [BytePath]
  let root: BytePath?
  let hosting: Hosting?
  let project: ProjectInput
  let policy: SelectionPolicy
  let packager: Packager
  let format: Format
  let color: ColorChoice

  init(_ typed: TypedArguments) throws(UsageError) {
    manifests = typed.paths(Self.manifests)
    root = typed.path(Shared.root)
    hosting = try Shared.hosting(typed)
    project = try ProjectInput(typed)
    policy = try typed.policy()
    var packager = Packager()
    packager.compression = try Packing.compression(typed)
    if let jobs = typed.integer(Packing.jobs) { packager.jobs = jobs }
    self.packager = packager
    format = try typed.choice(Self.format)
    color = try typed.choice(Shared.color)
  }

  func run(_ console: Console) throws -> ExitCode {
    Interruption.postpone()
    let options = try project.read(for: manifests, console, color).options(
      hosting: hosting, root: root, rootName: "--root", policy: policy)
    let app = try AppPackaging(reading: manifests, to: .nowhere, options)
    console.note(app.check.findings, color)
    let digests = app.digests(packager, modified: try Packing.modificationTime())
    if let signal = Interruption.pending {
      throw CommandError("stopped by \(Interruption.name(of: signal))")
    }
    var packs: [JSONValue] = []
    var failed = app.check.findings.hasErrors
    for (index, manifest) in app.check.manifests.enumerated() {
      switch digests[index] {
      case .success(let digest):
        if format == .text { try console.write("\(digest.text)  \(manifest)\n") }
        packs.append(
          .object([
            "manifest": JSONName(manifest.bytes),
            "assetPackID": app.check.checks[index].pack?.manifest.assetPackID.value ?? "",
            "digest": digest.text,
          ]))
      case .failure(let error):
        console.note("error: \(words(for: error))")
        failed = true
      case nil: break
      }
    }
    if format == .json {
      try console.write(JSONWriter.bytes(.object(["schemaVersion": 1, "packs": packs])))
    }
    return failed ? .failure : .success
  }
}
