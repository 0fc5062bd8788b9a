import BACommandLine
import BAPackCore

enum Packing {
  static let compression = Option(
    "compression", name: "algorithm", .choice(Codec.allCases.map(\.rawValue)),
    help: """
      The compression algorithm; Apple's tool uses 'lzfse', mostly smaller than 'zlib', and 'store' \
      means none. Default: BA_PACKAGE_COMPRESSION, or else that of the project file, or else 'lzfse' \
      with hosting 'apple' and 'zlib' without.
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

  /// Sets the compression in `options`, made from `project`, according to the typed options, or else
  /// the environment. A level of the project or the environment is for its own algorithm only.
  static func addCompression(
    _ typed: TypedArguments, _ project: Project, to options: inout ManifestCheck.Options
  ) throws(UsageError) {
    if typed.has(compression) {
      (options.codec, options.compressionLevel) = (try typed.choice(compression), nil)
    } else if let value = variable {
      guard let stated = Compression(String(decoding: value, as: UTF8.self)) else {
        let names = Codec.allCases.map { "'\($0.rawValue)'" }
        throw UsageError(
          "invalid value '\(printable(value))' of the environment variable \(compressionVariable):"
            + " expected \(listed(names, "or")), or with a level, such as 'lzfse 9'")
      }
      (options.codec, options.compressionLevel) = (stated.codec, stated.level)
    }
    guard let wanted = typed.integer(level), typed.has(level) else { return }
    options.compressionLevel = wanted
    let codec = options.compression.codec
    if codec.levels?.contains(wanted) == true { return }
    throw UsageError(
      "'--\(level.long)' is for \(listed(Codec.withLevels.map(\.rawValue), "and")), but"
        + " \(codecOrigin(typed, project) ?? "the hosting") sets '\(codec.rawValue)'")
  }

  /// What states the compression or its level; nil if only the hosting does.
  static func origin(_ typed: TypedArguments, _ project: Project) -> String? {
    typed.has(level) && !typed.has(compression)
      ? "--\(level.long)" : codecOrigin(typed, project)
  }

  private static func codecOrigin(_ typed: TypedArguments, _ project: Project) -> String? {
    if typed.has(compression) { return "--\(compression.long)" }
    if variable != nil { return compressionVariable }
    guard project.codec != nil || project.compressionLevel != nil else { return nil }
    return "'\(project.file ?? BytePath(Project.fileName.utf8))'"
  }

  private static var variable: [UInt8]? {
    ProcessContext.environment(compressionVariable).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The modification time of all entries.
  static func modificationTime() throws -> Int64 {
    guard let value = ProcessContext.environment(timeVariable), !value.isEmpty else {
      return ArchiveTime.constant.seconds
    }
    guard fits(value, .integer(ArchiveTime.seconds)),
      let seconds = Int64(String(decoding: value, as: UTF8.self))
    else {
      throw PackagingError(
        "\(timeVariable) must be a number of seconds since 1970, not '\(printable(value))'")
    }
    return seconds
  }
}
