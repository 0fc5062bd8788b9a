import Synchronization

/// A pack in progress: its source and its output.
package final class PackInWork<Output: PackOutput & ~Copyable>: @unchecked Sendable {
  /// The index among the packs that are made together.
  package let index: Int
  /// The archive stream.
  package let source: ArchiveSource
  // Taken when all blocks are written.
  private var output: Output?
  private let state: Mutex<State>
  private let hasFailed = Atomic(false)

  private struct State {
    var counts: PackedCounts
    /// The number of blocks that have an offset but are not written yet.
    var unwritten = 0
    /// The digests of blocks that have an offset, if they are computed.
    var digests = StreamDigests()
    /// Whether the last block has its offset.
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

  /// Whether a block could not be made or written, so that the others are not needed.
  var isGivenUp: Bool { hasFailed.load(ordering: .relaxed) }

  package func giveUp() { hasFailed.store(true, ordering: .relaxed) }

  /// Abandons the pack; true for the first call after an error.
  func fail() -> Bool {
    giveUp()
    return state.withLock { state in
      defer { state.isReported = true }
      return !state.isReported
    }
  }

  /// Adds the next block, with its digests if computed, and returns the range to write it to; nil
  /// if the pack has failed.
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

  /// Writes a block at its offset. Called by several threads at once; returns true to the one that
  /// completes the pack.
  func write(_ bytes: RawSpan, at offset: UInt64) throws(SystemError) -> Bool {
    guard case ()? = try output?.write(bytes, at: offset) else {
      preconditionFailure("written to after its last block")
    }
    return state.withLock { state in
      state.unwritten -= 1
      return state.unwritten == 0 && state.hasLast && !state.isReported
    }
  }

  /// The digests of all blocks, if they were computed.
  package var blockDigests: StreamDigests { state.withLock(\.digests) }

  /// The container, once all blocks are written; nil if it was taken before. If it isn't taken, it
  /// is discarded with the pack.
  package func takeContainer() -> PackSink<Output>? {
    guard let output = output.take() else { return nil }
    return PackSink(output, state.withLock { $0.counts })
  }
}
