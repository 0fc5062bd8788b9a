import BACommandLine
import BAPackCore
import BAUpload

/// `upload`: checks packs, uploads them, and waits for the store's result.
struct Upload: Command {
  static let packs = Argument(
    "pack", .file(["aar"]), isRepeating: true,
    help: "The asset packs; a folder means all packs in it.")
  static let create = Option(
    "create",
    help: "Create asset packs that the app doesn't have yet; their names are permanent.")
  static let wait = Option(
    "wait", name: "minutes", .integer(1...1440), implied: "1440",
    help: "Wait until the store has processed the packs, for a day unless given.")
  static let manifestFirst = Option(
    "manifest-first", help: "Send the manifest first, and the pack only if the store accepts it.")
  static let forceNewVersion = Option(
    "force-new-version", help: "Upload packs as new versions even if the store already has them.")
  static let continues = Option(
    "continue",
    help: "Use a version that awaits its upload even if somebody else may be sending it.")
  static let jobs = Option(
    "jobs", "j", name: "count", .integer(1...64), default: "4",
    help: "How many parts to upload at the same time.")
  static let quiet = Option("quiet", "q", help: "Print only warnings and errors.")
  static let row = CommandRow(
    name: "upload", overview: "Upload asset packs.",
    discussion: [
      """
      Creating a version uses up its number, and nothing can be deleted. Therefore each pack is \
      verified and checked against the store's rules first; then packs and versions are looked up, \
      and only then is anything created.
      """,
      """
      A receipt beside each pack, Pack.aar.upload.json, records what was uploaded. It contains no \
      secrets. With it, the same command continues an interrupted upload. Without it, for example \
      on another machine, it does so after an hour or with --continue, because somebody else might \
      be sending the same version. A pack that is identical to its newest version is not uploaded \
      again.
      """,
      """
      Keys are read from the options, the environment, or AuthKey_ID.p8 or ApiKey_ID.p8 in \
      ./private_keys, ~/private_keys, ~/.private_keys and ~/.appstoreconnect/private_keys.
      """,
    ],
    arguments: [packs],
    options: [
      Shared.app, create, wait, manifestFirst, continues, forceNewVersion, Shared.dryRun, jobs,
      Shared.format, quiet,
    ] + Connecting.options,
    exclusive: [[continues, forceNewVersion]],
    examples: [
      "ba-upload Harbour.aar --app com.example.game --key AuthKey_ABC123DEFG.p8 --issuer-id ID":
        "Upload a pack that the app has.",
      "ba-upload build --app com.example.game --create --wait":
        "Upload all packs in a folder, new ones too, and wait for the store.",
    ],
    exitStatus: [
      "0": "The store has all packs.",
      "1": "There were errors, or something could not be done.",
      "2": "The store rejected a pack.",
      "3": "The store was still processing when the time of --wait was over.",
    ],
    command: { try Upload($0) })

  let typed: TypedArguments
  let connecting: Connecting

  private var isDryRun: Bool { typed.has(Shared.dryRun) }
  private var isQuiet: Bool { typed.has(Self.quiet) }

  init(_ typed: TypedArguments) throws(UsageError) {
    self.typed = typed
    connecting = try Connecting(typed)
  }

  func run(_ console: Console) throws -> ExitCode {
    Interruption.postpone()
    let log = UploadLog()
    let appName = try typed.requiredText(Shared.app)
    var options = UploadOptions()
    options.creates = typed.has(Self.create)
    options.sendsManifestFirst = typed.has(Self.manifestFirst)
    options.continues = typed.has(Self.continues)
    options.forcesNewVersion = typed.has(Self.forceNewVersion)
    options.jobs = typed.integer(Self.jobs) ?? options.jobs
    options.timeout = connecting.timeoutSeconds
    let api = try connecting.client(log)
    let paths = try PackOrManifest.packs(at: typed.paths(Self.packs))
    guard let packs = try check(paths, console) else { return .failure }
    let least: UploadEvent.Importance =
      isQuiet ? .warning : connecting.isVerbose ? .detail : .note
    let uploader = try Uploader(packs, api, appName: appName, options) { event in
      switch event {
      case .message(let text, let importance): if importance >= least { log.tell(text) }
      case .progress(let bytes, let parts): log.show(bytes, parts: parts)
      }
    }
    if isDryRun { try show(uploader, console) }
    try uploader.checkMissing()
    if isDryRun { return .success }
    try OutputFiles([stepSummary].compactMap(\.self), own: paths.map(Receipt.path))
      .compare(withInputs: paths)
    if !isQuiet { log.begin(console.progress(of: uploader.bytesToSend)) }
    var results: [UploadResult] = []
    do {
      try uploader.run { results.append($0) }
      log.end()
      if let minutes = typed.integer(Self.wait) {
        results = try uploader.wait(for: results, limit: .seconds(60 * minutes))
      }
    } catch {
      log.end()
      try finish(results, app: uploader.app, console)
      throw error
    }
    try finish(results, app: uploader.app, console)
    return results.exitCode
  }

  /// Checks all packs; nil, after reporting why, if one must not be uploaded.
  private func check(_ paths: [BytePath], _ console: Console) throws -> [LocalPack]? {
    var packs: [LocalPack] = []
    for path in paths {
      let check: LocalPack.Check
      do {
        check = try LocalPack.check(path, jobs: Processors.available)
      } catch  where Interruption.pending == nil {
        console.tell("error: \(error)")
        continue
      }
      for problem in check.report.problems {
        console.tell("\(path): error: \(problem) [\(problem.reason.rawValue)]")
      }
      for warning in check.report.warnings {
        console.tell("\(path): warning: \(warning) [\(warning.reason.rawValue)]")
      }
      console.tell(check.report.manifestFindings + check.storeFindings, .auto)
      guard let pack = check.pack else { continue }
      packs.append(pack)
    }
    if let warning = packs.compactMap(\.warning).first {
      let paths = packs.filter { $0.warning != nil }.map { "'\($0.path)'" }
      console.tell("warning: \(paths.joined(separator: ", ")): \(warning)")
    }
    if packs.count == paths.count { return packs }
    let bad = paths.count - packs.count
    console.tell(
      "error: \(counted(bad, "pack")) of \(grouped(paths.count)) can't be uploaded; nothing was sent"
    )
    return nil
  }

  /// Shows what would be sent; with `--verbose`, also each request.
  private func show(_ uploader: Uploader, _ console: Console) throws {
    let uploads = uploader.uploads
    switch try typed.choice(Shared.format, as: Format.self) {
    case .text:
      try console.write(uploads.summary)
      for upload in uploads {
        try console.write("\(upload.pack.path): \(upload.summary)\n")
        for request in upload.requests where connecting.isVerbose {
          try console.write("  \(request.line) \(JSONWriter.text(request.document, .compact))\n")
        }
      }
    case .json:
      try console.write(
        .object(["schemaVersion": 1, "app": uploader.app, "packs": uploads.map(\.json)]))
    }
  }

  private func finish(_ results: [UploadResult], app: String, _ console: Console) throws {
    try results.appendToStepSummary(app: app)
    switch try typed.choice(Shared.format, as: Format.self) {
    case .text:
      for result in results {
        for remark in result.remarks { console.tell("\(result.pack.path): \(remark.line)") }
        if let error = result.error { console.tell("error: \(error)") }
        if !isQuiet, let line = result.line { try console.write(line + "\n") }
      }
    case .json:
      try console.write(.object(["schemaVersion": 1, "app": app, "packs": results.map(\.json)]))
    }
  }
}
