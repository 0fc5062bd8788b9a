/// A container: its output and its totals.
package struct PackSink<Output: PackOutput & ~Copyable>: ~Copyable {
  package var output: Output
  package var counts = PackedCounts()

  /// Starts a container with its header.
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

/// The output of a pack. Tests use outputs that fail.
package protocol PackOutput: ~Copyable, Sendable {
  /// Writes all of `bytes` at `offset`; called from several threads at once.
  func write(_ bytes: RawSpan, at offset: UInt64) throws(SystemError)
}

extension AtomicOutput: PackOutput {}

/// The totals of a pack's blocks.
public struct PackedCounts: Sendable {
  /// The size of the archive stream in bytes.
  public internal(set) var raw: UInt64 = 0
  /// The size of the container in bytes.
  public internal(set) var packed: UInt64 = 0
  /// The number of blocks.
  package internal(set) var blocks = 0
  /// The number of stored blocks.
  package internal(set) var storedBlocks = 0

  /// Adds the next block, and returns its range in the container.
  package mutating func add(_ block: PackedBlock) -> Range<UInt64> {
    let start = packed
    raw += UInt64(block.rawSize)
    packed += UInt64(block.size)
    blocks += 1
    if block.isStored { storedBlocks += 1 }
    return start..<packed
  }
}
