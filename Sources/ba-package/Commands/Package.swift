import BAPackCore
import CommandLine

/// `package`: makes an asset pack from a manifest and a repository.
struct Package: Command {
  static let manifest = Argument("manifest", .file(["json"]), help: "The manifest of the pack.")
  static let output = Option(
    "output-path", "o", .file(["aar"]), isRequired: true, waiver: dryRun.long,
    help: "The asset pack to write; its name must end in .aar. Not needed with --dry-run.")
  static let force = Option(
    "force", "f", help: "Replace an existing file at the output path, atomically.")
  static let dryRun = Option(
    "dry-run", help: "Only list the files that would be packaged; nothing is written.")
  static let jobs = Option(
    "jobs", "j", name: "count", .integer(1...1024),
    help: "The number of threads. Default: one for each available processor.")
  static let compression = Option(
    "compression", name: "algorithm", .choice(Algorithm.allCases.map(\.rawValue)), default: "zlib",
    help: """
      The compression algorithm; Apple's tool uses 'lzfse', and 'store' means none. \
      BA_PACKAGE_COMPRESSION sets another default.
      """)
  /// Chooses the compression where the option does not.
  static let compressionVariable = Program.EnvironmentVariable(
    "BA_PACKAGE_COMPRESSION",
    "The compression algorithm of packs unless --compression is given: zlib, lzfse or store.")
  static let level = Option(
    "compression-level", name: "level", .integer(1...9),
    default: "\(Compression.defaultLevel)",
    help: "The zlib level, from 1 (fastest) to 9 (smallest).")
  static let noProgress = Option("no-progress", help: "Don't show progress on a terminal.")
  static let quiet = Option("quiet", "q", help: "Print only warnings and errors.")
  static let verbose = Option("verbose", "v", help: "List the files that are packaged.")

  static let row = CommandRow(
    name: "package", overview: "Make an asset pack from a manifest and the files it selects.",
    discussion: [
      """
      Selectors' paths are relative to --root if given, else to the manifest's sourceRoot, else to \
      the working directory. The same input gives the same bytes, on any machine and with any number \
      of jobs. The pack is written atomically: the output path never has an incomplete file.
      """,
      """
      Apple's tool compresses with LZFSE, and only LZFSE packs are known to have been accepted by App \
      Store Connect. Many free readers of Apple Archive can't read zlib packs of more than one block. \
      Until zlib is proven to work there, use --compression lzfse for packs that go to Apple.
      """,
    ],
    arguments: [manifest],
    options: [
      output, Shared.root, force, dryRun, jobs, compression, level, Shared.hosting,
      Shared.allowStubs,
      noProgress,
      quiet, verbose, Shared.color,
    ],
    exclusive: [[quiet, verbose]],
    examples: [
      Example("ba-package Packs/Harbour.json -o Harbour.aar", "Make a pack."),
      Example(
        "ba-package package Packs/Harbour.json --dry-run",
        "List the files that it would contain."),
      Example(
        "ba-package Packs/Harbour.json -o Harbour.aar --force --compression-level 9",
        "Replace it with a smaller one."),
      Example(
        "ba-package Packs/Harbour.json -o Harbour.aar --force --compression lzfse",
        "Replace it with one for App Store Connect."),
    ],
    exitStatus: [
      ExitStatus("0", "Success; there may have been warnings."),
      ExitStatus("1", "There were errors; no pack was written, and an existing one is unchanged."),
    ],
    command: { typed throws(UsageError) in try Package(typed) })

  /// The values of `--compression`.
  enum Algorithm: String, CaseIterable { case zlib, lzfse, store }

  /// What is printed in addition to warnings and errors.
  enum Verbosity { case quiet, usual, verbose }

  let manifest: BytePath
  /// Nil only for a dry run.
  let output: BytePath?
  let isDryRun: Bool
  let root: BytePath?
  let policy: SelectionPolicy
  let hosting: Hosting
  let color: ColorChoice
  let packager: Packager
  let verbosity: Verbosity
  let showsProgress: Bool

  init(_ typed: TypedArguments) throws(UsageError) {
    manifest = typed.path(Self.manifest)
    guard manifest.hasExtension("json") else {
      throw .invalid(
        manifest.bytes, for: Self.manifest, reason: "the name of a manifest must end in .json")
    }
    output = typed.path(Self.output)
    if let output, !output.hasExtension("aar") {
      throw .invalid(
        output.bytes, for: Self.output, reason: "the name of an asset pack must end in .aar")
    }
    isDryRun = typed.has(Self.dryRun)
    root = typed.path(Shared.root)
    policy = typed.policy
    hosting = try typed.choice(Shared.hosting)
    color = try typed.choice(Shared.color)
    verbosity = typed.has(Self.quiet) ? .quiet : typed.has(Self.verbose) ? .verbose : .usual
    showsProgress = verbosity != .quiet && !typed.has(Self.noProgress)
    var packager = Packager()
    packager.compression = try Self.compression(typed)
    if let jobs = typed.integer(Self.jobs) { packager.jobs = jobs }
    packager.replacesOutput = typed.has(Self.force)
    self.packager = packager
  }

  /// How to compress: what the options say, else the environment.
  static func compression(_ typed: TypedArguments) throws(UsageError) -> Compression {
    let algorithm = try algorithm(typed)
    if algorithm != .zlib, typed.has(level) {
      let choice =
        typed.has(compression) ? "--\(compression.long) " : compressionVariable.name + "="
      throw UsageError("'--\(level.long)' can't be used with '\(choice)\(algorithm.rawValue)'")
    }
    switch algorithm {
    case .zlib: return .zlib(level: typed.integer(level) ?? Compression.defaultLevel)
    case .lzfse: return .lzfse
    case .store: return .store
    }
  }

  /// The option's choice, else that of the environment.
  private static func algorithm(_ typed: TypedArguments) throws(UsageError) -> Algorithm {
    let name = compressionVariable.name
    guard !typed.has(compression), let value = ProcessContext.environment(name), !value.isEmpty
    else { return try typed.choice(compression) }
    guard let algorithm = Algorithm(rawValue: String(decoding: value, as: UTF8.self)) else {
      throw UsageError(
        "invalid value '\(printable(value))' of the environment variable \(name): expected 'zlib', "
          + "'lzfse' or 'store'")
    }
    return algorithm
  }

  func run(_ console: Console) throws(CommandError) -> ExitCode {
    let check = ManifestCheck(
      reading: manifest,
      .init(
        hosting: hosting, root: root, rootName: "--root", output: output, policy: policy))
    console.note(check.findings, color)
    guard let pack = check.pack, let selection = pack.selection, !check.findings.hasErrors else {
      console.note("error: no pack was written: \(check.findings.summary)")
      return .failure
    }
    let summary = "\(counted(selection.files.count, "file")), \(byteCount(selection.size))"
    guard let output, !isDryRun else {
      for file in selection.files { try console.write(file.line + "\n") }
      if verbosity != .quiet { console.note("\(summary); nothing was written") }
      return .success
    }
    if verbosity == .verbose {
      for file in selection.files { console.note(file.line) }
    }
    let layout = ArchiveLayout(selection, manifest: pack.manifest, modified: try modificationTime())
    let counts = try write(layout, selection.root, output, console)
    if verbosity != .quiet {
      console.note(
        "\(output): \(summary) in, \(byteCount(counts.packed)) out"
          + ratio(of: counts.packed, to: selection.size))
    }
    return .success
  }

  /// ` (45.2%)`; empty if the archive is many times larger than its contents.
  private func ratio(of packed: UInt64, to size: UInt64) -> String {
    guard size > 0, packed / 10 < size else { return "" }
    let tenths = packed * 1000 / size
    return " (\(tenths / 10).\(tenths % 10)%)"
  }

  private func write(
    _ layout: ArchiveLayout, _ root: BytePath, _ output: BytePath, _ console: Console
  ) throws(CommandError) -> PackedCounts {
    Interruption.postpone()
    var packager = packager
    packager.removedLeftover = noteLeftover
    let progress = showsProgress ? console.progress(of: layout.size) : nil
    if let progress { packager.progress = { progress.show($0) } }
    defer { progress?.erase() }
    do throws(PackagingError) {
      return try packager.write(layout, root: root, to: output)
    } catch {
      switch error {
      case .interrupted(let signal): throw .interrupted(signal, error.description)
      case .outputExists(let path): throw .exists(path)
      default: throw .failure(error.description)
      }
    }
  }

  /// The modification time of all entries.
  private func modificationTime() throws(CommandError) -> ArchiveTime {
    let name = "SOURCE_DATE_EPOCH"
    guard let value = ProcessContext.environment(name), !value.isEmpty else { return .constant }
    guard fits(value, .integer(0...Int(Int32.max) * 1000)),
      let seconds = Int64(String(decoding: value, as: UTF8.self))
    else {
      throw .failure("\(name) must be a number of seconds since 1970, not '\(printable(value))'")
    }
    return ArchiveTime(seconds: seconds)
  }
}
