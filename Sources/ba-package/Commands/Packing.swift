import BACommandLine
import BAPackCore

enum Packing {
  static let compression = Option(
    "compression", name: "algorithm", .choice(Codec.allCases.map(\.rawValue)),
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
    "compression-level", name: "level", .integer(Codec.allLevels),
    default: "\(Codec.defaultLevel)",
    help: "The level, from \(Codec.allLevels.lowerBound) (fastest) to"
      + " \(Codec.allLevels.upperBound) (smallest)."
      + Codec.allCases.filter { !$0.equalLevels.isEmpty }.map { codec in
        " \(codec.rawValue) makes the same at "
          + listed(codec.equalLevels.map { "\($0.lowerBound)-\($0.upperBound)" }, "and") + "."
      }.joined())

  static func packager(
    _ typed: TypedArguments, _ project: Project, _ options: ManifestCheck.Options
  ) throws -> Packager {
    var packager = Packager()
    packager.compression = try compression(typed, project, options)
    if let jobs = typed.integer(PackReading.jobs) { packager.jobs = jobs }
    return packager
  }

  /// The compression according to the options, or else the environment, or else the project, or else
  /// the hosting. The level of one of them is for its own algorithm only.
  static func compression(
    _ typed: TypedArguments, _ project: Project, _ options: ManifestCheck.Options
  ) throws -> Compression {
    let stated = try stated(typed, project)
    let codec = stated?.codec ?? options.defaultCompression.codec
    let level = typed.has(Self.level) ? typed.integer(Self.level) : stated?.level
    guard let compression = Compression(codec, level: level) else {
      throw UsageError(
        "'--\(Self.level.long)' is for \(listed(Codec.withLevels.map(\.rawValue), "and")), but"
          + " \(stated?.origin ?? "the hosting") sets '\(codec.rawValue)'")
    }
    return compression
  }

  /// What states the compression or its level; nil if only the hosting does.
  static func origin(_ typed: TypedArguments, _ project: Project) throws -> String? {
    typed.has(level) && !typed.has(compression)
      ? "--\(level.long)" : try stated(typed, project)?.origin
  }

  /// The compression that is stated, apart from ``level``, and what states it; nil if none is.
  private static func stated(
    _ typed: TypedArguments, _ project: Project
  ) throws(UsageError) -> (codec: Codec?, level: Int?, origin: String)? {
    if typed.has(compression) {
      return (try typed.choice(compression), nil, "--\(compression.long)")
    }
    let name = compressionVariable
    guard let value = ProcessContext.environment(name), !value.isEmpty else {
      guard project.codec != nil || project.compressionLevel != nil else { return nil }
      let file = project.file ?? BytePath(Project.fileName.utf8)
      return (project.codec, project.compressionLevel, "'\(file)'")
    }
    guard let compression = Compression(String(decoding: value, as: UTF8.self)) else {
      let names = Codec.allCases.map { "'\($0.rawValue)'" }
      throw UsageError(
        "invalid value '\(printable(value))' of the environment variable \(name): expected "
          + "\(listed(names, "or")), or with a level, such as 'lzfse 9'")
    }
    return (compression.codec, compression.level, name)
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
