/// Turns raw bytes into a block of a container, one after another, with memory of its own.
package final class BlockPacker<Encoder: BlockEncoder & ~Copyable> {
  private var encoder: Encoder
  /// Takes a packed block, then changes places with the buffer that held the raw bytes.
  private var scratch: Buffer

  /// Fails with ``Errno/outOfMemory``.
  package init(_ encoder: consuming Encoder) throws(Errno) {
    self.encoder = encoder
    scratch = try Buffer(size: blockBufferSize)
  }

  /// Packs the raw bytes that stand in `buffer` behind the room for a block header. Afterwards the
  /// whole block stands at the start of `buffer`, which may be another one.
  package func pack(rawSize: Int, _ buffer: inout Buffer) -> PackedBlock {
    let body = ContainerFormat.blockHeaderSize
    let raw = unsafe UnsafeRawBufferPointer(buffer[body..<(body + rawSize)])
    let limit = ContainerFormat.mostPacked(raw: rawSize)
    let output = unsafe scratch[body..<(body + limit)]
    let packedSize = unsafe encoder.encode(raw, into: output)
    if packedSize != nil { swap(&buffer, &scratch) }
    let size = packedSize ?? rawSize
    let header = ContainerFormat.blockHeader(raw: rawSize, stored: size)
    unsafe buffer.bytes.copyBytes(from: header)
    return PackedBlock(rawSize: rawSize, size: body + size, isStored: packedSize == nil)
  }
}

/// What became of a block.
package struct PackedBlock: Sendable {
  package let rawSize: Int
  /// Bytes in the container, the block's header among them.
  package let size: Int
  package let isStored: Bool
}

/// Bytes of a buffer for a block: its header, its raw bytes, and one more, so that reading the end
/// of a file can tell that the file goes on.
package let blockBufferSize = ContainerFormat.blockHeaderSize + ContainerFormat.blockSize + 1

/// Compresses nothing: every block is stored.
struct StoringEncoder: BlockEncoder {
  mutating func encode(
    _ raw: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) -> Int? { nil }
}
