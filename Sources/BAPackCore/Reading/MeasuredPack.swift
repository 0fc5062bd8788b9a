extension Packager {
  /// What the container of `layout`, whose files are below `root`, would be: everything is packed,
  /// and nothing is kept but where the blocks begin.
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

/// Notes where the blocks begin that would be written, in any order.
private struct CountingOutput: PackOutput {
  let starts: Monitor<[UInt64]>

  func write(_ bytes: RawSpan, at offset: UInt64) {
    // The container's header is not a block.
    if offset > 0 { starts.withLock { $0.append(offset) } }
  }
}
