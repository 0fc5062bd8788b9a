import BAPackCore
import CommandLine

enum Packing {
  static let compression = Option(
    "compression", name: "algorithm", .choice(CompressionName.allCases.map(\.rawValue)),
    default: "zlib",
    help: """
      The compression algorithm; Apple's tool uses 'lzfse', and 'store' means none. \
      BA_PACKAGE_COMPRESSION and the project file set other defaults.
      """)
  /// Sets the compression if the option is missing.
  static let compressionVariable = "BA_PACKAGE_COMPRESSION"
  /// Sets the modification time of all entries.
  static let timeVariable = "SOURCE_DATE_EPOCH"
  static let level = Option(
    "compression-level", name: "level", .integer(1...9),
    default: "\(Compression.defaultLevel)",
    help: "The zlib level, from 1 (fastest) to 9 (smallest).")

  static func packager(_ typed: TypedArguments, _ project: Project) throws -> Packager {
    var packager = Packager()
    packager.compression = try compression(typed, project)
    if let jobs = typed.integer(PackReading.jobs) { packager.jobs = jobs }
    return packager
  }

  /// The compression according to the options, or else the environment, or else the project.
  static func compression(_ typed: TypedArguments, _ project: Project) throws -> Compression {
    let (algorithm, origin) = try algorithm(typed, project)
    if algorithm != .zlib, typed.has(level) {
      throw UsageError(
        "'--\(level.long)' is for zlib, but \(origin) sets '\(algorithm.rawValue)'")
    }
    switch algorithm {
    case .zlib: return .zlib(level: typed.integer(level) ?? Compression.defaultLevel)
    case .lzfse: return .lzfse
    case .store: return .store
    }
  }

  /// The algorithm, and what sets it.
  private static func algorithm(
    _ typed: TypedArguments, _ project: Project
  ) throws(UsageError) -> (CompressionName, origin: String) {
    let name = compressionVariable
    guard !typed.has(compression), let value = ProcessContext.environment(name), !value.isEmpty
    else {
      if !typed.has(compression), let algorithm = project.compression {
        return (algorithm, "'\(project.file ?? BytePath(Project.fileName.utf8))'")
      }
      return (try typed.choice(compression), "--\(compression.long)")
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
