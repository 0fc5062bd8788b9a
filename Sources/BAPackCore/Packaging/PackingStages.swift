import Synchronization

/// The stations of a block on its way into a pack.
///
/// Claiming block *k* only takes its number: what it holds follows from the layout. Processing
/// reads and packs it. Delivery appends it to the output.
final class PackingStages<Encoder: BlockEncoder & ~Copyable, Output: PackOutput & ~Copyable>:
  PipelineStages
{
  private let source: ArchiveSource
  private let makePacker: @Sendable () throws(Errno) -> BlockPacker<Encoder>
  private let progress: @Sendable (_ raw: UInt64) -> Void
  // Blocks are delivered one at a time; the lock is never waited for.
  private let sink: Mutex<PackSink<Output>?>

  init(
    _ source: consuming ArchiveSource, into sink: consuming PackSink<Output>,
    progress: @escaping @Sendable (_ raw: UInt64) -> Void,
    makePacker: @escaping @Sendable () throws(Errno) -> BlockPacker<Encoder>
  ) {
    self.source = source
    self.progress = progress
    self.makePacker = makePacker
    self.sink = Mutex(sink)
  }

  /// Gives the container back, once all blocks are delivered.
  func finish() -> PackSink<Output> {
    guard let sink = sink.withLock({ $0.take() }) else { preconditionFailure("finished twice") }
    return sink
  }

  func makeWorker() throws(PackagingError) -> BlockPacker<Encoder> {
    do throws(Errno) { return try makePacker() } catch { throw .outOfMemory }
  }

  func makeBuffer() throws(PackagingError) -> Buffer {
    do throws(Errno) { return try Buffer(size: blockBufferSize) } catch { throw .outOfMemory }
  }

  func claim(_ index: Int, _ buffer: Buffer) throws(PackagingError) -> Range<UInt64>? {
    if let signal = Interruption.pending { throw .interrupted(signal: signal) }
    let start = UInt64(index) * UInt64(ContainerFormat.blockSize)
    guard start < source.layout.size else { return nil }
    return start..<min(start + UInt64(ContainerFormat.blockSize), source.layout.size)
  }

  func process(
    _ range: Range<UInt64>, _ index: Int, _ buffer: inout Buffer,
    _ packer: inout BlockPacker<Encoder>
  ) throws(PackagingError) -> PackedBlock {
    try unsafe source.read(range, into: buffer[ContainerFormat.blockHeaderSize...])
    return packer.pack(rawSize: range.count, &buffer)
  }

  func deliver(_ block: PackedBlock, _ index: Int, _ buffer: Buffer) throws(PackagingError) {
    let bytes = unsafe UnsafeRawBufferPointer(buffer[..<block.size])
    let raw = try sink.withLock { (sink) throws(PackagingError) -> UInt64 in
      do throws(SystemError) {
        try unsafe sink?.append(block, bytes)
      } catch {
        throw .system(error)
      }
      return sink?.counts.raw ?? 0
    }
    progress(raw)
  }
}
