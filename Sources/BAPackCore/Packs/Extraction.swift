/// Restores the repository that packs were made from: all files in `Contents`, merged.
///
/// Each pack is read once. Its blocks are decoded in any order, by several threads. In the order of
/// the archive, one thread at a time reads the headers (`ExtractionScan`): it checks names
/// against the rules and each other, creates folders, and finds existing files. The files' bytes
/// are then written by several threads again (`ExtractionWriter`). All of this happens in a
/// staging folder (`ExtractionTarget`). Once all packs have been read without an error, the
/// target appears complete, or receives complete files.
public struct Extraction: Sendable {
  /// Extracts only files that match one of these, or are in a folder that does. If empty, extracts
  /// all files and folders.
  package var globs: [Glob] = []
  /// Whether everything in the archives is extracted, not only what apps read. Symbolic links are
  /// skipped in that case: they are never created.
  package var wholeArchives = false
  /// The device whose packs are extracted, of those given. Otherwise, all are, which must be in one
  /// language.
  public var device: Device?
  /// Whether existing files are replaced.
  public var replacesFiles = false
  /// Limits for the archives.
  public var limits = ReadingLimits()
  /// The number of threads.
  public var jobs = Processors.available
  /// Called after each block, from any thread, with the number of bytes read so far of all packs.
  public var progress: @Sendable (UInt64) -> Void = { _ in }
  /// Called with each leftover folder of a killed run for this target that was removed.
  package var removedLeftover: @Sendable (BytePath) -> Void = { _ in }

  /// An extraction of all files, with one thread per processor.
  public init() {}

  /// Extracts the packs at `paths` into the folder at `target`, which is created if its parent
  /// exists. A file may be in several packs if its contents are the same in all.
  ///
  /// - Throws: ``ArchiveDamage``; ``SystemError``; ``Interrupted``; ``PackagingError`` if files exist,
  ///   a file is a link, or packs can't be merged. The target is unchanged, except after
  ///   ``PackagingError/stopped(_:changed:)`` and ``PackagingError/extracted(_:)``.
  public func run(
    _ paths: [BytePath], into target: BytePath
  ) throws -> ExtractedFiles {
    var inputs = try paths.map { try ArchiveInput($0) }
    let language = try choose(&inputs)
    let target = try ExtractionTarget(
      target, replaces: replacesFiles, inputs: paths, removed: removedLeftover)
    do {
      return try extract(inputs, to: target, language)
    } catch {
      if case PackagingError.extracted = error { throw error }
      // The reason for the failure may be gone by the second attempt.
      if !target.removeStaging() { target.removeStaging() }
      throw error
    }
  }

  /// Removes the packs that the device doesn't have. Returns the language of those that it has.
  private func choose(_ inputs: inout [ArchiveInput]) throws -> ExtractedFiles.Choice? {
    if wholeArchives || device == nil && inputs.count == 1 { return nil }
    let packs = try inputs.map { try PackIndex.read($0, limits: limits, jobs: jobs) }
    let (chosen, language) = try (device ?? Device()).choose(among: packs)
    inputs = chosen.map { inputs[$0] }
    return language
  }

  private func extract(
    _ inputs: [ArchiveInput], to target: ExtractionTarget, _ language: ExtractedFiles.Choice?
  ) throws -> ExtractedFiles {
    let scan = ExtractionScan(self, inputs, target)
    var packs: [PackIndex] = []
    for number in inputs.indices {
      let read = inputs[..<number].size { $0.size ?? 0 }
      packs.append(try scan.read(number) { progress(read + $0) })
    }
    try scan.checkExisting()
    if scan.files.isEmpty, !globs.isEmpty { throw PackagingError.noMatch }
    // Compares files that are in several packs.
    _ = try MergedPacks(packs, scan.merger, jobs: jobs)
    try Interrupted.check()
    try target.publish(files: scan.files.map(\.path).sorted(), folders: scan.folders.sorted())
    return ExtractedFiles(
      count: scan.files.count, size: scan.files.size(\.entry.size), packs: inputs.count,
      skippedLinks: scan.skippedLinks, language: language)
  }
}

/// The result of an extraction.
public struct ExtractedFiles: Sendable {
  /// The number of files.
  public let count: Int
  /// The total size in bytes.
  public let size: UInt64
  /// The number of packs that they are from.
  public let packs: Int
  /// Symbolic links of whole archives, which were skipped.
  package let skippedLinks: [PackedFile]
  package typealias Choice = (resolved: ResolvedLanguage?, tags: [String])
  /// The language that the device has, of packs in those with the tags; nil if all were extracted.
  package let language: Choice?
}
