import BAPackCore
import CommandLine

/// `verify`: checks packs for damage, and compares them with a repository.
struct Verify: Command {
  static let packs = Argument(
    "pack", .file(["aar"]), isRepeating: true,
    help: "The asset packs; '-' means standard input.")
  static let against = Option(
    "against", name: "dir", .directory,
    help: "Compare the pack with this source root: the list of files, and the contents of each.")
  static let row = CommandRow(
    name: "verify", overview: "Check asset packs for damage.",
    discussion: [
      """
      Checks the container and every block, every header, the paths, the order and layout of the \
      entries, the embedded manifest and, with --against, the contents. Several packs must also merge \
      without conflicts, as on a device. Damage is reported with its block, byte offset and entry.
      """,
      """
      Stored blocks and LZFSE blocks have no checksum: only --against, or the SHA-256 of the whole \
      file, can tell whether their contents are right.
      """,
    ],
    arguments: [packs],
    options: [
      against, PackReading.format, PackReading.limit, PackReading.limitEntries, PackReading.jobs,
      PackReading.quiet,
      Shared.color,
    ],
    examples: [
      Example("ba-package verify Harbour.aar", "Check a pack."),
      Example("ba-package verify *.aar --against .", "Compare packs with the working directory."),
    ],
    exitStatus: [
      ExitStatus("0", "All packs are OK."),
      ExitStatus("1", "A pack is damaged, different or unreadable."),
    ],
    command: { typed throws(UsageError) in try Verify(typed) })

  let packs: [FilePath]
  let against: FilePath?
  let format: PackReading.Format
  let isQuiet: Bool
  let color: ColorChoice
  let reading: PackReading

  init(_ typed: TypedArguments) throws(UsageError) {
    packs = typed.paths(Self.packs)
    against = typed.path(Self.against)
    format = try typed.choice(PackReading.format)
    isQuiet = typed.has(PackReading.quiet)
    color = try typed.choice(Shared.color)
    reading = try PackReading(typed)
  }

  func run(_ console: Console) throws(CommandError) -> ExitCode {
    var outcomes: [Outcome] = []
    for path in packs { outcomes.append(try outcome(of: path)) }
    let results = outcomes.compactMap(\.result)
    let allAreSound = results.count == packs.count && results.allSatisfy(\.isSound)
    var clash: String?
    if packs.count > 1, allAreSound {
      do throws(CommandError) {
        _ = try reading.merge(results.compactMap(\.report.pack))
      } catch {
        guard case .failure(let message) = error else { throw error }
        clash = message
      }
    }
    switch format {
    case .text:
      for outcome in outcomes {
        switch outcome {
        case .read(let result): try show(result, console)
        case .unread(_, let message): console.note("error: \(message)")
        }
      }
      if let clash { console.note("error: \(clash)") }
    case .json:
      var members = [
        JSONMember("schemaVersion", JSONValue(1)),
        JSONMember("packs", JSONValue(.array(outcomes.map(\.json)))),
      ]
      if let clash { members.append(JSONMember("clash", JSONValue(clash))) }
      try console.write(JSONWriter.bytes(JSONValue(.object(members))))
    }
    return clash == nil && allAreSound ? .success : .failure
  }

  /// The result for a path.
  private enum Outcome {
    case read(Result)
    /// The pack could not be read; the message says why.
    case unread(FilePath, String)

    var result: Result? {
      if case .read(let result) = self { result } else { nil }
    }

    var json: JSONValue {
      switch self {
      case .read(let result): result.json
      case .unread(let path, let message):
        JSONValue(
          .object(
            path.members("pack") + [
              JSONMember("isSound", JSONValue(.bool(false))),
              JSONMember("error", JSONValue(message)),
            ]))
      }
    }
  }

  /// After a path that can't be read, the others are checked; after a signal, they are not.
  private func outcome(of path: FilePath) throws(CommandError) -> Outcome {
    do throws(CommandError) {
      return .read(try verify(path))
    } catch {
      guard case .failure(let message) = error else { throw error }
      return .unread(path, message)
    }
  }

  /// The result of checking a pack.
  struct Result {
    let path: FilePath
    let report: PackReport
    /// The findings of the selection from the source root.
    var selectionFindings: [Finding] = []
    var differences: [RepositoryDifference] = []

    var isSound: Bool {
      report.isSound && differences.isEmpty && !selectionFindings.hasErrors
    }
  }

  private func verify(_ path: FilePath) throws(CommandError) -> Result {
    let report = try mapping(CommandError.init) { () throws(ArchiveError) in
      try PackReport.verify(path, limits: reading.limits, jobs: reading.jobs)
    }
    var result = Result(path: path, report: report)
    guard report.isSound, let pack = report.pack, let against else { return result }
    guard pack.isFile else { throw .pipe(path) }
    do throws(ContentsError<SystemError>) {
      try compare(&result, pack, with: against)
    } catch {
      switch error {
      case .archive(let error): throw CommandError(error)
      case .consumer(let error): throw .failure("\(error)")
      }
    }
    return result
  }

  private func compare(
    _ result: inout Result, _ pack: Pack, with root: FilePath
  ) throws(ContentsError<SystemError>) {
    var selection: Selection?
    // A newer tool may have embedded unknown selectors.
    if let manifest = (try? pack.decodedManifest())?.value, !manifest.selectors.isEmpty {
      let root = SourceRoot(of: manifest, readFrom: nil, option: root, name: "--against")
      let found = Selection.resolve(manifest, in: root, output: result.path)
      result.selectionFindings = found.findings
      // With errors, it may be incomplete.
      if !found.findings.hasErrors { selection = found.value }
    }
    result.differences = try pack.compare(with: root, selection: selection, jobs: reading.jobs)
  }

  private func show(_ result: Result, _ console: Console) throws(CommandError) {
    let report = result.report
    let name = result.path.shown
    for problem in report.problems {
      console.note("\(name): error: \(problem) [\(problem.reason.rawValue)]")
    }
    if report.furtherProblems > 0 {
      console.note("\(name): error: \(counted(report.furtherProblems, "more problem"))")
    }
    for warning in report.warnings {
      console.note("\(name): warning: \(warning) [\(warning.reason.rawValue)]")
    }
    console.note(report.manifestFindings, color)
    console.note(result.selectionFindings, color)
    let shown = result.differences.prefix(Self.mostDifferences)
    for difference in shown { console.note("\(name): error: \(difference)") }
    let more = result.differences.count - shown.count
    if more > 0, let against {
      console.note(
        "\(name): error: \(counted(more, "more difference")); is '\(against)' the source root?")
    }
    if result.isSound, !isQuiet {
      try console.write(
        "\(name): OK: \(counted(report.files, "file")), \(byteCount(report.fileBytes))"
          + (against.map { ", identical to '\($0)'" } ?? result.unchecked) + "\n")
    }
  }

  /// The maximum number of differences that are shown as text.
  private static let mostDifferences = 20
}

extension Verify.Result {
  /// What could not be checked.
  fileprivate var unchecked: String {
    guard let container = report.pack?.container else { return "" }
    if container.kind == .bare {
      return ", but the stream has no checksum; --against compares the contents"
    }
    let count = container.blocksWithoutChecksum
    if count == 0 { return "" }
    let verb = count == 1 ? "has" : "have"
    return ", but \(grouped(count)) of \(counted(container.blocks, "block")) \(verb) no checksum; "
      + "--against compares the contents"
  }

  fileprivate var json: JSONValue {
    var members = path.members("pack")
    members += [
      JSONMember("isSound", JSONValue(.bool(isSound))),
      JSONMember("entries", JSONValue(report.entries)),
      JSONMember("files", JSONValue(report.files)),
      JSONMember("bytes", JSONValue(report.fileBytes)),
      JSONMember("problems", JSONValue(.array(report.problems.map(\.json)))),
      JSONMember("furtherProblems", JSONValue(report.furtherProblems)),
      JSONMember("warnings", JSONValue(.array(report.warnings.map(\.json)))),
      JSONMember("manifestFindings", report.manifestFindings.json),
    ]
    if let container = report.pack?.container {
      members += [
        JSONMember("blocks", JSONValue(container.blocks)),
        JSONMember("blocksWithoutChecksum", JSONValue(container.blocksWithoutChecksum)),
      ]
    }
    if !selectionFindings.isEmpty {
      members.append(JSONMember("selectionFindings", selectionFindings.json))
    }
    if !differences.isEmpty {
      let list = differences.map { difference in
        let message = JSONMember("message", JSONValue(difference.description))
        return JSONValue(.object(JSONMember.named("path", difference.path.bytes) + [message]))
      }
      members.append(JSONMember("differences", JSONValue(.array(list))))
    }
    return JSONValue(.object(members))
  }
}

extension ArchiveDamage {
  /// The damage for `--format json`; unknown parts of its place have no key.
  fileprivate var json: JSONValue {
    var members = [
      JSONMember("reason", JSONValue(reason.rawValue)), JSONMember("message", JSONValue(message)),
    ]
    if let block = place.block { members.append(JSONMember("block", JSONValue(block))) }
    if let file = place.file { members.append(JSONMember("fileOffset", JSONValue(file))) }
    if let entry = place.entry { members.append(JSONMember("entry", JSONValue(entry))) }
    if let stream = place.stream { members.append(JSONMember("streamOffset", JSONValue(stream))) }
    if let path = place.path { members += JSONMember.named("path", path) }
    return JSONValue(.object(members))
  }
}
