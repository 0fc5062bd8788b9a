import BAArchive

extension Packager {
  /// Writes the pack of `layout`, with files below `root`, to `output`, completely or not at all.
  package func write(
    _ layout: ArchiveLayout, root: BytePath, to output: BytePath
  ) throws -> ContainerFacts {
    try checkOutput(output)
    let source = try ArchiveSource(layout, root: root)
    let pack = try PackInWork(
      of: source, to: try makeOutput(output), compression.codec.algorithm)
    try complete(pack)
    _ = try publish(pack)
    return pack.container
  }
}
