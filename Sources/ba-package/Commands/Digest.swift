import BACommandLine
import BAPackCore

/// `digest`: prints digests that change if and only if the bytes of packs would.
struct Digest: Command {
  static let manifests = Argument(
    "manifest", .file(["json"]), isRepeating: true,
    help: """
      The manifests, or folders with manifests: the files in a folder whose names end in .json, and \
      manifests in the folders below it.
      """)
  static let inputs = Option(
    "inputs",
    help:
      "Print digests of the packs' inputs, for which pointers of Git LFS are as good as the files.")
  static let changedFrom = Option(
    "changed-from", name: "file", .file([]),
    help: """
      Print only manifests whose digests are not in a file that an earlier run printed with the same \
      options: as text, their paths alone, in the form of arguments in a file. An empty file has none.
      """)
  static let row = CommandRow(
    name: "digest", overview: "Print digests that change when packs would.",
    discussion: [
      """
      The first line tells how the digests are made, such as '# lzfse 5'; each other line is the digest \
      of a pack and the path of its manifest. The digest is found without compressing anything. It depends on all that the bytes of the pack depend on: the manifest, the \
      paths, modes and contents of the files, the options for compression, SOURCE_DATE_EPOCH, and the \
      versions of ba-package and zlib. With the same digest, 'package' makes the same bytes: caches \
      can use it as a key.
      """,
      """
      With --inputs, the digest is made of the SHA-256 of each file, which pointers of Git LFS \
      contain: a clone with nothing but pointers has the same digests \
      as a full one, and so has a later ba-package that makes the same bytes. Use them to find the \
      packs for which files must be fetched. Where the files are, the usual digest is the one to \
      use: their contents are checked for it, as for a pack.
      """,
    ],
    arguments: [manifests],
    options: [
      Checking.root, PackReading.jobs, Packing.compression, Packing.level, Checking.hosting,
      Checking.links, Checking.allowStubs, inputs, changedFrom, Checking.rule, Checking.project,
      PackReading.format,
      Checking.color,
    ],
    exclusive: [[inputs, Checking.allowStubs]],
    examples: [
      "ba-package digest Packs": "Print the digests of all packs.",
      "ba-package digest --hosting apple Packs/Harbour.json":
        "Print the digest of a pack for App Store Connect.",
      "ba-package digest --inputs Packs --changed-from released.digests":
        "In a clone with pointers, list the manifests of packs that changed since a release.",
    ],
    exitStatus: [
      "0": "Success; there may have been warnings.",
      "1": "There were errors; packs with errors have no digest.",
    ],
    command: Digest.init(typed:))

  let typed: TypedArguments

  func run(_ console: Console) throws -> ExitCode {
    let checking = try Checking(typed)
    Interruption.postpone()
    let manifests = typed.paths(Self.manifests)
    let readsPointers = typed.has(Self.inputs)
    let project = try checking.readProject(for: manifests, console)
    var options = checking.options(of: project)
    options.policy.readsPointers = readsPointers
    try Packing.addCompression(typed, project, to: &options)
    var app = try AssetPackBuilder(reading: manifests, to: nil, options)
    console.tell(app.check.findings, checking.color)
    let work = Work(threads: typed.integer(PackReading.jobs) ?? Processors.available)
    app.modificationTime = try Packing.modificationTime()
    let made = "\(app.compression)\(readsPointers ? ", inputs" : "")"
    let earlier = try typed.path(Self.changedFrom).map { try earlierDigests(in: $0, made: made) }
    let digests = readsPointers ? app.inputDigests(work) : app.digests(work)
    try Interrupted.check()
    let format = try typed.format()
    if format == .text, earlier == nil { try console.write("# \(made)\n") }
    var packs: [JSONValue] = []
    var failed = app.check.findings.hasErrors
    for (index, manifest) in app.check.manifests.enumerated() {
      switch digests[index] {
      case .success(let digest):
        if earlier?["\(manifest)"] == digest { continue }
        if format == .text {
          try console.write(
            earlier == nil
              ? Array("\(digest)  \(manifest)\n".utf8)
              : ResponseFile.word(for: manifest) + [UInt8(ascii: "\n")])
        }
        packs.append(
          .object([
            "manifest": JSONName(manifest.bytes),
            "assetPackID": app.check.checks[index].pack?.manifest.assetPackID ?? "",
            "digest": digest,
          ]))
      case .failure(let error):
        console.tell("error: \(words(for: error))")
        failed = true
      case nil: break
      }
    }
    let gone = try earlier.map { list in
      try list.keys.sorted().filter { try FileStatus.ifPresent(BytePath($0.utf8)) == nil }
    }
    for manifest in gone ?? [] {
      console.tell("note: the manifest '\(manifest)' of the list is gone")
    }
    if format == .json {
      try console.write(
        .object([
          "schemaVersion": 1, "compression": app.compression.description,
          "zlib": loadedZlib, "packs": packs,
          "gone": gone.map { $0.map { JSONName(Array($0.utf8)) } },
        ]))
    }
    return failed ? .failure : .success
  }
}
