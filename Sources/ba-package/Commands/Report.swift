import BACommandLine
import BAPackCore
import BAReports

/// `report`: shows the contents of packs and their cost, as a page, JSON or Markdown.
struct Report: Command {
  static let packs = Argument(
    "pack", .file(["aar", "json"]), isRepeating: true,
    help: """
      The packs of an app, or manifests, whose packs are then measured but not written. A folder means \
      all packs in it or, if there are none, all manifests.
      """)
  static let output = Option(
    "output-path", "o", .file(["html", "json", "md"]), takesStream: true,
    help: "The file to write. Default: standard output; a terminal gets a summary.")
  static let force = Option("force", "f", help: "Replace an existing file at the output path.")
  static let format = Option(
    "format", name: "format", .choice(Format.allCases.map(\.rawValue)),
    help: "The output format. Default: by the ending of the output (.json, .md), else 'html'.")
  static let open = Option("open", help: "Show the page that was written in the browser.")
  static let since = Option(
    "since", name: "pack", .file(["aar", "json"]), arity: .repeating,
    help: """
      Also show what changed since these packs: a pack, a manifest, a folder of them, or the JSON of an \
      earlier report. Can be given several times. Manifests are then measured with the compression of \
      these packs, if no other one is set.
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
  static let allowStubs = Option(
    "allow-stubs",
    help: """
      Count pointers of Git LFS as the files that they stand for, by the sizes and digests in them. \
      The sizes of such packs are those before compression, and contents of files are not checked.
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
      """
      Sizes for one player are the largest of any player's, on any platform and in any language, \
      unless --platform and --language name one. \(DeviceOptions.discussion)
      """,
      """
      Devices load whole packs: if one file changes, players download its whole pack again.
      """,
    ],
    arguments: [packs],
    options: [
      output, force, open, format, since, coverage, title, rate, allowStubs,
    ] + DeviceOptions.all + [
      Checking.root, Checking.hosting, Checking.rule, Checking.project,
      Packing.compression,
      Packing.level,
    ] + PackReading.options + [PackReading.quiet, Checking.color],
    requires: [output: [open]],
    gone: [
      "split": splitAdvice, "git": splitAdvice, "per-folder": splitAdvice, "per-file": splitAdvice,
      "output-directory": splitAdvice,
    ],
    examples: [
      "ba-package report build -o report.html": "Show all packs in a folder.",
      "ba-package report Packs --coverage . -o report.html":
        "Measure the packs of all manifests, and list files in no pack.",
      "ba-package report build --since released --format markdown":
        "Show what an update changes and what players download, for a pull request.",
    ],
    exitStatus: [
      "0": "Success.",
      "1": "A pack or manifest could not be read; nothing was written.",
    ],
    synonyms: ["size", "stats"],
    command: { try Report($0) })

  private static let splitAdvice =
    "the script 'split-advice.py' reads the JSON reports of releases, and tells how to divide packs"

  enum Format: String, CaseIterable { case html, json, markdown }

  let typed: TypedArguments
  let checking: Checking

  init(_ typed: TypedArguments) throws {
    self.typed = typed
    checking = try Checking(typed)
  }

  /// Nil for the standard output.
  private var output: BytePath? {
    typed.path(Self.output).flatMap { $0.isStandardStream ? nil : $0 }
  }

  private var isForTerminal: Bool {
    output == nil && !typed.has(Self.format) && FileDescriptor.standardOutput.isTerminal
  }

  private func chosenFormat() throws -> Format {
    if typed.has(Self.format) { return try typed.choice(Self.format) }
    guard let output else { return isForTerminal ? .markdown : .html }
    if output.hasExtension("json") { return .json }
    if output.hasExtension("md") { return .markdown }
    if output.hasExtension("pdf") {
      throw UsageError.invalid(
        output.bytes, for: Self.output,
        reason: "there is no report in PDF; a browser can print the page, .html, to one")
    }
    return .html
  }

  func run(_ console: Console) throws -> ExitCode {
    let paths = typed.paths(Self.packs)
    let format = try chosenFormat()
    let reading = PackReading(typed)
    var options = AppReport.Options()
    options.coverage = typed.path(Self.coverage)
    options.limits = reading.limits
    options.jobs = reading.jobs
    options.hashesAll = format == .json
    let project = try checking.readProject(for: paths, console)
    options.check = checking.options(of: project)
    options.check.policy.readsPointers = typed.has(Self.allowStubs)
    options.device = try DeviceOptions(typed).device(of: project) ?? Device()
    if Packing.origin(typed, project) != nil {
      try Packing.addCompression(typed, project, to: &options.check)
      options.compression = options.check.compression
    }
    let refused = { (findings: [Finding]) in console.tell(findings, checking.color) }
    var report = try DeviceOptions.explaining {
      try AppReport(of: paths, since: typed.paths(Self.since), options, refused: refused)
    }
    if let title = try typed.text(Self.title) {
      report.title = title
    } else if format == .html {
      report.title += try project.folderName().map { " of \($0)" } ?? ""
    }
    if typed.has(Self.rate) { report.rates = typed.integers(Self.rate) }
    for pack in report.packs {
      if let remark = pack.remark { console.tell("warning: '\(pack.path)': \(remark)") }
    }
    guard let output else {
      if format == .markdown {
        guard isForTerminal else {
          try console.write(report.markdown)
          return .success
        }
        // Tables are cut to the width.
        let lines = report.text(width: console.width).split(
          separator: "\n", omittingEmptySubsequences: false)
        for line in lines.dropLast() {
          try console.write(
            line.count > console.width ? wrap(String(line), to: console.width) : line + "\n")
        }
        console.tell("note: '-o report.html' writes the page")
      } else {
        try send(report, as: format, console) { try console.write($0) }
      }
      return .success
    }
    try compare(
      [output], withInputs: report.inputs + [project.file], filesOf: report.selections)
    Interruption.postpone()
    try makingFolder(of: output) {
      let file = try AtomicOutput(output, replacing: typed.has(Self.force), removed: tellLeftover)
      try send(report, as: format, console) { try file.write($0) }
      try file.publish()
    }
    if typed.has(Self.open) { try output.openInBrowser() }
    if typed.isQuiet { return .success }
    console.tell(
      "\(output): \(counted(report.packs.count, "pack")), "
        + "\(counted(report.fileCount, "file")), "
        + (report.largestDownload.player.words().map {
          "up to \(byteCount(report.downloadSize)) to download, \($0)"
        } ?? "\(byteCount(report.downloadSize)) to download")
        + (report.losses.isEmpty ? "" : "; for old builds \(report.losses.summary)")
        + (report.findings.summary == "no findings" ? "" : "; check: \(report.findings.summary)"))
    return .success
  }

  private func send(
    _ report: AppReport, as format: Format, _ console: Console,
    to receive: ([UInt8]) throws -> Void
  ) throws {
    switch format {
    case .html: try report.writePage(to: receive)
    case .json:
      var size = 0
      try JSONWriter.write(report.json(includingHashes: true)) { bytes in
        try receive(bytes)
        size += bytes.count
      }
      let maximum = PackIndex.maximumReportSize
      if size > maximum / 4 * 3 {
        console.tell(
          "warning: the report has \(byteCount(UInt64(size))), and one of more than "
            + "\(byteCount(UInt64(maximum))) can't be read again; write one for each half of the packs"
        )
      }
    case .markdown: try receive(Array(report.markdown.utf8))
    }
  }
}

extension BytePath {
  /// Passes the file to the desktop, which need not answer.
  fileprivate func openInBrowser() throws {
    func path(_ names: String...) -> [UInt8]? {
      names.lazy.flatMap(ProcessContext.paths(ofProgram:)).first {
        (try? FileStatus.following(BytePath($0)))?.isExecutable == true
      }
    }
    guard let shell = path("sh"), let program = path("xdg-open", "open") else {
      throw PackagingError("'\(self)' was written, but there is no 'xdg-open' or 'open' to show it")
    }
    let variables =
      ProcessContext.userVariables + ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"]
      + ["XDG_RUNTIME_DIR", "XDG_CURRENT_DESKTOP", "DBUS_SESSION_BUS_ADDRESS", "XAUTHORITY"]
    let environment = variables.unique().compactMap { name in
      ProcessContext.environment(name).map { Array("\(name)=".utf8) + $0 }
    }
    let script = #""$1" "$2" </dev/null >/dev/null 2>&1 &"#
    _ = try? ChildProcess.output(
      of: [shell] + ["-c", script, "sh"].map { Array($0.utf8) } + [program, resolved().bytes],
      environment, within: .seconds(5), limit: 1 << 16)
  }
}
