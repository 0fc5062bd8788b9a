import Synchronization

/// A pack on its way: where its bytes come from and where they go.
package final class PackInWork<Output: PackOutput & ~Copyable>: Sendable {
  /// Its number among the packs that are made together.
  package let index: Int
  /// The archive stream.
  let source: ArchiveSource
  private let sink: Mutex<PackSink<Output>?>
  private let hasFailed = Atomic(false)

  /// Starts the container of `source` in `output`.
  package init(
    _ index: Int = 0, of source: consuming ArchiveSource, to output: consuming Output,
    _ algorithm: Algorithm
  ) throws(PackagingError) {
    let sink: PackSink<Output>
    do throws(SystemError) {
      sink = try PackSink(output, algorithm)
    } catch {
      throw .system(error)
    }
    self.index = index
    self.source = source
    self.sink = Mutex(sink)
  }

  /// Whether a block of it could not be made or written: the others need not be made.
  var isGivenUp: Bool { hasFailed.load(ordering: .relaxed) }

  func giveUp() { hasFailed.store(true, ordering: .relaxed) }

  /// Appends a block, whose bytes these are.
  func append(_ block: PackedBlock, _ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    // Blocks are delivered one at a time; the lock is never waited for.
    try sink.withLock { (sink) throws(SystemError) in try unsafe sink?.append(block, bytes) }
  }

  /// The container so far; nil once it was taken. What is not taken goes with the pack.
  package func takeContainer() -> PackSink<Output>? { sink.withLock { $0.take() } }
}
