import Synchronization

/// A pack in progress: its source and its output.
package final class PackInWork: @unchecked Sendable {
  /// The index among the packs that are made together.
  package let index: Int
  package let source: ArchiveSource
  // Nil if the pack is only measured. Taken by one thread, when all blocks are written.
  private var output: AtomicOutput?
  /// Receives the pack in order instead, called by one thread at a time.
  private let sink: (([UInt8]) throws -> Void)?
  private let state: Mutex<State>
  private let hasFailed = Atomic(false)

  private struct State {
    var container: ContainerFacts
    /// The number of blocks that have an offset but are not written yet.
    var unwritten = 0
    /// The digests of blocks that have an offset, if they are computed.
    var digests = StreamDigests()
    var hasLast = false
    var isReported = false
  }

  /// Starts the container of `source` in `output`, or passes it to `sink`; without any, the pack is
  /// only measured.
  package init(
    _ index: Int = 0, of source: ArchiveSource, to output: consuming AtomicOutput?,
    _ algorithm: Algorithm, sink: (([UInt8]) throws -> Void)? = nil
  ) throws {
    self.index = index
    self.source = source
    self.output = output
    self.sink = sink
    state = Mutex(
      State(
        container: ContainerFacts(
          kind: .blocks(algorithm, blockSize: ContainerFormat.blockSize))))
    let header = ContainerFormat.header(algorithm)
    try header.withRawSpan { bytes throws(SystemError) in try self.output?.write(bytes, at: 0) }
    try sink?(header)
  }

  /// Whether a block could not be made or written, so the others are not needed.
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

  /// Adds the next block, and returns the range to write it to; nil if the pack has failed.
  func place(_ block: PackedBlock, isLast: Bool) -> Range<UInt64>? {
    state.withLock { state in
      if state.isReported { return nil }
      state.unwritten += 1
      state.hasLast = isLast
      if let digests = block.digests { state.digests.append(digests) }
      return state.container.addBlock(
        rawSize: block.rawSize, storedSize: block.size, isStored: block.isStored)
    }
  }

  /// Passes a block to the sink, if there is one. Called in the order of the blocks.
  func send(_ block: RawSpan) throws {
    guard let sink else { return }
    var bytes: [UInt8] = []
    bytes.append(block)
    try sink(bytes)
  }

  /// Writes a block at its offset. Called by several threads at once; returns true to the one that
  /// completes the pack.
  func write(_ bytes: RawSpan, at offset: UInt64) throws(SystemError) -> Bool {
    try output?.write(bytes, at: offset)
    return state.withLock { state in
      state.unwritten -= 1
      return state.unwritten == 0 && state.hasLast && !state.isReported
    }
  }

  /// The container as far as it is made.
  package var container: ContainerFacts { state.withLock(\.container) }

  /// The digests of all blocks, if they were computed.
  package var blockDigests: StreamDigests { state.withLock(\.digests) }

  /// The output, once all blocks are written; nil if it was taken before. If it isn't taken, it is
  /// discarded with the pack.
  package func takeOutput() -> AtomicOutput? { output.take() }
}
