import LZFSE

/// Makes a pack: a layout becomes the blocks of a container, and those a file.
public struct Packager: Sendable {
  /// How blocks are compressed.
  public var compression = Compression.zlib(level: Compression.defaultLevel)
  /// Threads that work at once. The pack does not depend on it.
  public var jobs = Processors.available
  /// Whether an existing output is replaced.
  public var replacesOutput = false
  /// Called after each block, in order, from any thread, with the bytes of the archive stream that
  /// are in the output.
  public var progress: @Sendable (_ raw: UInt64) -> Void = { _ in }
  /// Called with each file that a killed run had left of this output, and that was removed.
  public var removedLeftover: @Sendable (BytePath) -> Void = { _ in }

  /// A packager with zlib at its default level and a thread for each processor.
  public init() {}

  /// Writes the pack with the files of `selection` and with `manifest` to `output`: whole or not at
  /// all. Every entry has the time `modified`.
  public func write(
    _ selection: Selection, of manifest: Manifest, modified: ArchiveTime = .constant,
    to output: BytePath
  ) throws(PackagingError) -> PackedCounts {
    try write(
      ArchiveLayout(selection, manifest: manifest, modified: modified), root: selection.root,
      to: output)
  }

  /// Writes the pack of `layout`, whose files lie below `root`, to `output`: whole or not at all.
  package func write(
    _ layout: ArchiveLayout, root: BytePath, to output: BytePath
  ) throws(PackagingError) -> PackedCounts {
    try checkOutput(output)
    try checkManifest(layout)
    let source = try ArchiveSource(layout, root: root)
    let file: AtomicOutput
    do throws(SystemError) {
      file = try AtomicOutput(output, replacing: replacesOutput, removed: removedLeftover)
    } catch {
      throw .system(error)
    }
    let written = try writeContainer(of: source, to: file)
    // Blocks that were under way are finished, but who asked to stop expects no pack.
    if let signal = Interruption.pending { throw .interrupted(signal: signal) }
    let counts = written.counts
    do throws(SystemError) {
      try written.output.publish()
    } catch {
      throw error.code == .fileExists ? .outputExists(output) : .system(error)
    }
    return counts
  }

  /// Says early what publishing would refuse after all the work.
  private func checkOutput(_ output: BytePath) throws(PackagingError) {
    if output.bytes.last == ASCII.slash { throw .outputIsFolder(output) }
    if let status = try? FileStatus.notFollowing(output) {
      if status.kind == .directory { throw .outputIsFolder(output) }
      if !replacesOutput { throw .outputExists(output) }
    }
    do throws(SystemError) {
      try AtomicOutput.checkFolder(of: output)
    } catch {
      throw .system(error)
    }
  }

  private func checkManifest(_ layout: ArchiveLayout) throws(PackagingError) {
    guard case .file(.bytes(let manifest), _, _)? = layout.entries.last?.kind,
      manifest.count > PackFormat.maximumManifestSize
    else { return }
    throw .manifestTooLarge(manifest.count)
  }

  /// Writes the container of `source` to `output`.
  package func writeContainer<Output: PackOutput & ~Copyable>(
    of source: consuming ArchiveSource, to output: consuming Output
  ) throws(PackagingError) -> PackSink<Output> {
    switch compression {
    case .zlib(let level):
      try packBlocks(of: source, into: output) { () throws(Errno) in
        try BlockPacker(Deflater(level: level), probe: CompressibilityProbe())
      }
    case .lzfse:
      try packBlocks(of: source, into: output) { () throws(Errno) in
        try BlockPacker(LZFSE.Encoder(), probe: CompressibilityProbe())
      }
    case .store:
      try packBlocks(of: source, into: output) { () throws(Errno) in
        try BlockPacker(StoringEncoder(), probe: nil)
      }
    }
  }

  private func packBlocks<Encoder: BlockEncoder & ~Copyable, Output: PackOutput & ~Copyable>(
    of source: consuming ArchiveSource, into output: consuming Output,
    makePacker: @escaping @Sendable () throws(Errno) -> BlockPacker<Encoder>
  ) throws(PackagingError) -> PackSink<Output> {
    let sink: PackSink<Output>
    do throws(SystemError) {
      sink = try PackSink(output, compression.algorithm)
    } catch {
      throw .system(error)
    }
    let stages = PackingStages(source, into: sink, progress: progress, makePacker: makePacker)
    let jobs = affordableJobs(jobs, pieceSize: blockBufferSize)
    try OrderedPipeline(jobs: jobs).run(stages)
    return stages.finish()
  }
}
