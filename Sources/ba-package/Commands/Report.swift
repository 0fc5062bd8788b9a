import BAPackCore
import CommandLine

/// `report`: shows the contents of packs and their cost, as a page, JSON or Markdown.
struct Report: Command {
  static let packs = Argument(
    "pack", .file(["aar", "json"]), isRepeating: true,
    help: """
      The packs of an app, or manifests, whose packs are then measured but not written. A folder means \
      all packs in it or, if there are none, all manifests.
      """)
  static let output = Option(
    "output-path", "o", .file(["html", "json", "md"]),
    help: "The file to write. Default: standard output.")
  static let force = Option("force", "f", help: "Replace an existing file at the output path.")
  static let format = Option(
    "format", name: "format", .choice(Format.allCases.map(\.rawValue)),
    help: """
      The output format. Default: by the name of the output file, 'json' for .json and 'markdown' for \
      .md, otherwise 'html'.
      """)
  static let since = Option(
    "since", name: "pack", .file(["aar", "json"]), arity: .repeating,
    help: """
      Also show what changed since these packs: a pack, a manifest, a folder of them, or the JSON of an \
      earlier report. Can be given several times.
      """)
  static let coverage = Option(
    "coverage", name: "dir", .directory,
    help: "Also list the files of a folder that are in none of the packs.")
  static let title = Option(
    "title", name: "text", .text,
    help: "The title. Default: one with the name of the project's folder.")
  static let rate = Option(
    "rate", name: "mbit", .integer(1...1_000_000), arity: .repeating,
    help: """
      A rate in Mbit/s for which download times are shown. Can be given several times. \
      Default: 10, 50 and 200.
      """)
  static let row = CommandRow(
    name: "report", overview: "Show what packs contain and what they cost, as a page.",
    discussion: [
      """
      The page is a single file that loads nothing: a treemap of the files, a table of the packs \
      with their download times and budgets, warnings about manifests, all files with a search, \
      and duplicates. Without JavaScript, everything but the map can be read. The formats 'json' \
      and 'markdown' have the same sizes; Markdown suits comments on pull requests.
      """,
      """
      Packs are compressed in blocks, each with parts of many files: a file's compressed size is its \
      share of the blocks that contain it.
      """,
    ],
    arguments: [packs],
    options: [
      output, force, format, since, coverage, title, rate, Checking.root, Checking.hosting,
      Checking.rule, Packing.compression, Packing.level,
    ] + PackReading.options + [Checking.color],
    examples: [
      Example("ba-package report build -o report.html", "Show all packs in a folder."),
      Example(
        "ba-package report Packs --coverage . -o report.html",
        "Measure the packs of all manifests, and list files in no pack."),
      Example(
        "ba-package report build --since released --format markdown",
        "Show what an update changes and what players download, for a pull request."),
    ],
    exitStatus: [
      ExitStatus("0", "Success."),
      ExitStatus("1", "A pack or manifest could not be read; nothing was written."),
    ],
    command: { try Report($0) })

  enum Format: String, CaseIterable { case html, json, markdown }

  let typed: TypedArguments
  let checking: Checking
  let options: AppReport.Options

  init(_ typed: TypedArguments) throws(UsageError) {
    self.typed = typed
    checking = try Checking(typed)
    let reading = try PackReading(typed)
    var options = AppReport.Options()
    options.compression = try Packing.compression(typed)
    options.root = checking.root
    options.hosting = checking.hosting
    options.coverage = typed.path(Self.coverage)
    options.limits = reading.limits
    options.jobs = reading.jobs
    self.options = options
  }

  private func chosenFormat() throws -> Format {
    if typed.has(Self.format) { return try typed.choice(Self.format) }
    let output = typed.path(Self.output)
    if output?.hasExtension("json") == true { return .json }
    return output?.hasExtension("md") == true ? .markdown : .html
  }

  func run(_ console: Console) throws -> ExitCode {
    let paths = typed.paths(Self.packs)
    let output = typed.path(Self.output)
    let format = try chosenFormat()
    if let output { try AtomicOutput.checkFolder(of: output) }
    var options = options
    options.hashesAll = format == .json
    options.project = try checking.readProject(for: paths, console)
    let refused = { (findings: [Finding]) in console.note(findings, checking.color) }
    var report = try AppReport(of: paths, options, refused: refused)
    if typed.has(Self.since) {
      try report.compare(since: typed.paths(Self.since), options, refused: refused)
    }
    if let title = try typed.text(Self.title) {
      report.title = title
    } else if format == .html {
      report.title += try options.project.folderName().map { " of \($0)" } ?? ""
    }
    if typed.has(Self.rate) { report.rates = typed.integers(Self.rate) }
    for pack in report.packs {
      if let remark = pack.remark { console.note("warning: '\(pack.path)': \(remark)") }
    }
    guard let output else {
      if format == .markdown {
        try console.write(report.markdown)
      } else {
        try send(report, as: format) { try console.write($0) }
      }
      return .success
    }
    try compare(
      [output], withInputs: report.inputs + [options.project.file], filesOf: report.selections)
    Interruption.postpone()
    let file = try AtomicOutput(output, replacing: typed.has(Self.force), removed: noteLeftover)
    try send(report, as: format) { try file.write($0) }
    try file.publish()
    console.note(
      "\(output): \(counted(report.packs.count, "pack")), \(counted(report.fileCount, "file")), "
        + "\(byteCount(report.downloadSize)) to download")
    return .success
  }

  private func send(
    _ report: AppReport, as format: Format, to receive: ([UInt8]) throws -> Void
  ) throws {
    switch format {
    case .html: try report.writePage(to: receive)
    case .json: try JSONWriter.write(report.json(includingHashes: true), to: receive)
    case .markdown: try receive(Array(report.markdown.utf8))
    }
  }
}
