import BAPackCore
import CommandLine

/// `download-manifest`: the group of commands about what a server of packs tells devices.
enum DownloadManifestCommand {
  static let row = CommandRow(
    name: "download-manifest",
    overview: "Make or update the list of asset packs that a server of your own offers.",
    discussion: [
      """
      Each pack is listed with its identifier, policy, size and version, and with the address \
      BASE-URL/IDENTIFIER, where the archive must be served under that name. Devices load a pack \
      again when its version rises.
      """,
      """
      Beside NAME.json stands NAME.digests.json with a digest of the contents of each version: the \
      format has no field for it, and an update needs it to tell whether a pack changed. Keep both \
      under version control; only NAME.json is served.
      """,
    ],
    subcommands: [DownloadManifestCreate.row, DownloadManifestUpdate.row])

  static let baseURL = Option(
    "download-base-url", name: "url", .text, isRequired: true,
    help: "The address that packs are served below; it should begin with https.")
  static let platforms = [
    Option("ios", help: "Check that every pack is for iOS, which means iPadOS too."),
    Option("macos", help: "Check that every pack is for macOS."),
    Option("tvos", help: "Check that every pack is for tvOS."),
    Option("visionos", help: "Check that every pack is for visionOS."),
  ]
  static let dryRun = Option(
    "dry-run", help: "Only show what would happen to each pack; nothing is written.")
  static let printUploads = Option(
    "print-uploads",
    help:
      "Print a line for each pack that the server does not have yet: the name of its file there, a tab, its path."
  )

  /// The options of both commands: `packs` says more about the packs, `output` where to write, and
  /// `force` what that may replace.
  static func options(packs: Option, output: Option, force: Option) -> [Option] {
    [packs] + platforms + [
      baseURL, output, force, dryRun, printUploads, PackReading.limit, PackReading.jobs,
      PackReading.quiet, Shared.color,
    ]
  }
  static let exclusive = [[dryRun, printUploads]]

  /// Why a download manifest can't stand at `path`; nil where it can.
  static func refusal(of path: FilePath) -> String? {
    if !path.hasExtension("json") { return "The name of a download manifest ends in .json." }
    if path.hasExtension("digests.json") {
      return "Names that end in .digests.json are those of the records beside a download manifest."
    }
    return nil
  }
}

/// What both commands are told about the packs.
struct DownloadSettings {
  let packs: [FilePath]
  let platforms: [Platform]
  let base: DownloadBaseURL
  let isDryRun: Bool
  let printsUploads: Bool
  let isQuiet: Bool
  let color: ColorChoice
  let reading: PackReading

  init(_ typed: TypedArguments, packs: [FilePath], of words: Words) throws(UsageError) {
    for pack in packs where pack.hasExtension("json") {
      throw words.invalid(pack, "Packs are read from the archives, whose names end in .aar.")
    }
    self.packs = packs
    let flags = DownloadManifestCommand.platforms
    platforms = zip(flags, Platform.allCases).filter { typed.has($0.0) }.map(\.1)
    if platforms.isEmpty {
      throw UsageError(
        "Missing expected argument: at least one of "
          + flags.map { "'--\($0.long)'" }.joined(separator: ", "))
    }
    let url = typed.required(DownloadManifestCommand.baseURL)
    do throws(DownloadBaseURL.Refusal) {
      base = try DownloadBaseURL(url)
    } catch {
      throw .invalid(
        url, for: DownloadManifestCommand.baseURL, reason: "As a base address, \(error.reason).")
    }
    printsUploads = typed.has(DownloadManifestCommand.printUploads)
    isDryRun = typed.has(DownloadManifestCommand.dryRun)
    isQuiet = typed.has(PackReading.quiet)
    color = try typed.choice(Shared.color)
    reading = try PackReading(typed)
  }

  /// How packs are given: by position or by an option.
  enum Words {
    case argument(Argument)
    case option(Option)

    func invalid(_ path: FilePath, _ reason: String) -> UsageError {
      switch self {
      case .argument(let argument): .invalid(path.bytes, for: argument, reason: reason)
      case .option(let option): .invalid(path.bytes, for: option, reason: reason)
      }
    }
  }

  /// The facts of all packs.
  func facts() throws(CommandError) -> [PackFacts] {
    var facts: [PackFacts] = []
    for path in packs {
      do throws(ArchiveError) {
        facts.append(try PackFacts.read(path, limits: reading.limits, jobs: reading.jobs))
      } catch {
        if case .interrupted(let signal) = error {
          throw .interrupted(signal, "\(error); nothing was written")
        }
        throw CommandError(error, path)
      }
    }
    return facts
  }

  /// Says why the files at `output`, or those that an edit begins with, can't be used.
  func refuse(_ findings: [Finding], _ output: FilePath, _ console: Console) -> ExitCode {
    console.note(findings, color)
    console.note(
      "error: '\(output)' was not written, because the versions that devices have seen can't be read: "
        + findings.summary)
    return .failure
  }

  /// Shows what `edit` does, and writes it over what stands at `output` unless it has errors or
  /// nothing is to be written. A manifest that is updated in place and says the same keeps its bytes,
  /// whatever its layout.
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
      let rest = isDryRun ? "; nothing was written" : isUnchanged ? "; it is as it was" : ""
      let dropped =
        edit.dropped.isEmpty ? "" : ", \(grouped(edit.dropped.count)) not listed any more"
      console.note("\(output): \(edit.changes.summary)\(dropped)\(rest)")
    }
    return .success
  }

  /// The records come first: should the second file fail, an update tells the same from both again.
  private func save(
    _ new: DownloadFiles, over old: DownloadFiles, _ path: FilePath, force: Bool
  ) throws(CommandError) {
    if let signal = Interruption.pending {
      throw .interrupted(
        signal, "stopped by \(Interruption.name(of: signal)); nothing was written")
    }
    if let bytes = new.records, bytes != old.records {
      // The old ones are among the new.
      let replaces = force || old.records != nil
      try write(bytes, to: ContentsRecords.path(beside: path), replacing: replaces)
    }
    if let bytes = new.manifest { try write(bytes, to: path, replacing: force) }
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
    case .unknown: return "\(name): \(version) (contents not known)"
    case .same where isRaised: return "\(name): \(version) (the version of these contents)"
    case .same:
      let keys = keys.isEmpty ? "" : "; new \(keys.joined(separator: ", "))"
      return "\(name): \(version) (contents unchanged\(keys))"
    }
  }
}

extension DroppedPack {
  /// What happens, on a line: `Tutorial: version 2, not listed any more`.
  var line: String { "\(printable(identifier.utf8)): version \(version), not listed any more" }
}

extension [DownloadManifestChange] {
  /// How many packs are new, raised and neither.
  var summary: String {
    let new = count { $0.from == nil }
    let raised = count { change in change.from.map { $0 < change.to } == true }
    let parts = [
      (new, "new"), (raised, "raised"), (count - new - raised, "with the same version"),
    ]
    return counted(count, "pack") + ", "
      + parts.filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }.joined(separator: ", ")
  }
}
