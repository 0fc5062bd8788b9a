import BACommandLine
import BAPackCore

/// `verify`: checks packs for damage, and compares them with a repository.
struct Verify: Command {
  static let against = Option(
    "against", name: "dir", .directory,
    help: "Compare the pack with this source root: the list of files, and the contents of each.")
  static let sha256 = Option(
    "sha256", name: "digest", .text,
    help: "Compare the SHA-256 of the whole file, 64 hexadecimal digits, with this one.")
  static let row = CommandRow(
    name: "verify", overview: "Check asset packs for damage.",
    discussion: [
      """
      Checks the container and every block, every header, the paths, the order and layout of the \
      entries, the embedded manifest and, with --against, the contents. Several packs must also merge \
      without conflicts, as on a device. Damage is reported with its block, byte offset and entry.
      """,
      """
      Stored blocks and LZFSE blocks have no checksum, and nothing covers the order of blocks: only \
      --against, or --sha256 with the digest that 'info' showed when the pack was made, can tell \
      whether the contents are right.
      """,
    ],
    arguments: [PackReading.packs],
    options: [against, sha256, Checking.links, PackReading.format] + PackReading.options
      + [
        PackReading.noProgress, PackReading.quiet, Checking.rule, Checking.project, Checking.color,
      ],
    examples: [
      "ba-package verify Harbour.aar": "Check a pack.",
      "ba-package verify build --against .": "Compare packs with the working directory.",
      "ba-package verify Harbour.aar --sha256 $(cut -c-64 Harbour.sha256)":
        "Check that a download is complete.",
    ],
    exitStatus: [
      "0": "All packs are OK.",
      "1": "A pack is damaged, different or unreadable.",
    ],
    synonyms: ["test"],
    command: { try Verify($0) })

  let typed: TypedArguments
  let sha256: [UInt8]?
  let reading: PackReading
  let checking: Checking

  private var against: BytePath? { typed.path(Self.against) }

  init(_ typed: TypedArguments) throws {
    self.typed = typed
    reading = PackReading(typed)
    checking = try Checking(typed)
    sha256 = try typed.text(Self.sha256).map { text in
      guard let digest = decodedHexadecimal(text), digest.count == 32 else {
        throw UsageError.invalid(
          Array(text.utf8), for: Self.sha256, reason: "expected 64 hexadecimal digits")
      }
      return digest
    }
  }

  func run(_ console: Console) throws -> ExitCode {
    let project = try checking.readProject(console)
    let packs = try typed.packs()
    if let against, try !against.isFolder() {
      throw PackagingError("there is no folder '\(against)' to compare with")
    }
    if sha256 != nil, packs.count != 1 {
      throw UsageError("'--sha256' is for one pack, but \(packs.count) were given")
    }
    let progress = typed.showsProgress ? PackReading.progress(of: packs, console) : nil
    defer { progress?.erase() }
    let verification = try PackVerification(
      of: packs, against: against, named: "--\(Self.against.long)",
      links: checking.links ?? project.policy.links,
      limits: reading.limits, jobs: reading.jobs, sha256: sha256, rules: project.rules,
      progress: { progress?.show($0) })
    progress?.erase()
    switch try typed.format() {
    case .text: try show(verification, console)
    case .json: try console.write(verification.json)
    }
    return verification.isSound ? .success : .failure
  }

  private func show(_ verification: PackVerification, _ console: Console) throws {
    for outcome in verification.outcomes {
      switch outcome {
      case .checked(let report): try show(report, console)
      case .unreadable(_, let error): console.tell("error: \(words(for: error))")
      }
    }
    if let clash = verification.clash { console.tell("error: \(clash)") }
  }

  private func show(_ report: PackReport, _ console: Console) throws {
    let name = report.path.shown
    for problem in report.problems {
      console.tell("\(name): error: \(words(for: problem)) [\(problem.reason.rawValue)]")
    }
    if report.furtherProblems > 0 {
      console.tell("\(name): error: \(counted(report.furtherProblems, "more problem"))")
    }
    if let digest = report.otherDigest {
      console.tell(
        "\(name): error: the SHA-256 of the file is \(hexadecimal(digest)), not as given")
    }
    for warning in report.warnings {
      console.tell("\(name): warning: \(warning) [\(warning.reason.rawValue)]")
    }
    console.tell(report.manifestFindings, checking.color)
    console.tell(report.selectionFindings, checking.color)
    let shown = report.differences.prefix(Self.maximumDifferences)
    for difference in shown { console.tell("\(name): error: \(difference)") }
    let more = report.differences.count - shown.count
    if more > 0, let against {
      console.tell(
        "\(name): error: \(counted(more, "more difference")); is '\(against)' the source root?")
    }
    if report.isSound, !typed.isQuiet { try console.write("\(name): \(verdict(report))\n") }
  }

  private func verdict(_ report: PackReport) -> String {
    let size = "\(counted(report.files, "file")), \(byteCount(report.fileBytes))"
    if let against { return "OK: \(size), identical to '\(against)'" }
    if sha256 != nil { return "OK: \(size), SHA-256 as given" }
    guard let unchecked = report.unchecked else { return "OK: \(size)" }
    return "OK as far as it can be checked: \(size); \(unchecked) (use --against or --sha256)"
  }

  private static let maximumDifferences = 20
}

extension PackReport {
  /// The part that no checksum covers; nil if there is none.
  fileprivate var unchecked: String? {
    guard let container = pack?.container else { return nil }
    if container.kind == .bare { return "the stream has no checksum" }
    let count = container.blocksWithoutChecksum
    if count == 0 { return nil }
    let verb = count == 1 ? "has" : "have"
    return "\(grouped(count)) of \(counted(container.blocks, "block")) \(verb) no checksum"
  }
}

extension PackVerification {
  fileprivate var json: JSONValue {
    .object([
      "schemaVersion": 1, "packs": outcomes.map(\.json), "clash": clash.map { "\($0)" },
    ])
  }
}

extension PackVerification.Outcome {
  fileprivate var json: JSONValue {
    switch self {
    case .checked(let report): report.json
    case .unreadable(let path, let error):
      .object(["pack": path.jsonName, "isSound": false, "error": words(for: error)])
    }
  }
}

extension PackReport {
  fileprivate var json: JSONValue {
    .object([
      "pack": path.jsonName,
      "isSound": isSound,
      "entries": entries,
      "files": files,
      "bytes": fileBytes,
      "problems": problems.map(\.json),
      "furtherProblems": furtherProblems,
      "warnings": warnings.map(\.json),
      "otherSHA256": otherDigest.map { hexadecimal($0) },
      "manifestFindings": manifestFindings,
      "blocks": pack?.container?.blocks,
      "blocksWithoutChecksum": pack?.container?.blocksWithoutChecksum,
      "selectionFindings": selectionFindings.isEmpty ? nil : selectionFindings,
      "differences": differences.isEmpty
        ? nil
        : differences.map {
          JSONValue.object(["path": JSONName($0.path.bytes), "message": $0.description])
        },
    ])
  }
}

extension ArchiveDamage {
  /// The damage for `--format json`; unknown parts of its location are omitted.
  fileprivate var json: JSONValue {
    .object([
      "reason": reason.rawValue,
      "message": message,
      "block": place.block,
      "fileOffset": place.file,
      "entry": place.entry,
      "streamOffset": place.stream,
      "path": place.path.map { JSONName($0) },
    ])
  }
}
