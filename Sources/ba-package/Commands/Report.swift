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
    "output-path", "o", .file(["html", "json", "md"]),
    help: "The file to write. Default: standard output; a terminal gets a summary.")
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
  static let split = Option(
    "split", name: "count", .integer(1...1000),
    help: """
      Propose at most this many packs with which players would have downloaded less. The arguments \
      are then releases, in order: JSON reports, or folders of packs or manifests.
      """)
  static let git = Option(
    "git", name: "commit", .text, arity: .repeating,
    help: """
      With --split, take the releases from commits of the manifests' Git repository, without a \
      checkout: give each in order, for example its tag. Sizes are those before compression.
      """)
  static let perFolder = Option(
    "per-folder", help: "With --split, keep the files of each folder together. This is the default."
  )
  static let perFile = Option(
    "per-file", help: "With --split, divide folders, too. The manifests become longer.")
  static let allowStubs = Option(
    "allow-stubs",
    help: """
      Count pointers of Git LFS as the files that they stand for, by the sizes and digests in them. \
      The sizes of such packs are those before compression, and contents of files are not checked.
      """)
  static let outputDirectory = Option(
    "output-directory", name: "dir", .directory,
    help: """
      With --split, write the manifests of the proposed packs to this folder; with --root, they are \
      checked with its files.
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
      Devices load whole packs: if one file changes, players download its whole pack again. With \
      --split, the report shows what the updates between the given releases cost, and proposes packs \
      that keep apart what changes often, never mixing policies, platforms or languages. The past \
      need not repeat.
      """,
    ],
    arguments: [packs],
    options: [
      output, force, format, since, coverage, title, rate, split, git, perFolder, perFile,
      outputDirectory, allowStubs,
    ] + DeviceOptions.all + [
      Checking.root, Checking.hosting, Checking.rule, Checking.project,
      Packing.compression,
      Packing.level,
    ] + PackReading.options + [PackReading.quiet, Checking.color],
    exclusive: [
      [perFolder, perFile], [split, since], [split, coverage], [split, DeviceOptions.language],
      [split, DeviceOptions.also],
    ],
    requires: [split: [git, perFolder, perFile, outputDirectory]],
    examples: [
      "ba-package report build -o report.html": "Show all packs in a folder.",
      "ba-package report Packs --coverage . -o report.html":
        "Measure the packs of all manifests, and list files in no pack.",
      "ba-package report build --since released --format markdown":
        "Show what an update changes and what players download, for a pull request.",
      "ba-package report --split 8 1.0.json 1.1.json 1.2.json -o split.html":
        "Propose packs from the JSON reports of three releases.",
      "ba-package report --split 8 Packs --git v1.0 --git v1.1 --git v1.2 -o split.html":
        "The same from the history of a repository.",
    ],
    exitStatus: [
      "0": "Success.",
      "1": "A pack or manifest could not be read; nothing was written.",
    ],
    command: { try Report($0) })

  enum Format: String, CaseIterable { case html, json, markdown }

  let typed: TypedArguments
  let checking: Checking

  init(_ typed: TypedArguments) throws {
    self.typed = typed
    checking = try Checking(typed)
    let releases = typed.has(Self.git) ? typed.values(Self.git) : typed.values(Self.packs)
    if typed.has(Self.split), releases.count < 2 {
      throw UsageError("'--\(Self.split.long)' needs at least two releases")
    }
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
    if try Packing.origin(typed, project) != nil {
      options.compression = try Packing.compression(typed, project, options.check)
    }
    let refused = { (findings: [Finding]) in console.note(findings, checking.color) }
    var report = try DeviceOptions.explaining { try gather(paths, options, refused) }
    if let title = try typed.text(Self.title) {
      report.title = title
    } else if format == .html {
      report.title += try project.folderName().map { " of \($0)" } ?? ""
    }
    if typed.has(Self.rate) { report.rates = typed.integers(Self.rate) }
    for pack in report.packs {
      if let remark = pack.remark { console.note("warning: '\(pack.path)': \(remark)") }
    }
    if let split = report.split, let folder = typed.path(Self.outputDirectory) {
      try write(split, into: folder, project, console)
    }
    if let first = report.ignoredLinks.first {
      console.note(
        "warning: \(counted(report.ignoredLinks.count, "symbolic link")) in commits, such as "
          + "'\(first)', ignored")
    }
    guard let output else {
      if format == .markdown {
        try console.write(report.markdown)
        if isForTerminal { console.note("note: '-o report.html' writes the page") }
      } else {
        try send(report, as: format, console) { try console.write($0) }
      }
      return .success
    }
    try compare(
      [output], withInputs: report.inputs + [project.file], filesOf: report.selections)
    Interruption.postpone()
    try makingFolder(of: output) {
      let file = try AtomicOutput(output, replacing: typed.has(Self.force), removed: noteLeftover)
      try send(report, as: format, console) { try file.write($0) }
      try file.publish()
    }
    if typed.isQuiet { return .success }
    console.note(
      "\(output): \(counted(report.packs.count, "pack")), "
        + "\(counted(report.fileCount, "file")), "
        + (report.largestDownload.player.words().map {
          "up to \(byteCount(report.downloadSize)) to download, \($0)"
        } ?? "\(byteCount(report.downloadSize)) to download")
        + (report.losses.isEmpty ? "" : "; for old builds \(report.losses.summary)"))
    return .success
  }

  private func gather(
    _ paths: [BytePath], _ options: AppReport.Options, _ refused: ([Finding]) -> Void
  ) throws -> AppReport {
    guard let maximum = typed.integer(Self.split) else {
      return try AppReport(of: paths, since: typed.paths(Self.since), options, refused: refused)
    }
    let granularity = typed.has(Self.perFile) ? PackSplit.Granularity.file : .folder
    let commits = typed.values(Self.git).map { String(decoding: $0, as: UTF8.self) }
    if commits.isEmpty {
      return try AppReport(
        ofReleases: paths, maximum: maximum, granularity, options, refused: refused)
    }
    return try AppReport(
      ofCommits: commits, manifests: paths, maximum: maximum, granularity, options, refused: refused
    )
  }

  /// Writes the manifests of the proposed packs. With a root, they exclude files that are in no pack
  /// today.
  private func write(
    _ split: PackSplit, into folder: BytePath, _ project: Project, _ console: Console
  ) throws {
    if split.packs.isEmpty { return console.note("no manifest was written: there is no proposal") }
    let root = checking.root
    let sourceRoot = try root.map { root in
      guard let path = try root.relative(toFolderToBeMade: folder) else {
        throw PackagingError("the path of '\(root)' is not UTF-8, as manifests require")
      }
      return path
    }
    let paths = split.packs.map { folder.manifest(of: $0.name) }
    var manifests = try split.manifests(sourceRoot: sourceRoot)
    if root != nil {
      func check() -> [ManifestCheck] {
        zip(paths, manifests).map { path, text in
          ManifestCheck(ofNew: text, at: path, checking.options(of: project))
        }
      }
      var exclusions: [Int: [RelativePath]] = [:]
      for (index, check) in check().enumerated() {
        let known = Set(split.packs[index].files)
        exclusions[index] = check.pack?.selection?.files.map(\.source)
          .filter { !known.contains($0) }
      }
      manifests = try split.manifests(sourceRoot: sourceRoot, excluding: exclusions)
      let findings = check().flatMap(\.findings)
      console.note(findings, checking.color)
      if findings.hasErrors { throw PackagingError("no manifest was written: \(findings.summary)") }
    }
    try writeManifests(
      zip(split.packs, manifests).map { pack, text in
        (pack.name, text, "\(counted(pack.files.count, "file")), \(byteCount(pack.size))")
      }, into: folder, replacing: typed.has(Self.force), withInputs: [], console)
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
        console.note(
          "warning: the report has \(byteCount(UInt64(size))), and one of more than "
            + "\(byteCount(UInt64(maximum))) can't be read again; write one for each half of the packs"
        )
      }
    case .markdown: try receive(Array(report.markdown.utf8))
    }
  }
}
