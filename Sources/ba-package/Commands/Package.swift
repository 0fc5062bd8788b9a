import BAPackCore
import CommandLine

/// `package`: makes asset packs from manifests and a repository.
struct Package: Command {
  static let manifests = Argument(
    "manifest", .file(["json"]), isRepeating: true,
    help: """
      The manifests of the packs, or folders with manifests: all files in a folder whose names end \
      in .json; '-' means standard input.
      """)
  static let output = Option(
    "output-path", "o", .file(["aar"]),
    help: "The asset pack to write, if there is one manifest; its name must end in .aar.")
  static let outputFolder = Option(
    "output-directory", name: "dir", .directory,
    help: """
      The folder to write packs to, each with the name of its manifest; it is created if it is \
      missing.
      """)
  static let force = Option(
    "force", "f",
    help: """
      Replace existing files at the output paths, atomically. Those with the same bytes are left \
      alone, except with '--depfile-format make', since make compares times.
      """)
  static let ifChanged = Option(
    "if-changed",
    help: """
      Leave packs alone whose bytes would be the same, and replace the others. A file next to each \
      pack, with '.record' added to its name, records what it was made of.
      """)
  static let depfile = Option(
    "depfile", name: "file", .file([]),
    help: """
      Write the manifests, files and folders that each pack depends on to a file for the build \
      system.
      """)
  static let depfileFormat = Option(
    "depfile-format", name: "format", .choice(Depfile.Format.allCases.map(\.rawValue)),
    default: "ninja",
    help: "What reads the depfile: ninja, also with CMake and Meson, or GNU make.")
  static let keepGoing = Option(
    "keep-going", "k", help: "If packs have errors, write the other ones.")
  static let dryRun = Option(
    "dry-run", help: "Only list the files that would be packaged; nothing is written.")
  static let format = Option(
    "format", name: "format", .choice(Format.allCases.map(\.rawValue)), default: "text",
    help: """
      The output format; 'json' lists what became of each pack. 'github' prints findings as \
      annotations for GitHub Actions, appends a table of the packs to the step summary, and sets the \
      outputs 'packs', the list of 'json', and 'changed', the paths of the packs that were written, \
      each on a line.
      """)
  static let verbose = Option("verbose", "v", help: "List the files that are packaged.")

  static let row = CommandRow(
    name: "package", overview: "Make asset packs from manifests and the files they select.",
    discussion: [
      """
      Selectors' paths are relative to --root if given, else to the manifest's sourceRoot, else to \
      the working directory. The same input gives the same bytes with any number of jobs: with LZFSE \
      or without compression on any machine, with zlib where it is the same zlib. Packs are written \
      atomically: an output path never has an incomplete file.
      """,
      """
      Several manifests are first checked together, as 'validate' does, and nothing is written if \
      there are errors. Then all packs are made at the same time, by the same threads.
      """,
      """
      Apple's tool compresses with LZFSE, and only LZFSE packs are known to have been accepted by App \
      Store Connect. Many free readers of Apple Archive can't read zlib packs of more than one block. \
      Until zlib is proven to work there, use --compression lzfse for packs that go to Apple.
      """,
    ],
    arguments: [manifests],
    options: [
      output, outputFolder, Checking.root, force, ifChanged, depfile, depfileFormat, keepGoing,
      dryRun, PackReading.jobs, Packing.compression, Packing.level, Checking.hosting,
      Checking.links, Checking.allowStubs,
      Checking.rule, format, PackReading.noProgress, PackReading.quiet, verbose, Checking.color,
    ],
    exclusive: [
      [output, outputFolder], [PackReading.quiet, verbose], [dryRun, format], [dryRun, depfile],
    ],
    examples: [
      Example("ba-package Packs/Harbour.json -o Harbour.aar", "Make a pack."),
      Example(
        "ba-package package Packs --output-directory build",
        "Make the packs of all manifests in a folder."),
      Example(
        "ba-package package Packs/Harbour.json --dry-run",
        "List the files that a pack would contain."),
      Example(
        "ba-package package Packs --output-directory build --format github",
        "In GitHub Actions, make all packs, with a table in the step summary."),
      Example(
        "ba-package Packs/Harbour.json -o Harbour.aar --force --compression-level 9",
        "Replace a pack with a smaller one."),
      Example(
        "ba-package Packs/Harbour.json -o Harbour.aar --force --compression lzfse",
        "Replace a pack with one for App Store Connect."),
    ],
    exitStatus: [
      ExitStatus("0", "Success; there may have been warnings."),
      ExitStatus(
        "1",
        """
        There were errors. Packs that have errors were not written, and existing files in their \
        places are unchanged.
        """),
    ],
    command: { try Package($0) })

  enum Format: String, CaseIterable { case text, json, github }

  let typed: TypedArguments
  let checking: Checking
  let destination: AssetPackBuilder.Destination?
  let packager: Packager
  let format: Format

  private var isDryRun: Bool { typed.has(Self.dryRun) }
  private var isVerbose: Bool { typed.has(Self.verbose) }
  private var depfile: BytePath? { typed.path(Self.depfile) }

  init(_ typed: TypedArguments) throws(UsageError) {
    self.typed = typed
    let manifests = typed.paths(Self.manifests)
    for manifest in manifests
    where !manifest.hasExtension("json") && !manifest.isStandardStream {
      // If the status can't be read, reading the file will fail.
      if (try? manifest.isFolder()) ?? true { continue }
      if manifest.hasExtension("aar"), !typed.has(Self.output) {
        throw UsageError("unexpected argument '\(manifest)'; did you mean '-o \(manifest)'?")
      }
      // A word without a dot or a slash is probably a mistyped command.
      if typed.mayBeginWithCommand, manifest.bytes == manifests.first?.bytes,
        !manifest.bytes.contains(ASCII.dot), !manifest.bytes.contains(ASCII.slash)
      {
        throw .unknownCommand("\(manifest)", of: tool)
      }
      throw .invalid(
        manifest.bytes, for: Self.manifests, reason: "the name of a manifest must end in .json")
    }
    checking = try Checking(typed)
    let isDryRun = typed.has(Self.dryRun)
    if let output = try typed.output(Self.output, "aar", of: "an asset pack") {
      destination = .file(output)
    } else if manifests.contains(where: \.isStandardStream), !isDryRun {
      throw UsageError("the manifest is standard input; name its pack with '-o'")
    } else if let folder = typed.path(Self.outputFolder) {
      destination = .folder(folder)
    } else if isDryRun {
      destination = nil
    } else {
      let project = checking.project(for: manifests)
      if let folder = project.value.outputFolder {
        destination = .folder(folder)
      } else if project.findings.hasErrors {
        // They are reported when the command runs.
        destination = nil
      } else {
        let isOne = manifests.count == 1 && manifests[0].hasExtension("json")
        throw .missing(isOne ? Self.output : Self.outputFolder)
      }
    }
    format = try typed.choice(Self.format)
    var packager = try Packing.packager(typed)
    packager.replacesOutput = typed.has(Self.force)
    packager.renewsOutput =
      typed.has(Self.depfile) && typed.value(Self.depfileFormat) == Array("make".utf8)
    packager.findsDigests = format != .text
    self.packager = packager
  }

  func run(_ console: Console) throws -> ExitCode {
    let (app, projectFile) = try prepare(console)
    let findings = app.check.findings
    if format == .github {
      try GitHubStep.check(app.outputs)
      try console.write(findings.rendered(as: .github), as: .github)
    } else {
      console.note(findings, checking.color)
    }
    guard !isDryRun else { return try list(app, console) }
    if isVerbose {
      for (manifest, check) in zip(app.check.manifests, app.check.checks) {
        if app.check.manifests.count > 1 { console.note("\(manifest):") }
        for file in check.pack?.selection?.files ?? [] { console.note(file.line) }
      }
    }
    // Errors that would prevent writing it are reported before anything is written.
    if let depfile { try AtomicOutput.checkFolder(of: depfile) }
    try app.compareOutputs(
      and: [depfile].compactMap(\.self) + (format == .github ? GitHubStep.files : []),
      inputs: [projectFile].compactMap(\.self))
    let dependencies = try depfile.map {
      ($0, try app.depfile(typed.choice(Self.depfileFormat)))
    }
    let results = try make(app, console)
    if let dependencies, results.allSatisfy(\.isMade) {
      try write(dependencies.1, to: dependencies.0, replacing: true)
    }
    if format == .json { try console.write(results.json) }
    if format == .github { try GitHubStep.report(results, console) }
    for case .failed(let error) in results.map(\.state) {
      // It affects all packs, and is reported last.
      if error is Interrupted { continue }
      console.note("error: \(words(for: error))")
    }
    let isNoneMade = !results.contains(where: \.isMade)
    if isNoneMade, findings.hasErrors {
      console.note("error: no pack was written: \(findings.summary)")
    } else if !isNoneMade, !typed.isQuiet, format != .json {
      for line in results.summary { console.note(line) }
    }
    // A signal that arrives after everything was written has no effect.
    if !results.allSatisfy(\.isMade) {
      let made = results.filter(\.isMade).map { "'\($0.output)'" }
      try Interrupted.check(
        made.isEmpty
          ? "nothing was written"
          : "\(made.count) of \(counted(results.count, "pack")) were written: "
            + made.joined(separator: ", "))
    }
    return results.allSatisfy(\.isMade) ? .success : .failure
  }

  private func prepare(_ console: Console) throws -> (AssetPackBuilder, BytePath?) {
    let manifests = typed.paths(Self.manifests)
    let project = try checking.readProject(for: manifests, console)
    if isVerbose, project.isElsewhere, let file = project.file {
      console.note("project file: \(file)")
    }
    var options = checking.options(of: project)
    if let depfile { options.outputs.append(depfile) }
    let files = try ManifestFiles(at: manifests)
    do {
      let app = try AssetPackBuilder(
        of: files, to: destination, options, keepingUnchanged: typed.has(Self.ifChanged))
      return (app, project.file)
    } catch {
      guard case .file = destination else { throw error }
      throw PackagingError("\(error); use --\(Self.outputFolder.long)")
    }
  }

  private func list(_ app: AssetPackBuilder, _ console: Console) throws -> ExitCode {
    let check = app.check
    let selections = app.selections
    if check.findings.hasErrors, !typed.has(Self.keepGoing) || selections.isEmpty {
      console.note("error: no pack was written: \(check.findings.summary)")
      return .failure
    }
    for (number, pack) in selections.enumerated() {
      if check.manifests.count > 1 {
        try console.write((number > 0 ? "\n" : "") + "\(pack.manifest):\n")
      }
      for file in pack.selection.files { try console.write(file.line + "\n") }
    }
    if !typed.isQuiet {
      let packs = check.manifests.count > 1 ? "\(counted(selections.count, "pack")), " : ""
      let files = selections.reduce(0) { $0 + $1.selection.files.count }
      console.note("\(packs)\(counted(files, "file")), \(byteCount(app.size)); nothing was written")
    }
    return check.findings.hasErrors ? .failure : .success
  }

  private func make(_ app: AssetPackBuilder, _ console: Console) throws -> [PackResult] {
    Interruption.postpone()
    var app = app
    app.keepsGoing = typed.has(Self.keepGoing)
    app.modificationTime = try Packing.modificationTime()
    app.packager = packager
    app.packager.removedLeftover = noteLeftover
    let progress = typed.showsProgress ? console.progress(of: app.size) : nil
    if let progress { app.packager.progress = { progress.show($0) } }
    defer { progress?.erase() }
    return try app.build()
  }
}
