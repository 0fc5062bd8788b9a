/// A range of an archive stream to read.
package struct StreamRange: Sendable {
  /// The ID that its pieces are reported with.
  package let id: Int
  /// The range; not empty.
  package let range: Range<UInt64>
  /// The digest to check the bytes against.
  let digest: EntryDigest?

  package init(id: Int, range: Range<UInt64>) {
    self.id = id
    self.range = range
    digest = nil
  }

  /// The contents of `entry`, to be checked against the SHA-256 in its header; nil if they are
  /// empty.
  package init?(id: Int, contentsOf entry: EntryHeader) {
    guard let range = entry.contents, !range.isEmpty else { return nil }
    self.id = id
    self.range = range
    digest = EntryDigest(entry)
  }
}

/// Receives pieces of the requested ranges.
package protocol PieceSink: AnyObject, Sendable {
  /// The private state of a thread.
  associatedtype Worker
  /// Creates a thread's state. Fails only for lack of memory.
  func makeWorker() throws(Errno) -> Worker
  /// Receives the bytes at `offset` of range `id`, in any order, on several threads.
  func piece(
    _ id: Int, _ offset: UInt64, _ bytes: RawSpan, _ worker: inout Worker
  ) throws
  /// Receives the bytes at `offset` of range `id`, in the order of the archive.
  func orderedPiece(_ id: Int, _ offset: UInt64, _ bytes: RawSpan) throws
}

extension PieceSink {
  package func orderedPiece(_ id: Int, _ offset: UInt64, _ bytes: RawSpan) {}
}

extension PieceSink where Worker == Void {
  package func makeWorker() {}
  package func piece(_ id: Int, _ offset: UInt64, _ bytes: RawSpan, _ worker: inout Void) {}
}

/// Decodes only the blocks of `input` that contain any of `ranges`, and passes their pieces to
/// `sink`. Contents that don't match the digest in their header are damage. The ranges must be
/// ascending, disjoint, and within the stream. A pipe can't be
/// read again, which is an error.
package func readPieces<Sink: PieceSink>(
  _ input: ArchiveInput, _ facts: ContainerFacts, _ ranges: [StreamRange], jobs: Int,
  into sink: Sink
) throws {
  if input.size == nil, !ranges.isEmpty {
    throw input.error(SystemError(.readAgain, input.path, code: .illegalSeek))
  }
  let jobs = affordableJobs(jobs, pieceSize: facts.kind.pieceSize)
  do {
    try OrderedPipeline(jobs: jobs).run(PieceReader(input, facts, ranges, sink))
  } catch let damage as ArchiveDamage {
    throw input.error(damage)
  } catch let code as Errno {
    throw input.error(code)
  }
}

/// Claims are made by one thread at a time, and so are deliveries, with the pipeline's lock between
/// them. Everything else is constant.
private final class PieceReader<Sink: PieceSink>: PipelineStages, @unchecked Sendable {
  private let input: ArchiveInput
  private let facts: ContainerFacts
  private let ranges: [StreamRange]
  private let sink: Sink
  // Used only by claims: the first unfinished range, and the position in the stream.
  private var nextRange = 0
  private var position: UInt64 = 0

  struct Claim: Sendable {
    let place: BlockPlace
    /// The ranges that overlap the block.
    let ranges: Range<Int>
  }

  struct Worker {
    let loader: BlockLoader
    var sink: Sink.Worker
  }

  init(_ input: ArchiveInput, _ facts: ContainerFacts, _ ranges: [StreamRange], _ sink: Sink) {
    self.input = input
    self.facts = facts
    self.ranges = ranges
    self.sink = sink
  }

  func makeWorker() throws(Errno) -> Worker {
    Worker(loader: try BlockLoader(input, facts.kind), sink: try sink.makeWorker())
  }

  func makeBuffer() throws(Errno) -> Buffer { try Buffer(size: facts.kind.pieceSize) }

  func claim(_ index: Int, _ buffer: Buffer) throws -> Claim? {
    try Interrupted.check()
    while nextRange < ranges.count, ranges[nextRange].range.upperBound <= position {
      nextRange += 1
    }
    guard nextRange < ranges.count else { return nil }
    let place = facts.block(holding: max(position, ranges[nextRange].range.lowerBound))
    position = place.rawRange.upperBound
    var end = nextRange
    while end < ranges.count, ranges[end].range.lowerBound < position { end += 1 }
    return Claim(place: place, ranges: nextRange..<end)
  }

  func process(
    _ claim: Claim, _ index: Int, _ buffer: inout Buffer, _ worker: inout Worker
  ) throws -> Claim {
    try worker.loader.load(claim.place, into: buffer)
    for (wanted, offset, part) in pieces(claim) {
      try buffer.withSpan(part) { try sink.piece(wanted.id, offset, $0, &worker.sink) }
    }
    return claim
  }

  func deliver(_ claim: Claim, _ index: Int, _ buffer: Buffer) throws {
    for (wanted, offset, part) in pieces(claim) {
      try buffer.withSpan(part) { bytes in
        wanted.digest?.update(bytes)
        if claim.place.rawRange.upperBound >= wanted.range.upperBound,
          let problem = wanted.digest?.problem
        {
          throw problem
        }
        try sink.orderedPiece(wanted.id, offset, bytes)
      }
    }
  }

  /// Each range that overlaps the block, the offset in the range, and the range of bytes in the
  /// block.
  private func pieces(_ claim: Claim) -> some Sequence<(StreamRange, UInt64, Range<Int>)> {
    let block = claim.place.rawRange
    return claim.ranges.lazy.map { [ranges] index in
      let wanted = ranges[index]
      let part = wanted.range.clamped(to: block)
      return (
        wanted, part.lowerBound - wanted.range.lowerBound,
        Int(part.lowerBound - block.lowerBound)..<Int(part.upperBound - block.lowerBound)
      )
    }
  }
}
