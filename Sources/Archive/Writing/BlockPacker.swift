/// Compresses uncompressed bytes into blocks of a container, one at a time, reusing its memory.
package final class BlockPacker {
  // Without either, every block is stored.
  private var deflater: Deflater?
  private var lzfse: LZFSEBlockEncoder?
  /// Receives a compressed block, then is swapped with the buffer of the uncompressed bytes.
  private var scratch: Buffer

  /// A packer for `compression`. Unless it `probes`, zlib deflates every block in full. Fails with
  /// ``Errno/outOfMemory``.
  package init(_ compression: Compression, probes: Bool = true) throws(Errno) {
    scratch = try Buffer(size: blockBufferSize)
    switch compression {
    case .zlib(let level):
      deflater = try Deflater(level: level, probe: probes ? CompressibilityProbe() : nil)
    case .lzfse: lzfse = try LZFSEBlockEncoder()
    case .store: break
    }
  }

  /// Compresses the bytes in `buffer` after the space for a block header. Afterwards the complete
  /// block is at the start of `buffer`, which may be a different one.
  package func pack(rawSize: Int, _ buffer: inout Buffer) -> PackedBlock {
    let body = ContainerFormat.blockHeaderSize
    // SAFETY: the buffers check the ranges.
    let raw = unsafe UnsafeRawBufferPointer(buffer[body..<(body + rawSize)])
    let limit = ContainerFormat.maximumPacked(raw: rawSize)
    let output = unsafe scratch[body..<(body + limit)]
    let packedSize =
      unsafe deflater?.encode(raw, into: output) ?? lzfse?.encode(raw, into: output)
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
