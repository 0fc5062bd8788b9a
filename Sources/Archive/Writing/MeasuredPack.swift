extension Packager {
  /// The container that `layout`, with files below `root`, would be compressed to. Only the offsets
  /// of the blocks are kept.
  package func measure(
    _ layout: ArchiveLayout, root: BytePath
  ) throws(PackagingError) -> ContainerFacts {
    let starts = Monitor([UInt64]())
    let source = try ArchiveSource(layout, root: root)
    let counts = try writeContainer(of: source, to: CountingOutput(starts: starts)).counts
    if let signal = Interruption.pending { throw .interrupted(signal: signal) }
    return ContainerFacts(
      counts, compression.algorithm, blockStarts: starts.withLock { $0.sorted() })
  }
}

/// Records the offsets of the blocks that would be written, in any order.
private struct CountingOutput: PackOutput {
  let starts: Monitor<[UInt64]>

  func write(_ bytes: RawSpan, at offset: UInt64) {
    // The container's header isn't a block.
    if offset > 0 { starts.withLock { $0.append(offset) } }
  }
}
