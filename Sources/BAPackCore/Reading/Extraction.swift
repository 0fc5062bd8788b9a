/// Rebuilds the repository that packs were made of: all files below `Contents`, merged.
///
/// Each pack is read once. Its blocks are decoded in any order, by several threads. In the order of
/// the archive, one thread at a time reads the headers in them (``ExtractionScan``): names are checked
/// against the rules and each other, folders are made, existing files are found. What a block has of
/// files is then written, again by several threads (``ExtractionWriter``). All of it happens in a
/// staging folder (``ExtractionTarget``): once all packs have been read without an error, the target
/// appears whole, or gets whole files.
public struct Extraction: Sendable {
  /// Only files are extracted that match one of these, or are in a folder that does; without any, all
  /// files and folders.
  package var globs: [Glob] = []
  /// Whether everything in the archives is extracted as it is, not only what games read. Symbolic
  /// links are skipped then: no link is ever made.
  package var wholeArchives = false
  /// Whether existing files are replaced.
  public var replacesFiles = false
  /// Whether the files that are whole in damaged packs are extracted; those packs are read twice.
  package var keepsGoing = false
  /// What the archives may ask for.
  public var limits = ReadingLimits()
  /// Threads to use.
  public var jobs = Processors.available
  /// Called after each block, from any thread, with the bytes read so far of all packs.
  public var progress: @Sendable (UInt64) -> Void = { _ in }
  /// Called with each folder that a killed run had left at this target, and that was removed.
  package var removedLeftover: @Sendable (BytePath) -> Void = { _ in }

  /// An extraction of all files, with a thread for each processor.
  public init() {}

  /// Extracts the packs at `paths` into the folder at `target`, which is made if its own folder
  /// exists. A file may be in several packs when it is the same in all.
  public func run(
    _ paths: [BytePath], into target: BytePath
  ) throws(ExtractionError) -> ExtractedFiles {
    var inputs: [ArchiveInput] = []
    for path in paths {
      inputs.append(
        try mapping(ExtractionError.init, ArchiveInput(path)))
    }
    let target = try mapping(
      ExtractionError.system,
      ExtractionTarget(target, replaces: replacesFiles, removed: removedLeftover))
    do throws(ExtractionError) {
      return try extract(inputs, to: target)
    } catch {
      if case .extracted = error { throw error }
      // Whatever kept it from being removed may be over.
      if !target.removeStaging() { target.removeStaging() }
      throw error
    }
  }

  private func extract(
    _ inputs: [ArchiveInput], to target: ExtractionTarget
  ) throws(ExtractionError) -> ExtractedFiles {
    let plan = ExtractionPlan(self, inputs.map(\.path), target)
    let writer = ExtractionWriter(target)
    var packs: [Pack] = []
    var losses: [(pack: BytePath, PackLosses)] = []
    for (number, input) in inputs.enumerated() {
      let read = inputs[..<number].reduce(0) { $0 + ($1.size ?? 0) }
      var lost: PackLosses?
      if keepsGoing {
        let found = try mapping(
          ExtractionError.init, PackLosses(of: input, limits: limits, jobs: jobs))
        losses.append((input.path, found))
        lost = found
      }
      let scan = ExtractionScan(
        input, number, plan, writer, limits, without: lost?.numbers
      ) { progress(read + $0) }
      packs.append(try scan.run(jobs: jobs))
    }
    try plan.checkExisting()
    if plan.files.isEmpty, !globs.isEmpty { throw .noMatch }
    // Files that are in several packs are compared.
    _ = try mapping(ExtractionError.merging, MergedPacks(packs, plan.merger, jobs: jobs))
    if let signal = Interruption.pending { throw .interrupted(signal) }
    try target.publish(files: plan.files.map(\.path).sorted(), folders: plan.folders.sorted())
    return ExtractedFiles(
      count: plan.files.count, size: plan.files.reduce(0) { saturatingSum($0, $1.entry.size) },
      skippedLinks: plan.skippedLinks, losses: losses)
  }
}

/// What was extracted.
public struct ExtractedFiles: Sendable {
  /// Number of files.
  public let count: Int
  /// Bytes of all files.
  public let size: UInt64
  /// Symbolic links of whole archives, which are left out.
  package let skippedLinks: [PackedFile]
  /// What is not whole of each pack, if that is no error.
  package let losses: [(pack: BytePath, PackLosses)]
}
