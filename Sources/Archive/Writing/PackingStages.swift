import Synchronization

/// The pipeline stages of a block of one of several packs.
///
/// The blocks of all packs form one sequence, pack after pack. Claiming a block only assigns its
/// index: its contents follow from the layout. Processing reads and compresses it. Delivery adds
/// its size to those before it, which determines its offset in the pack. It is written when it is
/// finished, at the same time as others: no thread waits for the system to copy a block. A block
/// that fails ends its own pack, and the receiver of that pack decides about the others.
final class PackingStages<Encoder: BlockEncoder & ~Copyable, Output: PackOutput & ~Copyable>:
  PipelineStages
{
  private let next: @Sendable () throws(PackagingError) -> PackInWork<Output>?
  private let finished:
    @Sendable (PackInWork<Output>, PackagingError?) throws(PackagingError) -> Void
  private let findsDigests: Bool
  private let makePacker: @Sendable () throws(Errno) -> BlockPacker<Encoder>
  private let progress: @Sendable (_ raw: UInt64) -> Void
  // Only one thread claims at a time, and one delivers: the locks are never contended.
  private let position = Mutex<Position?>(nil)
  private let delivered = Mutex<UInt64>(0)

  /// The position of claiming: the next byte of a pack's stream.
  private struct Position {
    let pack: PackInWork<Output>
    var offset: UInt64 = 0
  }

  /// Makes the packs that `next` returns, one by one, until it returns nil. Each is passed to
  /// `finished` when all its blocks are written, or with its first error. An error that `next` or
  /// `finished` throws ends the work on all packs.
  init(
    next: @escaping @Sendable () throws(PackagingError) -> PackInWork<Output>?,
    finished:
      @escaping @Sendable (PackInWork<Output>, PackagingError?) throws(PackagingError) -> Void,
    progress: @escaping @Sendable (_ raw: UInt64) -> Void, findsDigests: Bool,
    makePacker: @escaping @Sendable () throws(Errno) -> BlockPacker<Encoder>
  ) {
    self.next = next
    self.finished = finished
    self.progress = progress
    self.findsDigests = findsDigests
    self.makePacker = makePacker
  }

  struct Claim: Sendable {
    let pack: PackInWork<Output>
    let range: Range<UInt64>
  }

  struct Product: Sendable {
    let pack: PackInWork<Output>
    let block: Result<PackedBlock, PackagingError>
    let digests: BlockDigests?
    let isLast: Bool
  }

  func makeWorker() throws(PackagingError) -> BlockPacker<Encoder> {
    return try mapping({ (_: Errno) in PackagingError.outOfMemory }, makePacker())
  }

  func makeBuffer() throws(PackagingError) -> Buffer {
    return try mapping({ (_: Errno) in PackagingError.outOfMemory }, Buffer(size: blockBufferSize))
  }

  func claim(_ index: Int, _ buffer: Buffer) throws(PackagingError) -> Claim? {
    if let signal = Interruption.pending { throw .interrupted(signal: signal) }
    return try position.withLock { (position) throws(PackagingError) in
      while true {
        if let present = position, !present.pack.isGivenUp,
          present.offset < present.pack.source.layout.size
        {
          let end = min(
            present.offset + UInt64(ContainerFormat.blockSize), present.pack.source.layout.size)
          position?.offset = end
          return Claim(pack: present.pack, range: present.offset..<end)
        }
        position = nil
        guard let pack = try next() else { return nil }
        position = Position(pack: pack)
      }
    }
  }

  func process(
    _ claim: Claim, _ index: Int, _ buffer: inout Buffer, _ packer: inout BlockPacker<Encoder>
  ) throws(PackagingError) -> Product {
    let source = claim.pack
    let isLast = claim.range.upperBound == source.source.layout.size
    do throws(PackagingError) {
      try unsafe source.source.read(
        claim.range, into: buffer[ContainerFormat.blockHeaderSize...])
      let start = ContainerFormat.blockHeaderSize
      let raw =
        findsDigests ? unsafe SHA256.digest(of: buffer[start..<start + claim.range.count]) : nil
      let block = packer.pack(rawSize: claim.range.count, &buffer)
      let digests = raw.map {
        unsafe BlockDigests(raw: $0, packed: SHA256.digest(of: buffer[..<block.size]))
      }
      return Product(pack: source, block: .success(block), digests: digests, isLast: isLast)
    } catch {
      source.giveUp()
      return Product(pack: source, block: .failure(error), digests: nil, isLast: isLast)
    }
  }

  /// A block and its destination.
  struct Placed {
    let pack: PackInWork<Output>
    let place: Range<UInt64>
  }

  func deliver(
    _ product: Product, _ index: Int, _ buffer: Buffer
  ) throws(PackagingError) -> Placed? {
    switch product.block {
    case .success(let block):
      // Nil for blocks in progress when an earlier block of the pack failed.
      guard let place = product.pack.place(block, product.digests, isLast: product.isLast) else {
        return nil
      }
      progress(
        delivered.withLock { raw in
          raw += UInt64(block.rawSize)
          return raw
        })
      return Placed(pack: product.pack, place: place)
    case .failure(let error):
      if product.pack.fail() { try finished(product.pack, error) }
      return nil
    }
  }

  func finish(
    _ placed: Placed?, _ index: Int, _ buffer: Buffer, _ packer: inout BlockPacker<Encoder>
  ) throws(PackagingError) {
    guard let placed else { return }
    let isComplete: Bool
    do throws(SystemError) {
      // In range: the block is at the start of the buffer.
      isComplete = try unsafe placed.pack.write(
        buffer[..<placed.place.count].bytes, at: placed.place.lowerBound)
    } catch {
      if placed.pack.fail() { try finished(placed.pack, .system(error)) }
      return
    }
    if isComplete { try finished(placed.pack, nil) }
  }
}
