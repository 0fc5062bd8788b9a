import BAPackCore
import CommandLine

/// The options that the bytes of packs depend on.
enum Packing {
  static let compression = Option(
    "compression", name: "algorithm", .choice(Algorithm.allCases.map(\.rawValue)), default: "zlib",
    help: """
      The compression algorithm; Apple's tool uses 'lzfse', and 'store' means none. \
      BA_PACKAGE_COMPRESSION sets another default.
      """)
  /// Sets the compression if the option is missing.
  static let compressionVariable = Program.EnvironmentVariable(
    "BA_PACKAGE_COMPRESSION",
    "The compression algorithm of packs unless --compression is given: zlib, lzfse or store.")
  static let level = Option(
    "compression-level", name: "level", .integer(1...9),
    default: "\(Compression.defaultLevel)",
    help: "The zlib level, from 1 (fastest) to 9 (smallest).")

  /// The values of `--compression`.
  enum Algorithm: String, CaseIterable { case zlib, lzfse, store }

  static func packager(_ typed: TypedArguments) throws(UsageError) -> Packager {
    var packager = Packager()
    packager.compression = try compression(typed)
    if let jobs = typed.integer(PackReading.jobs) { packager.jobs = jobs }
    return packager
  }

  /// The compression according to the options, or else the environment.
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

  /// The algorithm in the option, or else in the environment.
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

  /// The modification time of all entries.
  static func modificationTime() throws -> Int64 {
    let name = "SOURCE_DATE_EPOCH"
    guard let value = ProcessContext.environment(name), !value.isEmpty else {
      return ArchiveTime.constant.seconds
    }
    guard fits(value, .integer(0...Int(Int32.max) * 1000)),
      let seconds = Int64(String(decoding: value, as: UTF8.self))
    else {
      throw PackagingError(
        "\(name) must be a number of seconds since 1970, not '\(printable(value))'")
    }
    return seconds
  }
}
