/// A container: where it goes, and what it adds up to.
package struct PackSink<Output: PackOutput & ~Copyable>: ~Copyable {
  package var output: Output
  package var counts = PackedCounts()

  /// Starts a container by its header.
  init(_ output: consuming Output, _ algorithm: Algorithm) throws(SystemError) {
    self.output = output
    let header = ContainerFormat.header(algorithm)
    // SAFETY: bytes have no padding that could be read.
    try self.output.write(unsafe header.span.bytes, at: 0)
    counts.packed = UInt64(header.count)
  }

  init(_ output: consuming Output, _ counts: PackedCounts) {
    self.output = output
    self.counts = counts
  }
}

/// Where a pack is written to. Tests put outputs here that fail.
package protocol PackOutput: ~Copyable, Sendable {
  /// Writes all of `bytes` at `offset`; called from several threads at once.
  func write(_ bytes: RawSpan, at offset: UInt64) throws(SystemError)
}

extension AtomicOutput: PackOutput {}

/// What the blocks of a pack add up to.
public struct PackedCounts: Sendable {
  /// Bytes of the archive stream.
  public internal(set) var raw: UInt64 = 0
  /// Bytes of the container.
  public internal(set) var packed: UInt64 = 0
  /// Blocks of the container.
  package internal(set) var blocks = 0
  /// Blocks that are stored as they are.
  package internal(set) var storedBlocks = 0

  /// Adds the next block, and returns the bytes of the container where it goes.
  mutating func add(_ block: PackedBlock) -> Range<UInt64> {
    let start = packed
    raw += UInt64(block.rawSize)
    packed += UInt64(block.size)
    blocks += 1
    if block.isStored { storedBlocks += 1 }
    return start..<packed
  }
}
