import BAPackCore
import CommandLine

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
      NAME.digests.json is written next to NAME.json, with a digest of the contents of each version: \
      the format of NAME.json has no field for it, and an update needs it to detect changes. Keep \
      both under version control; serve only NAME.json.
      """,
    ],
    subcommands: [DownloadManifestCreate.row, DownloadManifestUpdate.row])

  static let baseURL = Option(
    "download-base-url", name: "url", .text, isRequired: true,
    help: "The URL of the folder that packs are served from; it should begin with https.")
  static let platforms = [
    Option("ios", help: "Check that every pack is for iOS, which includes iPadOS."),
    Option("macos", help: "Check that every pack is for macOS."),
    Option("tvos", help: "Check that every pack is for tvOS."),
    Option("visionos", help: "Check that every pack is for visionOS."),
  ]
  static let dryRun = Option(
    "dry-run", help: "Only show what would change; nothing is written.")
  static let printUploads = Option(
    "print-uploads",
    help: """
      Print a line for each pack that must be uploaded: its file name on the server, a tab, and its \
      local path.
      """)

  /// The options of both commands. They differ in `packs`, which gives versions or packs, in `output`
  /// and in `force`.
  static func options(packs: Option, output: Option, force: Option) -> [Option] {
    [packs] + platforms + [
      baseURL, output, force, dryRun, printUploads, PackReading.limit, PackReading.limitEntries,
      PackReading.jobs,
      PackReading.quiet, Shared.color,
    ]
  }
  static let exclusive = [[dryRun, printUploads]]

  /// Why the name of a download manifest is invalid; nil if it is valid.
  static func refusal(of path: FilePath) -> String? {
    if !path.hasExtension("json") { return "the name of a download manifest must end in .json" }
    if path.hasExtension("digests.json") {
      return "names ending in .digests.json are for the records next to a download manifest"
    }
    return nil
  }
}

/// The settings of both commands.
struct DownloadSettings {
  let packs: [FilePath]
  let platforms: [Platform]
  let base: DownloadBaseURL
  let isDryRun: Bool
  let printsUploads: Bool
  let isQuiet: Bool
  let color: ColorChoice
  let reading: PackReading

  init(_ typed: TypedArguments, packs: [FilePath]) throws(UsageError) {
    self.packs = packs
    let flags = DownloadManifestCommand.platforms
    platforms = zip(flags, Platform.allCases).filter { typed.has($0.0) }.map(\.1)
    if platforms.isEmpty {
      throw UsageError(
        "missing platform: give at least one of "
          + flags.map { "'--\($0.long)'" }.joined(separator: ", "))
    }
    let url = typed.required(DownloadManifestCommand.baseURL)
    do throws(DownloadBaseURL.Refusal) {
      base = try DownloadBaseURL(url)
    } catch {
      throw .invalid(
        url, for: DownloadManifestCommand.baseURL, reason: error.reason)
    }
    printsUploads = typed.has(DownloadManifestCommand.printUploads)
    isDryRun = typed.has(DownloadManifestCommand.dryRun)
    isQuiet = typed.has(PackReading.quiet)
    color = try typed.choice(Shared.color)
    reading = try PackReading(typed)
  }

  /// Reads the facts of all packs.
  func facts() throws(CommandError) -> [PackFacts] {
    var facts: [PackFacts] = []
    for path in packs {
      do throws(ArchiveError) {
        facts.append(try PackFacts.read(path, limits: reading.limits, jobs: reading.jobs))
      } catch {
        if case .interrupted(let signal) = error.cause {
          throw .interrupted(signal, "\(error); nothing was written")
        }
        throw CommandError(error)
      }
    }
    return facts
  }

  /// Reports why the files at `output`, or those that an edit starts from, can't be used.
  func refuse(_ findings: [Finding], _ output: FilePath, _ console: Console) -> ExitCode {
    console.note(findings, color)
    console.note(
      "error: '\(output)' was not written: the published versions can't be read: "
        + findings.summary)
    return .failure
  }

  /// Shows the changes of `edit`, and writes the result to `output` unless it has errors or this is a
  /// dry run. A manifest that is updated in place without a change keeps its bytes and layout.
  func finish(
    _ edit: DownloadManifestEdit, to output: FilePath, over old: DownloadFiles, isInPlace: Bool,
    force: Bool, _ console: Console
  ) throws(CommandError) -> ExitCode {
    let findings = edit.findings + (printsUploads ? edit.changes.uploadFindings : [])
    console.note(findings, color)
    if findings.hasErrors {
      console.note("error: '\(output)' was not written: \(findings.summary)")
      return .failure
    }
    let lines = edit.changes.map(\.line) + edit.dropped.map(\.line)
    let isUnchanged = isInPlace && edit.changes.allSatisfy { $0.keys.isEmpty }
    if isDryRun {
      for line in lines { try console.write(line + "\n") }
    } else {
      let new = DownloadFiles(
        manifest: isUnchanged ? nil : edit.manifest.bytes, records: edit.records.bytes)
      try save(new, over: old, output, force: force)
      if printsUploads {
        for change in edit.changes where change.needsUpload {
          let name = Array((change.fileName ?? "").utf8)
          try console.write(name + "\t".utf8 + change.path.bytes + "\n".utf8)
        }
      }
      if !isQuiet { for line in lines { console.note(line) } }
    }
    if !isQuiet {
      let dropped =
        edit.dropped.isEmpty ? "" : ", \(grouped(edit.dropped.count)) no longer listed"
      let summary =
        isUnchanged
        ? "unchanged (\(counted(edit.changes.count, "pack")))" : edit.changes.summary + dropped
      console.note("\(output): \(summary)\(isDryRun ? "; nothing was written" : "")")
    }
    return .success
  }

  private func save(
    _ new: DownloadFiles, over old: DownloadFiles, _ path: FilePath, force: Bool
  ) throws(CommandError) {
    if let signal = Interruption.pending {
      throw .interrupted(
        signal, "stopped by \(Interruption.name(of: signal)); nothing was written")
    }
    let records = new.records == old.records ? nil : new.records
    // The old ones are among the new.
    let replacesRecords = force || old.records != nil
    switch (records, new.manifest) {
    case (nil, nil):
      return
    case (let records?, nil):
      try write(records, to: ContentsRecords.path(beside: path), replacing: replacesRecords)
    case (nil, let manifest?):
      try write(manifest, to: path, replacing: force)
    case (let records?, let manifest?):
      try writeBoth(records, manifest, to: path, old, force, replacesRecords)
    }
  }

  /// The records come first: they may know a version that is not listed yet, but never the reverse.
  /// Should the list fail they are put back.
  private func writeBoth(
    _ records: [UInt8], _ manifest: [UInt8], to path: FilePath, _ old: DownloadFiles,
    _ force: Bool, _ replacesRecords: Bool
  ) throws(CommandError) {
    let recordsPath = ContentsRecords.path(beside: path)
    var areRecordsNew = false
    var isListNew = false
    do throws(SystemError) {
      let first = try AtomicOutput(
        recordsPath, replacing: replacesRecords, removed: noteLeftover)
      let second = try AtomicOutput(path, replacing: force, removed: noteLeftover)
      try first.write(records)
      try second.write(manifest)
      try first.sync()
      try second.sync()
      areRecordsNew = true
      try first.publish()
      isListNew = true
      try second.publish()
    } catch {
      let reason =
        error.code == .fileExists
        ? "'\(error.path)' already exists; use --force to replace it" : "\(error)"
      if isListNew, error.operation == .syncFolder { throw .failure(reason) }
      if areRecordsNew, !restore(old.records, at: recordsPath) {
        throw .failure(
          "\(reason). '\(recordsPath)' may be newer than '\(path)' now; the same command brings "
            + "them together again.")
      }
      throw .failure("\(reason); '\(path)' and '\(recordsPath)' are as they were")
    }
  }
}

/// Puts `bytes`, or nothing, back to `path`, where they were; false where that fails.
private func restore(_ bytes: [UInt8]?, at path: FilePath) -> Bool {
  do throws(SystemError) {
    guard let bytes else { return path.removeFile() }
    let output = try AtomicOutput(path, replacing: true)
    try output.write(bytes)
    try output.publish()
    return true
  } catch {
    return false
  }
}

extension DownloadManifestChange {
  /// What happens, on a line: `Tutorial: version 2 -> 3 (contents changed)`.
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

extension DroppedPack {
  /// What happens, on a line: `Tutorial: version 2, no longer listed`.
  var line: String { "\(printable(identifier.utf8)): version \(version), no longer listed" }
}

extension [DownloadManifestChange] {
  /// How many packs are new, have a new version, or neither.
  var summary: String {
    let new = count { $0.from == nil }
    let raised = count { change in change.from.map { $0 < change.to } == true }
    let parts = [
      (new, "new"), (raised, "updated"), (count - new - raised, "with the same version"),
    ]
    let words = parts.filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }
    return "\(counted(count, "pack")) (\(words.joined(separator: ", ")))"
  }
}
