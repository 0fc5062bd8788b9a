/// Pairs of files in two packs whose contents are to be compared, in a compact form.
struct EntryPairs {
  /// The offsets of the contents in the first pack's stream.
  fileprivate var oldStarts: [UInt64] = []
  /// The ranges of the contents in the second pack's stream, of the same sizes.
  fileprivate var ranges: [StreamRange] = []

  /// Adds a pair of entries, whose contents must have the same size, which is not 0.
  mutating func append(old: EntryHeader, new: EntryHeader) {
    guard let oldContents = old.contents, let newContents = new.contents else { return }
    ranges.append(StreamRange(id: ranges.count, range: newContents))
    oldStarts.append(oldContents.lowerBound)
  }
}

extension EntryHeader {
  /// Whether the entries can only differ in their contents.
  func looksLike(_ other: EntryHeader) -> Bool {
    kind == other.kind && size == other.size && linkTarget == other.linkTarget
      && (kind != .file || isExecutable == other.isExecutable)
  }
}

/// The indices of those `pairs` whose contents differ, in the order they were added. Calls
/// `progress` with the number of bytes compared.
func pairsThatDiffer(
  _ pairs: consuming EntryPairs, of old: PackIndex, and new: PackIndex, jobs: Int,
  progress: @escaping @Sendable (UInt64) -> Void = { _ in }
) throws -> Set<Int> {
  pairs.ranges.sort { $0.range.lowerBound < $1.range.lowerBound }
  let (old, new) = (try old.archive(), try new.archive())
  let comparison = ContentsComparison(old, pairs.oldStarts, progress)
  // Each thread has two blocks of the old pack in memory, besides those of the new one.
  let jobs = affordableJobs(jobs, pieceSize: old.1.kind.pieceSize)
  do {
    try readPieces(new.0, new.1, pairs.ranges, jobs: jobs, into: comparison)
  } catch {
    throw new.0.error(error)
  }
  return comparison.different
}

/// Compares pieces of files in the new pack with the same bytes in the old one.
private final class ContentsComparison: PieceSink {
  private let old: (ArchiveInput, ContainerFacts)
  /// The offset of each file in the old pack.
  private let starts: [UInt64]
  private let progress: @Sendable (UInt64) -> Void
  private let state = Monitor(State())

  private struct State {
    var different: Set<Int> = []
    var compared: UInt64 = 0
  }

  init(
    _ old: (ArchiveInput, ContainerFacts), _ starts: [UInt64],
    _ progress: @escaping @Sendable (UInt64) -> Void
  ) {
    self.old = old
    self.starts = starts
    self.progress = progress
  }

  var different: Set<Int> { state.withLock(\.different) }

  func makeWorker() throws(Errno) -> BlockCache {
    try BlockCache(old.0, old.1)
  }

  func piece(_ id: Int, _ offset: UInt64, _ bytes: RawSpan, _ cache: inout BlockCache) throws {
    if state.withLock({ $0.different.contains(id) }) { return }
    let isDifferent = try !cache.holds(bytes, at: starts[id] + offset)
    let compared = state.withLock { state in
      if isDifferent { state.different.insert(id) }
      state.compared += UInt64(bytes.byteCount)
      return state.compared
    }
    progress(compared)
  }
}
