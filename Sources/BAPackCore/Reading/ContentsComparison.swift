/// A file in two packs, or in two versions of one: where its contents are in each.
struct EntryPair {
  /// What the pair is called by.
  let id: Int
  /// Where the contents begin in the stream of the first pack.
  fileprivate let oldStart: UInt64
  /// The contents in the stream of the second pack, of the same size.
  fileprivate let newContents: Range<UInt64>

  /// Nil for entries without contents; otherwise their sizes must be the same.
  init?(id: Int, old: EntryHeader, new: EntryHeader) {
    guard let oldContents = old.contents, let newContents = new.contents, !newContents.isEmpty
    else {
      return nil
    }
    self.id = id
    oldStart = oldContents.lowerBound
    self.newContents = newContents
  }
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
  var ranges = pairs.indices.map { StreamRange(id: $0, range: pairs[$0].newContents) }
  ranges.sort { $0.range.lowerBound < $1.range.lowerBound }
  let comparison = ContentsComparison(old, pairs)
  // Each thread holds two blocks of the old pack besides those of the new one.
  let jobs = affordableJobs(jobs, pieceSize: old.container.kind.pieceSize)
  try readPieces(new.input, new.container, ranges, jobs: jobs, into: comparison)
  return Set(comparison.different.map { pairs[$0].id })
}

/// Holds pieces of files in the new pack against the same bytes in the old one.
private final class ContentsComparison: PieceSink {
  private let old: Pack
  private let pairs: [EntryPair]
  private let found = Monitor<Set<Int>>([])

  /// The pieces are called by the index of their pair in `pairs`.
  init(_ old: Pack, _ pairs: [EntryPair]) {
    self.old = old
    self.pairs = pairs
  }

  var different: Set<Int> { found.withLock { $0 } }

  func makeWorker() throws(ArchiveError) -> BlockCache {
    try BlockCache(old.input, old.container)
  }

  func piece(
    _ id: Int, _ offset: UInt64, _ bytes: RawSpan, _ cache: inout BlockCache
  ) throws(ArchiveError) {
    if found.withLock({ $0.contains(id) }) { return }
    if try !cache.holds(bytes, at: pairs[id].oldStart + offset) {
      found.withLock { _ = $0.insert(id) }
    }
  }
}
