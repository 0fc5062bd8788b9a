import BACommandLine
import BAPackCore

/// `download-manifest`: the group of commands for the list of self-hosted packs.
enum DownloadManifestCommand {
  static let row = CommandRow(
    name: "download-manifest",
    overview: "Create or update the list of asset packs on your own server.",
    discussion: [
      """
      Each pack is listed with its identifier, policy, size and version, and with the URL \
      BASE-URL/IDENTIFIER, where the archive must be served. Devices download a pack again when its \
      version increases.
      """,
      """
      A device that has read the list may download a pack much later. With --digest-names the pack \
      that the list meant is still there: upload new packs first and then the list, and remove old \
      packs after a while.
      """,
      """
      NAME.digests.json is written next to NAME.json, with a digest of the contents of each version: \
      the format of NAME.json has no field for it, and an update needs it to detect changes. Keep \
      both under version control; serve only NAME.json.
      """,
    ],
    subcommands: [DownloadManifestCreate.row, DownloadManifestUpdate.row])

  static let baseURL = Option(
    "download-base-url", name: "url", .text, isRequired: true, waiver: "remove",
    help: "The URL of the folder that packs are served from; it should begin with https.")
  static let platforms = Platform.known.map { platform in
    (
      platform: platform,
      option: Option(
        platform.option,
        help: "Check that every pack is for \(platform.rawValue) (\(platform.devices)).")
    )
  }
  static let digestNames = Option(
    "digest-names",
    help: """
      Name each pack on the server IDENTIFIER-DIGEST.aar, with a digest of the archive, instead of \
      IDENTIFIER. A file there is then never replaced by another one.
      """)
  static let dryRun = Option(
    "dry-run", "n", help: "Only show what would change; nothing is written.")
  static let printUploads = Option(
    "print-uploads",
    help: "Print each pack to upload: its file name on the server, a tab, its local path.")

  /// The options of both commands, which differ in `packs`, `output` and `force`.
  static func options(packs: Option, output: Option, force: Option) -> [Option] {
    [packs] + platforms.map(\.option) + [
      baseURL, digestNames, output, force, dryRun, printUploads,
    ] + PackReading.options
      + [
        PackReading.noProgress, PackReading.quiet, Checking.rule, Checking.project, Checking.color,
      ]
  }
  static let exclusive = [[dryRun, printUploads]]

  /// Why the name of a download manifest is invalid; nil if it is valid.
  static func refusal(of path: BytePath) -> String? {
    if !path.hasExtension("json") { return "the name of a download manifest must end in .json" }
    if path.hasExtension("digests.json") {
      return "names ending in .digests.json are for the records next to a download manifest"
    }
    return nil
  }
}

struct DownloadSettings {
  let typed: TypedArguments
  /// Nil if packs are only removed.
  private let packs: DownloadManifestPlan.Packs?
  let checking: Checking

  private var isDryRun: Bool { typed.has(DownloadManifestCommand.dryRun) }
  private var printsUploads: Bool { typed.has(DownloadManifestCommand.printUploads) }

  init(_ typed: TypedArguments, packs: [BytePath]) throws {
    self.typed = typed
    checking = try Checking(typed)
    if packs.isEmpty {
      self.packs = nil
      return
    }
    let platforms = DownloadManifestCommand.platforms.filter { typed.has($0.option) }
      .map(\.platform)
    let option = DownloadManifestCommand.baseURL
    guard let base = try typed.values(option, { try DownloadBaseURL($0) }).last else {
      throw UsageError.missing(option)
    }
    let reading = PackReading(typed)
    var settings = DownloadManifestPlan.Packs(packs, platforms: platforms, base: base)
    settings.limits = reading.limits
    settings.hasDigestsInNames = typed.has(DownloadManifestCommand.digestNames)
    self.packs = settings
  }

  /// Makes a plan for the list at `output` while no other run changes it, and carries it out.
  /// `inputs` are read besides the packs.
  func run(
    writing output: BytePath, inputs: [BytePath], _ console: Console,
    _ make: (DownloadManifestPlan.Packs?, Work) throws -> DownloadManifestPlan
  ) throws -> ExitCode {
    Interruption.postpone()
    var packs = packs
    let paths = try PackOrManifest.packs(at: packs?.paths ?? [])
    packs?.paths = paths
    return try makingFolder(of: output) {
      try holdingLock(of: output, console) {
        try compare(DownloadHistory.paths(of: output), withInputs: paths + inputs)
        let progress = typed.showsProgress ? PackReading.progress(of: paths, console) : nil
        defer { progress?.erase() }
        let work = Work(
          threads: PackReading(typed).jobs, progress: { progress?.show($0.done) })
        let plan = try make(packs, work)
        progress?.erase()
        return try carryOut(plan, console)
      }
    }
  }

  /// Shows the changes of `plan`, and saves it unless it has errors or there is nothing to write.
  private func carryOut(
    _ plan: DownloadManifestPlan, _ console: Console
  ) throws -> ExitCode {
    var plan = plan
    plan.findings = try checking.readProject(console).rules.applied(to: plan.findings)
    guard let edit = plan.edit else {
      console.tell(plan.findings, checking.color)
      console.tell(
        "error: '\(plan.output)' was not written: the published versions can't be read: "
          + plan.findings.summary)
      return .failure
    }
    let findings = plan.findings + (printsUploads ? edit.changes.uploadFindings : [])
    console.tell(findings, checking.color)
    if findings.hasErrors {
      console.tell("error: '\(plan.output)' was not written: \(findings.summary)")
      return .failure
    }
    let lines =
      edit.changes.map(\.line)
      + edit.dropped.map {
        "\(printable($0.identifier.utf8)): version \($0.version), no longer listed"
      }
    if isDryRun {
      for line in lines { try console.write(line + "\n") }
    } else {
      do { try plan.save(removedLeftover: tellLeftover) } catch { throw error.underlying }
      if printsUploads { try printUploads(edit, console) }
      if !typed.isQuiet { for line in lines { console.tell(line) } }
    }
    if !typed.isQuiet {
      console.tell(
        "\(plan.output): \(plan.isUnchanged ? "unchanged, " : "")\(edit.summary)"
          + (isDryRun ? "; nothing was written" : ""))
    }
    return .success
  }

  private func printUploads(
    _ edit: DownloadManifestEdit, _ console: Console
  ) throws {
    for change in edit.changes where change.needsUpload {
      let name = Array((change.fileName ?? "").utf8)
      try console.write(name + "\t".utf8 + change.path.bytes + "\n".utf8)
    }
  }
}

extension DownloadManifestChange {
  /// The change, on one line: `Tutorial: version 2 -> 3 (contents changed)`.
  var line: String {
    let name = printable(identifier.utf8)
    guard let from else { return "\(name): version \(to) (new)" }
    let isRaised = from != to
    let version = isRaised ? "version \(from) -> \(to)" : "version \(to)"
    if isRaised, isGiven { return "\(name): \(version) (as given)" }
    switch contents {
    case .other: return "\(name): \(version) (contents changed)"
    case .unknown: return "\(name): \(version) (contents unknown)"
    case .same where isRaised: return "\(name): \(version) (recorded for these contents)"
    case .same:
      let keys = keys.isEmpty ? "" : "; changed \(keys.joined(separator: ", "))"
      return "\(name): \(version) (contents unchanged\(keys))"
    }
  }
}

extension DownloadManifestEdit {
  /// The number of packs in the list that are new, have a new version, or neither, and of those that
  /// were removed.
  fileprivate var summary: String {
    let listed = manifest.identifiers.count
    let new = changes.count { $0.from == nil }
    let raised = changes.count { change in change.from.map { $0 < change.to } == true }
    let words = [
      (new, "new"), (raised, "updated"), (changes.count - new - raised, "with the same version"),
      (listed - changes.count, "not given"), (dropped.count, "no longer listed"),
    ].filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }
    return "\(counted(listed, "pack")) (\(words.joined(separator: ", ")))"
  }
}
