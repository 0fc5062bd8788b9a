/// A range of an archive stream to read.
package struct StreamRange: Sendable {
  /// The ID that its pieces are reported with.
  package let id: Int
  /// The range; not empty.
  package let range: Range<UInt64>
  /// The digest to check the bytes against.
  let stated: StatedDigest?

  package init(id: Int, range: Range<UInt64>) {
    self.id = id
    self.range = range
    stated = nil
  }

  /// The contents of `entry`, to be checked against the SHA-256 in its header; nil if they are
  /// empty.
  package init?(id: Int, contentsOf entry: EntryHeader) {
    guard let range = entry.contents, !range.isEmpty else { return nil }
    self.id = id
    self.range = range
    stated = StatedDigest(entry)
  }
}

/// An error in reading an archive, or in processing its bytes.
package protocol ArchiveFailure: Error {
  /// An error in reading the archive.
  init(_ error: ArchiveError)
}

extension ArchiveError: ArchiveFailure {
  package init(_ error: ArchiveError) { self = error }
}

/// Receives pieces of the requested ranges.
package protocol PieceSink: AnyObject, Sendable {
  /// The private state of a thread.
  associatedtype Worker
  /// The type of errors.
  associatedtype Failure: ArchiveFailure
  /// Creates a thread's state.
  func makeWorker() throws(Failure) -> Worker
  /// Receives the bytes at `offset` of range `id`, in any order, on several threads.
  func piece(
    _ id: Int, _ offset: UInt64, _ bytes: RawSpan, _ worker: inout Worker
  ) throws(Failure)
  /// Receives the bytes at `offset` of range `id`, in the order of the archive.
  func orderedPiece(_ id: Int, _ offset: UInt64, _ bytes: RawSpan) throws(Failure)
}

extension PieceSink {
  package func orderedPiece(_ id: Int, _ offset: UInt64, _ bytes: RawSpan) throws(Failure) {}
}

extension PieceSink where Worker == Void {
  package func makeWorker() throws(Failure) {}
  package func piece(
    _ id: Int, _ offset: UInt64, _ bytes: RawSpan, _ worker: inout Void
  ) throws(Failure) {}
}

/// Decodes only the blocks of `input` that contain any of `ranges`, and passes their pieces to
/// `sink`. Contents that don't match the digest in their header are damage. The ranges must be
/// ascending, disjoint, and within the stream. For a pipe, which can't be read again, throws a
/// system error.
package func readPieces<Sink: PieceSink>(
  _ input: ArchiveInput, _ facts: ContainerFacts, _ ranges: [StreamRange], jobs: Int,
  into sink: Sink
) throws(Sink.Failure) {
  if input.size == nil, !ranges.isEmpty {
    throw Sink.Failure(input.failure(SystemError(.readAgain, input.path, code: .illegalSeek)))
  }
  let jobs = affordableJobs(jobs, pieceSize: facts.kind.pieceSize)
  try OrderedPipeline(jobs: jobs).run(PieceReader(input, facts, ranges, sink))
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
  // Used only by deliveries: the digest of the current contents.
  private var digest: EntryDigest?

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

  func makeWorker() throws(Sink.Failure) -> Worker {
    let loader = try mapping(Sink.Failure.init, BlockLoader(input, facts.kind))
    return Worker(loader: loader, sink: try sink.makeWorker())
  }

  func makeBuffer() throws(Sink.Failure) -> Buffer {
    try mapping(Sink.Failure.init, input.makeBuffer(facts.kind.pieceSize))
  }

  func claim(_ index: Int, _ buffer: Buffer) throws(Sink.Failure) -> Claim? {
    try mapping(Sink.Failure.init, input.checkInterruption())
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
  ) throws(Sink.Failure) -> Claim {
    try mappingErrors(Sink.Failure.init) {
      [loader = worker.loader, buffer] () throws(ArchiveError) in
      try loader.load(claim.place, into: buffer)
    }
    for (wanted, offset, part) in pieces(claim) {
      // In range: `pieces` clamps to the block.
      try unsafe sink.piece(wanted.id, offset, buffer[part].bytes, &worker.sink)
    }
    return claim
  }

  func deliver(_ claim: Claim, _ index: Int, _ buffer: Buffer) throws(Sink.Failure) {
    for (wanted, offset, part) in pieces(claim) {
      let bytes = unsafe buffer[part].bytes
      if wanted.stated != nil { try check(bytes, of: wanted, at: offset) }
      try sink.orderedPiece(wanted.id, offset, bytes)
    }
  }

  private func check(
    _ bytes: RawSpan, of wanted: StreamRange, at offset: UInt64
  ) throws(Sink.Failure) {
    if offset == 0 { digest = wanted.stated.flatMap { EntryDigest($0.entry) } }
    digest?.update(bytes)
    guard wanted.range.lowerBound + offset + UInt64(bytes.byteCount) == wanted.range.upperBound
    else { return }
    if let problem = digest?.problem { throw Sink.Failure(input.error(problem)) }
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
