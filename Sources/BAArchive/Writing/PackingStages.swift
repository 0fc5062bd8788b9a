import Synchronization

/// The pipeline stages of a block of one of several packs.
///
/// The blocks of all packs form one sequence, pack after pack. Claiming a block only assigns its
/// index: its contents follow from the layout. Processing reads and compresses it. Delivery adds
/// its size to those before it, which determines its offset in the pack. It is written when it is
/// finished, at the same time as others: no thread waits for the system to copy a block. A block
/// that fails ends its own pack, and the receiver of that pack decides about the others.
final class PackingStages: PipelineStages {
  private let packager: Packager
  private let next: Packager.Next
  private let finished: Packager.Finished
  // Only one thread claims at a time: the lock is never contended.
  private let position = Mutex<(pack: PackInWork, offset: UInt64)?>(nil)

  init(
    _ packager: Packager, next: @escaping Packager.Next, finished: @escaping Packager.Finished
  ) {
    self.packager = packager
    self.next = next
    self.finished = finished
  }

  typealias Claim = (pack: PackInWork, range: Range<UInt64>)

  func makeWorker() throws(Errno) -> BlockPacker { try BlockPacker(packager.compression) }

  func makeBuffer() throws(Errno) -> Buffer { try Buffer(size: blockBufferSize) }

  func claim(_ buffer: Buffer) throws -> Claim? {
    try Interrupted.check("nothing was written")
    return try position.withLock { position in
      while true {
        if let (pack, start) = position, !pack.isGivenUp, start < pack.source.layout.size {
          let end = min(start + UInt64(ContainerFormat.blockSize), pack.source.layout.size)
          position = (pack, end)
          return (pack, start..<end)
        }
        position = nil
        guard let pack = try next() else { return nil }
        position = (pack, 0)
      }
    }
  }

  func process(
    _ claim: Claim, _ buffer: inout Buffer, _ packer: inout BlockPacker
  ) -> (claim: Claim, block: Result<PackedBlock, any Error>) {
    do {
      let start = ContainerFormat.blockHeaderSize
      // SAFETY: a block and one more byte fit after the header.
      try unsafe claim.pack.source.read(claim.range, into: buffer[start...])
      let raw = packager.findsDigests ? buffer.digest(start..<start + claim.range.count) : nil
      var block = packer.pack(rawSize: claim.range.count, &buffer)
      if let raw { block.digests = (raw, buffer.digest(0..<block.size)) }
      return (claim, .success(block))
    } catch {
      claim.pack.giveUp()
      return (claim, .failure(error))
    }
  }

  func deliver(
    _ product: (claim: Claim, block: Result<PackedBlock, any Error>), _ buffer: Buffer
  ) throws -> (pack: PackInWork, place: Range<UInt64>)? {
    let (pack, range) = (product.claim.pack, product.claim.range)
    switch product.block {
    case .success(let block):
      // Nil for blocks in progress when an earlier block of the pack failed.
      let isLast = range.upperBound == pack.source.layout.size
      guard let place = pack.place(block, isLast: isLast) else { return nil }
      do {
        try buffer.withSpan(..<place.count, pack.send)
      } catch {
        if pack.fail() { try finished(pack, error) }
        return nil
      }
      packager.progress(block.rawSize, pack)
      return (pack, place)
    case .failure(let error):
      if pack.fail() { try finished(pack, error) }
      return nil
    }
  }

  func finish(
    _ placed: (pack: PackInWork, place: Range<UInt64>)?, _ buffer: Buffer,
    _ packer: inout BlockPacker
  ) throws {
    guard let (pack, place) = placed else { return }
    let isComplete: Bool
    do {
      isComplete = try buffer.withSpan(..<place.count) {
        try pack.write($0, at: place.lowerBound)
      }
    } catch {
      if pack.fail() { try finished(pack, error) }
      return
    }
    if isComplete { try finished(pack, nil) }
  }
}

/// Compresses uncompressed bytes into blocks of a container, one at a time, reusing its memory.
package final class BlockPacker {
  /// Nil if every block is stored.
  private let encoder: (any BlockEncoder)?
  /// Receives a compressed block, then is swapped with the buffer of the uncompressed bytes.
  private var scratch: Buffer

  package init(_ encoder: (any BlockEncoder)?) throws(Errno) {
    scratch = try Buffer(size: blockBufferSize)
    self.encoder = encoder
  }

  package convenience init(_ compression: Compression) throws(Errno) {
    try self.init(compression.codec.makeEncoder?(compression.level ?? 0))
  }

  /// Compresses the bytes in `buffer` after the space for a block header. Afterwards the complete
  /// block is at the start of `buffer`, which may be a different one.
  package func pack(rawSize: Int, _ buffer: inout Buffer) -> PackedBlock {
    let body = ContainerFormat.blockHeaderSize
    // SAFETY: the buffers check the ranges.
    let raw = unsafe UnsafeRawBufferPointer(buffer[body..<(body + rawSize)])
    let limit = ContainerFormat.maximumPacked(raw: rawSize)
    let output = unsafe scratch[body..<(body + limit)]
    let packedSize = unsafe encoder?.encode(raw, into: output)
    if packedSize != nil { swap(&buffer, &scratch) }
    let size = packedSize ?? rawSize
    let header = ContainerFormat.blockHeader(raw: rawSize, stored: size)
    unsafe buffer.bytes.copyBytes(from: header)
    return PackedBlock(rawSize: rawSize, size: body + size, isStored: packedSize == nil)
  }
}

package struct PackedBlock: Sendable {
  package let rawSize: Int
  /// The size in the container, including the block's header.
  package let size: Int
  package let isStored: Bool
  /// The digests of its part of the archive stream, and of its bytes in the container, if wanted.
  var digests: (raw: [UInt8], packed: [UInt8])?
}

/// The size of a buffer for a block: its header, its uncompressed bytes, and one more, to detect a
/// file that has grown.
package let blockBufferSize = ContainerFormat.blockHeaderSize + ContainerFormat.blockSize + 1
