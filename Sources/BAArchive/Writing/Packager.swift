/// Makes packs: divides a layout into compressed blocks and writes them to a file.
package struct Packager: Sendable {
  /// How blocks are compressed.
  package var compression = Compression.zlib()
  /// The number of threads, which doesn't affect the pack.
  package var jobs = Processors.available
  /// Whether an existing output is replaced.
  package var replacesOutput = false
  /// Whether digests of blocks are computed while packs are made.
  package var findsDigests = false
  /// Called after each block, from any thread, with its size in the archive stream, and its pack if
  /// one is made.
  package var progress: @Sendable (_ size: Int, _ pack: PackInWork?) -> Void = { _, _ in }
  /// Called with each leftover file of a killed run for this output that was removed.
  package var removedLeftover: @Sendable (BytePath) -> Void = { _ in }

  /// A packager with zlib at its default level and one thread per processor.
  package init() {}

  /// The container that `layout`, with files below `root`, would be compressed to. Only the offsets
  /// of the blocks are kept.
  package func measure(_ layout: ArchiveLayout, root: BytePath) throws -> ContainerFacts {
    let source = try ArchiveSource(layout, root: root)
    let pack = try PackInWork(of: source, to: nil, compression.codec.algorithm)
    try complete(pack)
    try Interrupted.check("nothing was written")
    return pack.container
  }

  /// Compresses and writes the blocks of a single pack.
  package func complete(_ pack: PackInWork) throws {
    let waiting = Monitor<PackInWork?>(pack)
    try run(next: { waiting.withLock { $0.take() } }) { _, error in if let error { throw error } }
  }

  package func makeOutput(_ output: BytePath) throws -> AtomicOutput {
    try AtomicOutput(
      output, replacing: replacesOutput, inAnyOrder: true, removed: removedLeftover)
  }

  /// Publishes a complete pack. Returns the status of the published file; nil if that was done
  /// before.
  package func publish(_ pack: PackInWork) throws -> FileStatus? {
    guard let output = pack.takeOutput() else { return nil }
    // Blocks in progress are completed after a signal, but then no pack is expected.
    try Interrupted.check("nothing was written")
    let path = output.destination
    do {
      return try output.publish()
    } catch {
      if error.code == .fileExists { throw PackagingError.outputExists(path) }
      throw error
    }
  }

  /// Checks early for errors that publishing would report after all the work.
  package func checkOutput(_ output: BytePath) throws {
    if output.bytes.last == ASCII.slash {
      throw SystemError(notWritable: output, .directory)
    }
    do {
      _ = try FileStatus.following(output.folder)
      guard case .file = try output.outputTarget(), !replacesOutput,
        try FileStatus.ifPresent(output) != nil
      else { return }
    } catch {
      throw error.kind == nil ? SystemError(.create, output, code: error.code) : error
    }
    throw PackagingError.outputExists(output)
  }

  /// Returns the next pack to make; nil after the last.
  package typealias Next = @Sendable () throws -> PackInWork?
  /// Receives a pack when all its blocks are written, or with its first error.
  package typealias Finished = @Sendable (PackInWork, (any Error)?) throws -> Void

  /// Makes the packs that `next` returns, one by one. An error that `next` or
  /// `finished` throws ends the work on all packs.
  package func run(next: @escaping Next, finished: @escaping Finished) throws {
    let jobs = affordableJobs(jobs, pieceSize: blockBufferSize)
    // Made before there is none left to make it with.
    let outOfMemory: any Error = PackagingError.outOfMemory
    do {
      try OrderedPipeline(jobs: jobs).run(PackingStages(self, next: next, finished: finished))
    } catch is Errno {
      throw outOfMemory
    }
  }
}
