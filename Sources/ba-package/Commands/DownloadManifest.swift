import BAPackCore

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
    Option("ios", help: "The manifest is for devices with iOS or iPadOS."),
    Option("macos", help: "The manifest is for Macs."),
    Option("tvos", help: "The manifest is for Apple TV."),
    Option("visionos", help: "The manifest is for Apple Vision."),
  ]
  static let dryRun = Option(
    "dry-run", help: "Only show what would happen to each pack; nothing is written.")
  static let printUploads = Option(
    "print-uploads",
    help:
      "Print a line for each pack that the server does not have yet: its name there, a tab, its path."
  )
  static let quiet = Option("quiet", "q", help: "Say nothing but warnings and errors.")
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
    isQuiet = typed.has(DownloadManifestCommand.quiet)
    color = try typed.choice(Shared.color)
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
        facts.append(try PackFacts.read(path))
      } catch {
        switch error {
        case .interrupted(let signal): throw .interrupted(signal, "\(error); nothing was written")
        case .system: throw .failure("\(error)")
        case .damage: throw .failure("'\(path)': \(error)")
        }
      }
    }
    return facts
  }

  /// Shows what `edit` does, and writes it unless it has errors or nothing is to be written.
  func finish(
    _ edit: DownloadManifestEdit, to output: FilePath, replacing old: DownloadFiles, force: Bool,
    _ console: Console
  ) throws(CommandError) -> ExitCode {
    console.note(edit.findings, color)
    if edit.findings.hasErrors {
      console.note("error: '\(output)' was not written: \(edit.findings.summary)")
      return .failure
    }
    let lines = edit.changes.map(\.line)
    let new = DownloadFiles(manifest: edit.manifest.bytes, records: edit.records.bytes)
    let isUnchanged = old.manifest != nil && edit.changes.allSatisfy { $0.keys.isEmpty }
    if isDryRun {
      for line in lines { try console.write(line + "\n") }
    } else {
      // A manifest that says the same keeps its bytes, whatever its layout.
      let manifest = isUnchanged ? nil : new.manifest
      try save(DownloadFiles(manifest: manifest, records: new.records), old, output, force: force)
      if printsUploads {
        for change in edit.changes where change.needsUpload {
          try console.write(Array("\(change.name)\t".utf8) + change.path.bytes + "\n".utf8)
        }
      }
      if !isQuiet { for line in lines { console.note(line) } }
    }
    if !isQuiet {
      let rest = isDryRun ? "; nothing was written" : isUnchanged ? "; it is as it was" : ""
      console.note("\(output): \(edit.changes.summary)\(rest)")
    }
    return .success
  }

  /// The records come first: should the second file fail, an update tells the same from both again.
  private func save(
    _ new: DownloadFiles, _ old: DownloadFiles, _ path: FilePath, force: Bool
  ) throws(CommandError) {
    if let signal = Interruption.pending {
      throw .interrupted(signal, "stopped by signal \(signal); nothing was written")
    }
    if let bytes = new.records, bytes != old.records {
      try write(bytes, to: ContentsRecords.path(beside: path), replacing: true)
    }
    if let bytes = new.manifest { try write(bytes, to: path, replacing: force) }
  }
}

extension DownloadManifestChange {
  /// What happens, on a line: `Tutorial: version 2 -> 3 (contents changed)`.
  var line: String {
    let name = printable(identifier.utf8)
    guard let from else { return "\(name): version \(to) (new)" }
    if from != to {
      let reason = isSameContents ? "the version of these contents" : "contents changed"
      return "\(name): version \(from) -> \(to) (\(hasRecord ? reason : "contents not known"))"
    }
    if !isSameContents { return "\(name): version \(to) (as given)" }
    let keys = keys.isEmpty ? "" : "; new \(keys.joined(separator: ", "))"
    return "\(name): version \(to) (contents unchanged\(keys))"
  }
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
