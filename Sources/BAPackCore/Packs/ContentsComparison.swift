/// Pairs of files in two packs whose contents are to be compared, in a compact form.
struct EntryPairs {
  /// The offsets of the contents in the first pack's stream.
  private var oldStarts: [UInt64] = []
  /// The ranges of the contents in the second pack's stream, of the same sizes.
  private var ranges: [StreamRange] = []

  /// Adds a pair of entries, whose contents must have the same size, which is not 0.
  mutating func append(old: PackEntry, new: PackEntry) {
    guard let oldContents = old.contents, let newContents = new.contents else { return }
    ranges.append(StreamRange(id: ranges.count, range: newContents))
    oldStarts.append(oldContents.lowerBound)
  }

  /// The indices of the pairs whose contents differ, in the order they were added. Calls `progress`
  /// with the number of bytes compared.
  consuming func differing(
    of old: PackIndex, and new: PackIndex, jobs: Int,
    progress: @escaping @Sendable (UInt64) -> Void = { _ in }
  ) throws -> Set<Int> {
    ranges.sort { $0.range.lowerBound < $1.range.lowerBound }
    let ((oldInput, oldFacts), (input, facts)) = (try old.archive(), try new.archive())
    let state = Monitor((different: Set<Int>(), compared: UInt64(0)))
    // Each thread has two blocks of the old pack in memory, besides those of the new one.
    let jobs = affordableJobs(jobs, pieceSize: oldFacts.kind.pieceSize)
    let starts = oldStarts
    try readPieces(
      ranges, of: input, facts, jobs: jobs,
      makeWorker: { () throws(Errno) in try BlockCache(oldInput, oldFacts) },
      piece: { file, offset, bytes, cache in
        if state.withLock({ $0.different.contains(file.id) }) { return }
        let isDifferent = try !cache.contains(bytes, at: starts[file.id] + offset)
        progress(
          state.withLock { state in
            if isDifferent { state.different.insert(file.id) }
            state.compared += UInt64(bytes.byteCount)
            return state.compared
          })
      })
    return state.withLock(\.different)
  }
}

extension PackEntry {
  /// Whether the entries can only differ in their contents.
  func hasSameMetadata(as other: PackEntry) -> Bool {
    kind == other.kind && size == other.size && linkTarget == other.linkTarget
      && (kind != .file || isExecutable == other.isExecutable)
  }
}
