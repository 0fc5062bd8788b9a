import LZFSE

/// Makes packs: divides a layout into compressed blocks and writes them to a file.
public struct Packager: Sendable {
  /// How blocks are compressed.
  public var compression = Compression.zlib(level: Compression.defaultLevel)
  /// The number of threads, which doesn't affect the pack.
  public var jobs = Processors.available
  /// Whether an existing output is replaced.
  public var replacesOutput = false
  /// Whether an existing output with the same bytes is replaced too, which updates its time.
  package var renewsOutput = false
  /// Whether digests of blocks are computed while packs are made.
  package var findsDigests = false
  /// Called after each block, in order, from any thread, with the number of bytes of the archive
  /// stream compressed so far.
  public var progress: @Sendable (_ raw: UInt64) -> Void = { _ in }
  /// Called with each leftover file of a killed run for this output that was removed.
  package var removedLeftover: @Sendable (BytePath) -> Void = { _ in }

  /// A packager with zlib at its default level and one thread per processor.
  public init() {}

  /// Writes the pack of `layout`, with files below `root`, to `output`, completely or not at all.
  package func write(
    _ layout: ArchiveLayout, root: BytePath, to output: BytePath
  ) throws(PackagingError) -> PackedCounts {
    try checkOutput(output)
    let source = try ArchiveSource(layout, root: root)
    let written = try writeContainer(of: source, to: try makeOutput(output))
    return try publish(written).counts
  }

  /// Creates the file of a pack at `output`.
  package func makeOutput(_ output: BytePath) throws(PackagingError) -> AtomicOutput {
    try mapping(
      PackagingError.system,
      AtomicOutput(
        output, replacing: replacesOutput, inAnyOrder: true, removed: removedLeftover))
  }

  /// Publishes a complete pack.
  package func publish(
    _ written: consuming PackSink<AtomicOutput>
  ) throws(PackagingError) -> PublishedPack {
    // Blocks in progress are completed after a signal, but then no pack is expected.
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

  /// Checks early for errors that publishing would report after all the work.
  package func checkOutput(_ output: BytePath) throws(PackagingError) {
    if output.bytes.last == ASCII.slash {
      throw .system(SystemError(notWritable: output, .directory))
    }
    do throws(SystemError) {
      try AtomicOutput.checkFolder(of: output)
      guard case .file = try output.outputPlace(), !replacesOutput,
        try FileStatus.ifPresent(output) != nil
      else { return }
    } catch {
      throw .system(
        error.kind == nil ? SystemError(.create, output, code: error.code) : error)
    }
    throw .outputExists(output)
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

  /// Makes the packs that `next` returns, one by one; see ``PackingStages``.
  package func run<Output: PackOutput & ~Copyable>(
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

/// A published pack.
package struct PublishedPack: Sendable {
  package let counts: PackedCounts
  /// The status of the published or existing file.
  package let status: FileStatus
  /// Whether the file existed with the same bytes, and was kept.
  package let isUnchanged: Bool
}
