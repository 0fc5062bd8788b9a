import LZFSE

/// Makes a pack: a layout becomes the blocks of a container, and those a file.
public struct Packager: Sendable {
  /// How blocks are compressed.
  public var compression = Compression.zlib(level: Compression.defaultLevel)
  /// Threads that work at once. The pack does not depend on it.
  public var jobs = Processors.available
  /// Whether an existing output is replaced.
  public var replacesOutput = false
  /// Whether an existing output with the same bytes is replaced, too, and so gets a new time.
  package var renewsOutput = false
  /// Whether the digests of blocks are found while packs are made.
  package var findsDigests = false
  /// Called after each block, in order, from any thread, with the bytes of the archive stream that
  /// are packed.
  public var progress: @Sendable (_ raw: UInt64) -> Void = { _ in }
  /// Called with each file that a killed run had left of this output, and that was removed.
  package var removedLeftover: @Sendable (BytePath) -> Void = { _ in }

  /// A packager with zlib at its default level and a thread for each processor.
  public init() {}

  /// Writes the pack with the files of `selection` and with `manifest` to `output`: whole or not at
  /// all. Every entry has the same constant time.
  public func write(
    _ selection: Selection, of manifest: Manifest, to output: BytePath
  ) throws(PackagingError) -> PackedCounts {
    try write(
      ArchiveLayout(selection, manifest: manifest, modified: .constant), root: selection.root,
      to: output)
  }

  /// Writes the pack of `layout`, whose files lie below `root`, to `output`: whole or not at all.
  package func write(
    _ layout: ArchiveLayout, root: BytePath, to output: BytePath
  ) throws(PackagingError) -> PackedCounts {
    try checkOutput(output)
    try checkManifest(layout)
    let source = try ArchiveSource(layout, root: root)
    let written = try writeContainer(of: source, to: try makeOutput(output))
    return try publish(written).counts
  }

  /// Starts the file of a pack at `output`.
  func makeOutput(_ output: BytePath) throws(PackagingError) -> AtomicOutput {
    try mapping(
      PackagingError.system,
      AtomicOutput(output, replacing: replacesOutput, removed: removedLeftover))
  }

  /// Puts a pack that was written whole in its place.
  func publish(
    _ written: consuming PackSink<AtomicOutput>
  ) throws(PackagingError) -> PublishedPack {
    // Blocks that were under way are finished, but who asked to stop expects no pack.
    if let signal = Interruption.pending { throw .interrupted(signal: signal) }
    let (counts, output) = (written.counts, written.output.destination)
    if replacesOutput, !renewsOutput, let status = written.output.equalFile(ofSize: counts.packed) {
      return PublishedPack(counts: counts, status: status, isUnchanged: true)
    }
    do throws(SystemError) {
      return PublishedPack(
        counts: counts, status: try written.output.publish(), isUnchanged: false)
    } catch {
      throw error.code == .fileExists ? .outputExists(output) : .system(error)
    }
  }

  /// Says early what publishing would refuse after all the work.
  func checkOutput(_ output: BytePath) throws(PackagingError) {
    if output.bytes.last == ASCII.slash { throw .outputIsFolder(output) }
    let status: FileStatus?
    do throws(SystemError) {
      status = try FileStatus.ifPresent(output)
      try AtomicOutput.checkFolder(of: output)
    } catch {
      throw .system(SystemError(.create, output, code: error.code))
    }
    guard let status else { return }
    if status.kind == .directory { throw .outputIsFolder(output) }
    if !replacesOutput { throw .outputExists(output) }
  }

  func checkManifest(_ layout: ArchiveLayout) throws(PackagingError) {
    guard case .file(.bytes(let manifest), _, _)? = layout.entries.last?.kind,
      manifest.count > PackFormat.maximumManifestSize
    else { return }
    throw .manifestTooLarge(manifest.count)
  }

  /// Writes the container of `source` to `output`.
  package func writeContainer<Output: PackOutput & ~Copyable>(
    of source: consuming ArchiveSource, to output: consuming Output
  ) throws(PackagingError) -> PackSink<Output> {
    let pack = try PackInWork(of: source, to: output, compression.algorithm)
    let waiting = Monitor<PackInWork<Output>?>(pack)
    try run(next: { () throws(PackagingError) in waiting.withLock { $0.take() } }) {
      (_, error) throws(PackagingError) in
      if let error { throw error }
    }
    guard let written = pack.takeContainer() else { preconditionFailure("finished twice") }
    return written
  }

  /// Makes the packs that `next` returns, one after another; see ``PackingStages``.
  func run<Output: PackOutput & ~Copyable>(
    next: @escaping @Sendable () throws(PackagingError) -> PackInWork<Output>?,
    finished:
      @escaping @Sendable (PackInWork<Output>, PackagingError?) throws(PackagingError) ->
      Void
  ) throws(PackagingError) {
    switch compression {
    case .zlib(let level):
      try packBlocks(next, finished) { () throws(Errno) in
        try BlockPacker(Deflater(level: level, probe: CompressibilityProbe()))
      }
    case .lzfse:
      try packBlocks(next, finished) { () throws(Errno) in
        try BlockPacker(LZFSEBlockEncoder())
      }
    case .store:
      try packBlocks(next, finished) { () throws(Errno) in
        try BlockPacker(StoringEncoder())
      }
    }
  }

  private func packBlocks<Encoder: BlockEncoder & ~Copyable, Output: PackOutput & ~Copyable>(
    _ next: @escaping @Sendable () throws(PackagingError) -> PackInWork<Output>?,
    _ finished:
      @escaping @Sendable (PackInWork<Output>, PackagingError?) throws(PackagingError) ->
      Void,
    makePacker: @escaping @Sendable () throws(Errno) -> BlockPacker<Encoder>
  ) throws(PackagingError) {
    let stages = PackingStages(
      next: next, finished: finished, progress: progress, findsDigests: findsDigests,
      makePacker: makePacker)
    let jobs = affordableJobs(jobs, pieceSize: blockBufferSize)
    try OrderedPipeline(jobs: jobs).run(stages)
  }
}

/// A pack that is in its place.
struct PublishedPack: Sendable {
  let counts: PackedCounts
  /// The file as it was published, or as it was found.
  let status: FileStatus
  /// Whether the file was there already, and was left alone.
  let isUnchanged: Bool
}
