import Synchronization

/// A pack on its way: where its bytes come from and where they go.
package final class PackInWork<Output: PackOutput & ~Copyable>: @unchecked Sendable {
  /// Its number among the packs that are made together.
  package let index: Int
  /// The archive stream.
  let source: ArchiveSource
  // Taken when all blocks are written.
  private var output: Output?
  private let state: Mutex<State>
  private let hasFailed = Atomic(false)

  private struct State {
    var counts: PackedCounts
    /// Blocks that have a place and are not written yet.
    var unwritten = 0
    /// The digests of blocks that have a place, if they are found.
    var digests = StreamDigests()
    /// Whether the last block has its place.
    var hasLast = false
    /// Whether a failure was reported.
    var isReported = false
  }

  /// Starts the container of `source` in `output`.
  package init(
    _ index: Int = 0, of source: consuming ArchiveSource, to output: consuming Output,
    _ algorithm: Algorithm
  ) throws(PackagingError) {
    let sink: PackSink<Output>
    do { sink = try PackSink(output, algorithm) } catch { throw .system(error) }
    self.index = index
    self.source = source
    state = Mutex(State(counts: sink.counts))
    self.output = .some(sink.output)
  }

  /// Whether a block of it could not be made or written: the others need not be made.
  var isGivenUp: Bool { hasFailed.load(ordering: .relaxed) }

  func giveUp() { hasFailed.store(true, ordering: .relaxed) }

  /// Gives the pack up; true for the first who does so because of an error.
  func fail() -> Bool {
    giveUp()
    return state.withLock { state in
      defer { state.isReported = true }
      return !state.isReported
    }
  }

  /// Adds the next block, with its digests if they were found, and returns where it is to be
  /// written; nil if the pack has failed.
  func place(
    _ block: PackedBlock, _ digests: BlockDigests?, isLast: Bool
  ) -> Range<UInt64>? {
    state.withLock { state in
      if state.isReported { return nil }
      state.unwritten += 1
      state.hasLast = isLast
      if let digests { state.digests.append(digests) }
      return state.counts.add(block)
    }
  }

  /// Writes the bytes of a block at its place. Called by several threads at once; returns true to the
  /// one that has completed the pack.
  func write(_ bytes: RawSpan, at offset: UInt64) throws(SystemError) -> Bool {
    guard case ()? = try output?.write(bytes, at: offset) else {
      preconditionFailure("written to after its last block")
    }
    return state.withLock { state in
      state.unwritten -= 1
      return state.unwritten == 0 && state.hasLast && !state.isReported
    }
  }

  /// The digests of all blocks, if they were found.
  var blockDigests: StreamDigests { state.withLock(\.digests) }

  /// The container, when all blocks are written; nil once it was taken. What is not taken goes with
  /// the pack.
  package func takeContainer() -> PackSink<Output>? {
    guard let output = output.take() else { return nil }
    return PackSink(output, state.withLock { $0.counts })
  }
}
