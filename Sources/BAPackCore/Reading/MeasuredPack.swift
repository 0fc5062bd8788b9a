extension Packager {
  /// What the container of `layout`, whose files are below `root`, would be: everything is packed,
  /// and nothing is kept but where the blocks begin.
  package func measure(
    _ layout: ArchiveLayout, root: BytePath
  ) throws(PackagingError) -> ContainerFacts {
    let written = Monitor(Written())
    let source = try ArchiveSource(layout, root: root)
    let counts = try writeContainer(of: source, to: CountingOutput(written: written)).counts
    if let signal = Interruption.pending { throw .interrupted(signal: signal) }
    return ContainerFacts(
      counts, compression.algorithm, blockStarts: written.withLock { $0.blockStarts })
  }
}

/// Where the blocks of a container begin, and its size so far.
private struct Written {
  var size: UInt64 = 0
  var blockStarts: [UInt64] = []
}

/// Counts what would be written: first the container's header, then one block each time.
private struct CountingOutput: PackOutput {
  let written: Monitor<Written>

  func write(_ bytes: UnsafeRawBufferPointer) {
    written.withLock { written in
      if written.size > 0 { written.blockStarts.append(written.size) }
      written.size += UInt64(bytes.count)
    }
  }
}
