/// A file in two packs, or in two versions of one.
struct EntryPair {
  /// What the pair is called by.
  let id: Int
  /// The entry in the first pack.
  let old: EntryHeader
  /// The entry in the second pack.
  let new: EntryHeader
}

extension EntryHeader {
  /// Whether the headers leave open whether the contents differ.
  func looksLike(_ other: EntryHeader) -> Bool {
    kind == other.kind && size == other.size && linkTarget == other.linkTarget
      && (kind != .file || isExecutable == other.isExecutable)
  }
}

/// The ids of those `pairs` whose contents differ; their headers must look alike.
func pairsThatDiffer(
  _ pairs: [EntryPair], of old: Pack, and new: Pack, jobs: Int
) throws(ArchiveError) -> Set<Int> {
  let starts = Dictionary(
    uniqueKeysWithValues: pairs.map { ($0.id, $0.old.contents?.lowerBound ?? 0) })
  var ranges = pairs.compactMap { pair in
    pair.new.contents.map { StreamRange(id: pair.id, range: $0) }
  }.filter { !$0.range.isEmpty }
  ranges.sort { $0.range.lowerBound < $1.range.lowerBound }
  let comparison = ContentsComparison(old, starts)
  // Each thread holds two blocks of the old pack besides those of the new one.
  let jobs = affordableJobs(jobs, pieceSize: old.container.kind.pieceSize)
  try readPieces(new.input, new.container, ranges, jobs: jobs, into: comparison)
  return comparison.different
}

/// Holds pieces of files in the new pack against the same bytes in the old one.
private final class ContentsComparison: PieceSink {
  private let old: Pack
  private let starts: [Int: UInt64]
  private let found = Monitor<Set<Int>>([])

  /// `starts` are the places of the files' contents in the stream of the old pack.
  init(_ old: Pack, _ starts: [Int: UInt64]) {
    self.old = old
    self.starts = starts
  }

  var different: Set<Int> { found.withLock { $0 } }

  func makeWorker() throws(ArchiveError) -> BlockCache {
    try BlockCache(old.input, old.container)
  }

  func piece(
    _ id: Int, _ offset: UInt64, _ bytes: RawSpan, _ cache: inout BlockCache
  ) throws(ArchiveError) {
    if found.withLock({ $0.contains(id) }) { return }
    if try !cache.holds(bytes, at: (starts[id] ?? 0) + offset) {
      found.withLock { _ = $0.insert(id) }
    }
  }
}
