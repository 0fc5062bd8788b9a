import BACommandLine
import BAPackCore

/// The options shared by all commands that read packs.
struct PackReading {
  static let packs = Argument(
    "pack", .file(["aar"]), isRepeating: true,
    help: "The asset packs; a folder means all packs in it, and '-' means standard input.")
  static let limit = Option(
    "limit", name: "size", .size, default: "64GiB", isCommon: true,
    help: "The maximum uncompressed size of a pack.")
  static let limitEntries = Option(
    "limit-entries", name: "count", .integer(1...1 << 32),
    default: "\(ReadingLimits.standardEntries)", isCommon: true,
    help: "The maximum number of entries of a pack. Each takes up to 700 bytes of memory.")
  static let jobs = Option(
    "jobs", "j", name: "count", .integer(1...1024), isCommon: true,
    help: "The number of threads. Default: one for each available processor.")
  static let format = Option(
    "format", name: "format", .choice(OutputFormat.allCases.map(\.rawValue)), default: "text",
    help: "The output format.")
  static let quiet = Option("quiet", "q", help: "Print only warnings and errors.", isCommon: true)
  static let noProgress = Option("no-progress", help: "Don't show progress.", isCommon: true)
  static let options = [limit, limitEntries, jobs]
  /// The exit statuses of commands that only read packs.
  static let exitStatus: KeyValuePairs = ["0": "Success.", "1": "A pack could not be read."]

  let limits: ReadingLimits
  let jobs: Int

  init(_ typed: TypedArguments) {
    limits = ReadingLimits(
      rawSize: typed.size(Self.limit) ?? 0,
      entries: typed.integer(Self.limitEntries) ?? ReadingLimits.standardEntries)
    jobs = typed.integer(Self.jobs) ?? Processors.available
  }

  /// Reads the pack at `path`, with the digests of the file if `fileDigests`.
  func read(_ path: BytePath, fileDigests: Bool = false) throws -> PackIndex {
    try PackIndex.read(
      ArchiveInput(path, digestingPipe: fileDigests), fileDigests: fileDigests, limits: limits,
      jobs: jobs)
  }

  /// The progress of reading `paths` once; nil if it isn't shown. If the status of a file can't be
  /// read, reading it will fail.
  static func progress(of paths: [BytePath], _ console: Console) -> Progress? {
    let size = paths.size { (try? FileStatus.following($0))?.size ?? 0 }
    return size > 0 ? console.progress(of: size) : nil
  }

  func read(_ paths: [BytePath]) throws -> [PackIndex] {
    try rejectPipes(paths)
    var packs: [PackIndex] = []
    for path in paths {
      let pack = try read(path)
      guard pack.isFile else { throw PackagingError.pipe(path) }
      packs.append(pack)
    }
    return packs
  }

  /// Rejects pipes before anything is read from them. If the status of a file can't be read, reading
  /// it will fail.
  func rejectPipes(_ paths: [BytePath]) throws {
    for path in paths {
      let kind = path.isStandardStream ? .fifo : (try? FileStatus.following(path))?.kind
      if kind == .fifo { throw PackagingError.pipe(path) }
    }
  }
}

enum OutputFormat: String, CaseIterable { case text, json }

extension TypedArguments {
  func packs() throws -> [BytePath] {
    try PackOrManifest.packs(at: paths(PackReading.packs))
  }

  /// The file or the folder to write: `-`, a pipe or a device, and a name with the extension of
  /// `thing` is that of a file; a name without any, or with a slash at the end, that of a folder.
  func outputTarget(
    _ option: Option, _ fileExtension: String, of thing: String
  ) throws(UsageError) -> (file: BytePath?, folder: BytePath?) {
    guard var output = path(option) else { return (nil, nil) }
    if output.isStandardStream { output = "/dev/stdout" }
    // A folder, for example, has no target.
    let target = try? output.outputTarget()
    let isFile = if case .file? = target { true } else { target == nil }
    if !isFile || output.hasExtension(fileExtension) { return (output, nil) }
    let isFolder = (try? output.isFolder()) ?? false
    if isFolder || output.bytes.last == ASCII.slash || !output.name.contains(ASCII.dot) {
      return (nil, output)
    }
    throw .invalid(
      output.bytes, for: option,
      reason:
        "the name of \(thing) must end in .\(fileExtension), that of a new folder in a slash")
  }

  func languageTags(_ option: Option) throws -> [String] {
    try values(option) { value in
      let tag = String(decoding: value, as: UTF8.self)
      if isLanguageTag(tag) { return tag }
      throw PackagingError("not a language tag such as 'de', 'pt-BR' or 'zh-Hant'")
    }
  }

  func format() throws(UsageError) -> OutputFormat { try choice(PackReading.format) }
  var isQuiet: Bool { has(PackReading.quiet) }
  var showsProgress: Bool { !isQuiet && !has(PackReading.noProgress) }
}
