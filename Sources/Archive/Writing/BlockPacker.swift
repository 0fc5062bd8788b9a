/// Compresses uncompressed bytes into blocks of a container, one at a time, reusing its memory.
package final class BlockPacker<Encoder: BlockEncoder & ~Copyable> {
  private var encoder: Encoder
  /// Receives a compressed block, then is swapped with the buffer of the uncompressed bytes.
  private var scratch: Buffer

  /// Fails with ``Errno/outOfMemory``.
  package init(_ encoder: consuming Encoder) throws(Errno) {
    self.encoder = encoder
    scratch = try Buffer(size: blockBufferSize)
  }

  /// Compresses the bytes in `buffer` after the space for a block header. Afterwards the complete
  /// block is at the start of `buffer`, which may be a different one.
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

/// The result for a block.
package struct PackedBlock: Sendable {
  package let rawSize: Int
  /// The size in the container, including the block's header.
  package let size: Int
  package let isStored: Bool
}

/// The size of a buffer for a block: its header, its uncompressed bytes, and one more, to detect a
/// file that has grown.
package let blockBufferSize = ContainerFormat.blockHeaderSize + ContainerFormat.blockSize + 1

/// Doesn't compress: every block is stored.
struct StoringEncoder: BlockEncoder {
  mutating func encode(
    _ raw: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) -> Int? { nil }
}
