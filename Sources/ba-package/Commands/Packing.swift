import BAPackCore
import CommandLine

enum Packing {
  static let compression = Option(
    "compression", name: "algorithm", .choice(CompressionName.allCases.map(\.rawValue)),
    help: """
      The compression algorithm; Apple's tool uses 'lzfse', and 'store' means none. Default: \
      BA_PACKAGE_COMPRESSION, or else that of the project file, or else 'lzfse' with hosting 'apple' \
      and 'zlib' without.
      """)
  /// Sets the compression if the option is missing.
  static let compressionVariable = "BA_PACKAGE_COMPRESSION"
  /// Sets the modification time of all entries.
  static let timeVariable = "SOURCE_DATE_EPOCH"
  static let level = Option(
    "compression-level", name: "level", .integer(1...9),
    default: "\(Compression.defaultLevel)",
    help: "The zlib level, from 1 (fastest) to 9 (smallest).")

  static func packager(
    _ typed: TypedArguments, _ project: Project, _ options: ManifestCheck.Options
  ) throws -> Packager {
    var packager = Packager()
    packager.compression = try compression(typed, project, options)
    if let jobs = typed.integer(PackReading.jobs) { packager.jobs = jobs }
    return packager
  }

  /// The compression according to the options, or else the environment, or else the project, or else
  /// the hosting.
  static func compression(
    _ typed: TypedArguments, _ project: Project, _ options: ManifestCheck.Options
  ) throws -> Compression {
    let stated = try algorithm(typed, project)
    var compression = options.defaultCompression
    switch stated?.name {
    case .zlib: compression = .zlib(level: Compression.defaultLevel)
    case .lzfse: compression = .lzfse
    case .store: compression = .store
    case nil: break
    }
    guard typed.has(Self.level), let level = typed.integer(Self.level) else { return compression }
    guard case .zlib = compression else {
      throw UsageError(
        "'--\(Self.level.long)' is for zlib, but \(stated?.origin ?? "hosting 'apple'") sets"
          + " '\(stated?.name.rawValue ?? "lzfse")'")
    }
    return .zlib(level: level)
  }

  /// What states the compression; nil if only the hosting does.
  static func origin(_ typed: TypedArguments, _ project: Project) throws -> String? {
    try algorithm(typed, project)?.origin ?? (typed.has(level) ? "--\(level.long)" : nil)
  }

  /// The algorithm that is stated, and what states it; nil if none is.
  private static func algorithm(
    _ typed: TypedArguments, _ project: Project
  ) throws(UsageError) -> (name: CompressionName, origin: String)? {
    if typed.has(compression) { return (try typed.choice(compression), "--\(compression.long)") }
    let name = compressionVariable
    guard let value = ProcessContext.environment(name), !value.isEmpty else {
      return project.compression.map {
        ($0, "'\(project.file ?? BytePath(Project.fileName.utf8))'")
      }
    }
    guard let algorithm = CompressionName(rawValue: String(decoding: value, as: UTF8.self)) else {
      throw UsageError(
        "invalid value '\(printable(value))' of the environment variable \(name): expected 'zlib', "
          + "'lzfse' or 'store'")
    }
    return (algorithm, name)
  }

  /// The modification time of all entries.
  static func modificationTime() throws -> Int64 {
    guard let value = ProcessContext.environment(timeVariable), !value.isEmpty else {
      return ArchiveTime.constant.seconds
    }
    guard fits(value, .integer(0...Int(Int32.max) * 1000)),
      let seconds = Int64(String(decoding: value, as: UTF8.self))
    else {
      throw PackagingError(
        "\(timeVariable) must be a number of seconds since 1970, not '\(printable(value))'")
    }
    return seconds
  }
}
