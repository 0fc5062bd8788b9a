import BACommandLine
import BAPackCore

/// `package`: makes asset packs from manifests and a repository.
struct Package: Command {
  static let output = Option(
    "output-path", "o", name: "path", .file(["aar"]), synonym: "output-directory",
    takesStream: true,
    help: """
      Where to write: a pack, whose name must end in .aar, or a folder, for packs with the names of \
      their manifests. Missing folders are created.
      """)
  static let force = Option(
    "force", "f",
    help: "Replace existing files at the output paths, atomically.")
  static let ifChanged = Option(
    "if-changed",
    help: """
      Leave packs alone whose bytes would be the same, and replace the others. A file next to each \
      pack, with '.record' added to its name, records what it was made of, and how: without another \
      compression, the pack keeps that.
      """)
  static let depfile = Option(
    "depfile", name: "file", .file([]),
    help: "Write what each pack depends on, files and folders, to a file for build systems.")
  static let depfileFormat = Option(
    "depfile-format", name: "format", .choice(Depfile.Format.allCases.map(\.rawValue)),
    default: "ninja",
    help: "The build tool that reads it: ninja (also for CMake and Meson) or GNU make.")
  static let keepGoing = Option(
    "keep-going", "k", help: "If packs have errors, write the other ones.")
  static let dryRun = Option(
    "dry-run", "n",
    help: "Only list the packs that would be made, kept and refused; nothing is written.")
  static let prune = Option(
    "prune",
    help: """
      In a folder, remove packs with a record that no manifest makes. Without it, they are noted when \
      a folder of manifests is packaged.
      """)
  static let format = Option(
    "format", name: "format", .choice(Format.allCases.map(\.rawValue)), default: "text",
    help: """
      The output format; 'json' lists the result for each pack. 'github' prints findings as \
      annotations for GitHub Actions, appends a table of the packs to the step summary, and sets the \
      outputs 'packs', the list of 'json', and 'changed', the paths of the packs that were written, \
      each on a line.
      """)

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
      So LZFSE is the default with '--hosting apple' or, in the project file, \"hosting\": \"apple\".
      """,
    ],
    arguments: [Checking.manifests],
    options: [
      output, force, ifChanged, prune, depfile, depfileFormat, keepGoing, dryRun,
      Packing.compression, Packing.level, format, Checking.verbose, Checking.root,
      Checking.hosting, Checking.links, Checking.allowStubs, Checking.rule, Checking.project,
      PackReading.jobs,
      PackReading.noProgress, PackReading.quiet, Checking.color,
    ],
    exclusive: [[PackReading.quiet, Checking.verbose], [dryRun, format], [dryRun, depfile]],
    examples: [
      "ba-package Packs/Harbour.json -o Harbour.aar": "Make a pack.",
      "ba-package package Packs -o build": "Make the packs of all manifests in a folder.",
      "ba-package package Packs -o build --if-changed --prune --dry-run":
        "List the packs that an update of the folder would make, keep and remove.",
      "ba-package package Packs -o build --format github":
        "In GitHub Actions, make all packs, with a table in the step summary.",
      "ba-package Packs/Harbour.json -o Harbour.aar --hosting apple":
        "Make a pack for App Store Connect.",
      "ba-package Packs/Harbour.json -o Harbour.aar --force --compression zlib "
        + "--compression-level 9": "Replace a pack with a smaller one.",
    ],
    exitStatus: [
      "0": "Success; there may have been warnings.",
      "1": """
      There were errors. Packs that have errors were not written, and existing files in their \
      places are unchanged.
      """,
    ],
    synonyms: ["build", "make", "pack", "create"],
    command: { try Package($0) })

  enum Format: String, CaseIterable { case text, json, github }

  let typed: TypedArguments
  let checking: Checking
  let destination: AssetPackBuilder.Destination?
  let format: Format

  private var depfile: BytePath? { typed.path(Self.depfile) }

  init(_ typed: TypedArguments) throws {
    self.typed = typed
    let manifests = typed.paths(Checking.manifests)
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
        throw UsageError.unknownCommand("\(manifest)", of: tool)
      }
      if let row = tool.subcommand(named: manifest.bytes), row.command != nil {
        throw UsageError("the command comes first: 'ba-package \(row.name) …'")
      }
      if let folder = typed.path(Self.output), manifests.count == 1,
        (try? folder.isFolder()) == true,
        (try? FileStatus.following(manifest)) == nil
      {
        throw UsageError("there is no '\(manifest)'; did you mean '\(folder) -o \(manifest)'?")
      }
      throw UsageError.invalid(
        manifest.bytes, for: Checking.manifests,
        reason: manifest.hasExtension("aar")
          ? "it is an asset pack; use 'verify', 'list' or 'info'"
          : "the name of a manifest must end in .json")
    }
    checking = try Checking(typed)
    let output = try typed.outputTarget(Self.output, "aar", of: "an asset pack")
    if let file = output.file {
      destination = .file(file)
    } else if manifests.contains(where: \.isStandardStream) {
      throw UsageError("the manifest is standard input; name its pack with '-o'")
    } else if let folder = output.folder {
      destination = .folder(folder)
    } else {
      let project = checking.project(for: manifests)
      destination = project.outputFolder.map { .folder($0) }
      // Errors in the project file are reported when the command runs.
      if destination == nil, !project.findings.hasErrors {
        if let word = manifests.first, typed.mayBeginWithCommand, manifests.count > 1,
          Self.row.synonyms.contains("\(word)")
        {
          throw UsageError.unknownCommand("\(word)", of: tool)
        }
        throw UsageError("missing option '\(Self.output.synopsis)', for example '-o build'")
      }
    }
    format = try typed.choice(Self.format)
    let isFolder: Bool = if case .folder = destination { true } else { false }
    if typed.has(Self.prune), !isFolder || !takesFolder {
      throw UsageError("'--\(Self.prune.long)' needs a folder of manifests, and '-o' with a folder")
    }
  }

  /// Whether a folder of manifests was given, which has those of all packs.
  private var takesFolder: Bool {
    typed.paths(Checking.manifests).contains { (try? $0.isFolder()) ?? false }
  }

  /// Whether the pack goes to a pipe or a device, perhaps the standard output.
  private var writesStream: Bool {
    guard case .file(let file) = destination, let target = try? file.outputTarget() else {
      return false
    }
    return if case .file = target { false } else { true }
  }

  func run(_ console: Console) throws -> ExitCode {
    let manifests = typed.paths(Checking.manifests)
    let project = try checking.readProject(for: manifests, console)
    var app = try prepare(project)
    let findings = app.check.findings
    if format == .github {
      try GitHubStep.check(app.outputs)
      try console.write(findings.rendered(as: .github), as: .github)
    } else {
      console.tell(findings, checking.color)
    }
    if typed.has(Checking.verbose) { checking.list(app.check, of: project, console) }
    if !typed.isQuiet { Checking.tell(stubsAllowedIn: app.check, console) }
    let others = app.otherCompressions
    let origin = Packing.origin(typed, project)
    // With --force, an option says enough.
    if !others.isEmpty, !typed.isQuiet,
      typed.has(Self.ifChanged) || typed.has(Self.force) && origin == nil
    {
      let new = app.compression
      let old = Set(others.map { $0.codec == new.codec ? "\($0)" : $0.codec.rawValue }).sorted()
      let hosting = checking.hosting ?? project.hosting
      console.tell(
        "note: \(origin ?? (hosting == nil ? "the default" : "the hosting")) changes the compression of"
          + " \(counted(others.count, "pack")) from \(old.joined(separator: ", ")) to \(new)")
    }
    app.isDryRun = typed.has(Self.dryRun)
    if app.isDryRun { return try show(try app.build(work), of: app, console) }
    let dependencies = try depfile.map { _ in try app.depfile(typed.choice(Self.depfileFormat)) }
    if let first = dependencies?.unreadable.first {
      let others = Note(onOtherFiles: dependencies?.unreadable.dropFirst().map { "'\($0)'" } ?? [])
      console.tell(
        "warning: a depfile can't have the name '\(first)'\(others.map { ", " + $0.message } ?? ""), so "
          + "that each build runs this again; --\(Self.ifChanged.long) makes that quick")
    }
    let results = try make(app, console)
    if let depfile, let dependencies, results.allSatisfy(\.isMade) {
      try write(dependencies.bytes, to: depfile, replacing: true)
    }
    if format == .json { try console.write(results.json) }
    if format == .github { try GitHubStep.report(results, console) }
    for error in results.errors {
      if format == .github {
        try console.write(gitHubAnnotation(error: error), as: .github)
      } else {
        console.tell("error: \(error)")
      }
    }
    let isNoneMade = !results.contains(where: \.isMade)
    if isNoneMade, findings.hasErrors {
      console.tell("error: no pack was written: \(findings.summary)")
    } else if !isNoneMade, !typed.isQuiet, format != .json {
      for line in results.summary {
        if writesStream { console.tell(line) } else { try console.write(line + "\n") }
      }
      if checking.hosting ?? project.hosting == nil {
        console.tell(
          "note: no hosting is stated: '--hosting apple' is for App Store Connect, '--hosting self'"
            + " for your own server; \(Project.fileName) can state it")
      }
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
    guard results.allSatisfy(\.isMade) else { return .failure }
    if takesFolder {
      for line in try strays(of: app, removes: true) where !typed.isQuiet { console.tell(line) }
    }
    return .success
  }

  private func prepare(_ project: Project) throws -> AssetPackBuilder {
    var options = checking.options(of: project)
    options.outputs += [depfile].compactMap(\.self) + (format == .github ? GitHubStep.files : [])
    try Packing.addCompression(typed, project, to: &options)
    let files = try ManifestFiles(at: typed.paths(Checking.manifests))
    var app: AssetPackBuilder
    do {
      app = try AssetPackBuilder(
        of: files, to: destination, options, keepingUnchanged: typed.has(Self.ifChanged))
    } catch {
      guard case .file = destination else { throw error }
      throw PackagingError("\(error); name a folder with '-o'")
    }
    app.keepsGoing = typed.has(Self.keepGoing)
    app.modificationTime = try Packing.modificationTime()
    app.keepsCompression = Packing.origin(typed, project) == nil
    app.replacesOutput = typed.has(Self.force)
    app.renewsUnchanged =
      typed.has(Self.depfile) && typed.value(Self.depfileFormat) == Array("make".utf8)
    app.packager.findsDigests = format != .text
    app.packager.removedLeftover = tellLeftover
    return app
  }

  private func show(
    _ results: [PackResult], of app: AssetPackBuilder, _ console: Console
  ) throws -> ExitCode {
    for line in results.plan(keepsGoing: app.keepsGoing) { try console.write(line + "\n") }
    if takesFolder {
      for line in try strays(of: app, removes: false) { try console.write(line + "\n") }
    }
    for error in results.errors { console.tell("error: \(error)") }
    if !typed.isQuiet {
      console.tell("\(counted(results.count, "pack")), \(byteCount(app.size)); nothing was written")
    }
    return results.contains(where: \.isRefused) ? .failure : .success
  }

  /// A line for each pack in the output folder that no manifest makes; removes those of this program
  /// if that is asked for, and `removes`.
  private func strays(of app: AssetPackBuilder, removes: Bool) throws -> [String] {
    let strays = try app.strayPacks(findsOwn: typed.has(Self.prune))
    guard typed.has(Self.prune) else {
      guard let first = strays.first else { return [] }
      let more = strays.count > 1 ? " and \(counted(strays.count - 1, "more pack"))" : ""
      return [
        "note: no manifest makes '\(first.path)'\(more); --\(Self.prune.long) removes packs with a record"
      ]
    }
    return try strays.map { pack in
      if !pack.isOwn {
        return "note: '\(pack.path)' is left: its record is missing, or of another file"
      }
      if removes { try pack.remove() }
      return "\(pack.path)  \(removes ? "removed" : "remove")"
    }
  }

  private func make(_ app: AssetPackBuilder, _ console: Console) throws -> [PackResult] {
    Interruption.postpone()
    let progress = typed.showsProgress ? console.progress(of: app.size) : nil
    defer { progress?.erase() }
    var work = work
    if let progress { work.progress = { progress.show($0.done) } }
    return try app.build(work)
  }

  private var work: Work { Work(threads: typed.integer(PackReading.jobs) ?? Processors.available) }
}
