/// A container under construction: where it goes, and what it adds up to so far.
package struct PackSink<Output: PackOutput & ~Copyable>: ~Copyable {
  package var output: Output
  package private(set) var counts = PackedCounts()

  /// Starts a container by its header.
  init(_ output: consuming Output, _ algorithm: Algorithm) throws(SystemError) {
    self.output = output
    let header = ContainerFormat.header(algorithm)
    // SAFETY: bytes have no padding that could be read, and are read within the closure.
    try unsafe header.span.bytes.withUnsafeBytes { (bytes) throws(SystemError) in
      try unsafe self.output.write(bytes)
    }
    counts.packed = UInt64(header.count)
  }

  /// Appends a block, whose bytes these are.
  mutating func append(
    _ block: PackedBlock, _ bytes: UnsafeRawBufferPointer
  ) throws(SystemError) {
    try unsafe output.write(bytes)
    counts.raw += UInt64(block.rawSize)
    counts.packed += UInt64(block.size)
    counts.blocks += 1
    if block.isStored { counts.storedBlocks += 1 }
  }
}

/// Where a pack is written to. Tests put outputs here that fail.
package protocol PackOutput: ~Copyable, Sendable {
  /// Appends all of `bytes`.
  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError)
}

extension AtomicOutput: PackOutput {}

/// What the blocks of a pack add up to.
public struct PackedCounts: Sendable {
  /// Bytes of the archive stream.
  public internal(set) var raw: UInt64 = 0
  /// Bytes of the container.
  public internal(set) var packed: UInt64 = 0
  /// Blocks of the container.
  public internal(set) var blocks = 0
  /// Blocks that are stored as they are.
  public internal(set) var storedBlocks = 0
}
