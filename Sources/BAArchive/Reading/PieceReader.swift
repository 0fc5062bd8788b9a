/// A range of an archive stream to read.
package struct StreamRange: Sendable {
  /// The ID that its pieces are reported with.
  package let id: Int
  package let range: Range<UInt64>
  let digest: EntryDigest?

  package init(id: Int, range: Range<UInt64>) {
    self.id = id
    self.range = range
    digest = nil
  }

  /// The contents of `entry`, to be checked against the SHA-256 in its header; nil if they are
  /// empty.
  package init?(id: Int, contentsOf entry: PackEntry) {
    guard let range = entry.contents, !range.isEmpty else { return nil }
    self.id = id
    self.range = range
    digest = EntryDigest(entry)
  }
}

/// Decodes only the blocks of `input` that contain any of `ranges`, and passes their pieces to
/// `piece`, in any order, on several threads, each with its own worker, and to `orderedPiece` in the
/// order of the archive: the range, the offset in it, and the bytes. Contents that don't match the
/// digest in their header are damage. The ranges must be ascending, disjoint, and within the stream.
/// A pipe can't be read again, which is an error.
package func readPieces<Worker>(
  _ ranges: [StreamRange], of input: ArchiveInput, _ facts: ContainerFacts, jobs: Int,
  makeWorker: @escaping () throws(Errno) -> Worker,
  piece: @escaping (StreamRange, UInt64, RawSpan, inout Worker) throws -> Void = { _, _, _, _ in },
  orderedPiece: @escaping (StreamRange, UInt64, RawSpan) throws -> Void = { _, _, _ in }
) throws {
  do {
    if input.size == nil, !ranges.isEmpty {
      throw SystemError(.readAgain, input.path, code: .illegalSeek)
    }
    let jobs = affordableJobs(jobs, pieceSize: facts.kind.pieceSize)
    try OrderedPipeline(jobs: jobs).run(
      PieceReader(input, facts, ranges, makeWorker, piece, orderedPiece))
  } catch {
    throw input.error(error)
  }
}

/// Claims are made by one thread at a time, and so are deliveries, with the pipeline's lock between
/// them. Everything else is constant.
private final class PieceReader<State>: PipelineStages, @unchecked Sendable {
  private let input: ArchiveInput
  private let facts: ContainerFacts
  private let ranges: [StreamRange]
  private let makeState: () throws(Errno) -> State
  private let piece: (StreamRange, UInt64, RawSpan, inout State) throws -> Void
  private let orderedPiece: (StreamRange, UInt64, RawSpan) throws -> Void
  // Used only by claims: the first unfinished range, and the position in the stream.
  private var nextRange = 0
  private var position: UInt64 = 0

  /// A block, and the ranges that overlap it.
  typealias Claim = (place: BlockPlace, ranges: Range<Int>)
  typealias Worker = (loader: BlockLoader, state: State)

  init(
    _ input: ArchiveInput, _ facts: ContainerFacts, _ ranges: [StreamRange],
    _ makeState: @escaping () throws(Errno) -> State,
    _ piece: @escaping (StreamRange, UInt64, RawSpan, inout State) throws -> Void,
    _ orderedPiece: @escaping (StreamRange, UInt64, RawSpan) throws -> Void
  ) {
    self.input = input
    self.facts = facts
    self.ranges = ranges
    self.makeState = makeState
    self.piece = piece
    self.orderedPiece = orderedPiece
  }

  func makeWorker() throws(Errno) -> Worker {
    (try BlockLoader(input, facts.kind), try makeState())
  }

  func makeBuffer() throws(Errno) -> Buffer { try Buffer(size: facts.kind.pieceSize) }

  func claim(_ buffer: Buffer) throws -> Claim? {
    try Interrupted.check()
    while nextRange < ranges.count, ranges[nextRange].range.upperBound <= position {
      nextRange += 1
    }
    guard nextRange < ranges.count else { return nil }
    let place = facts.block(holding: max(position, ranges[nextRange].range.lowerBound))
    position = place.rawRange.upperBound
    var end = nextRange
    while end < ranges.count, ranges[end].range.lowerBound < position { end += 1 }
    return (place, nextRange..<end)
  }

  func process(
    _ claim: Claim, _ buffer: inout Buffer, _ worker: inout Worker
  ) throws -> Claim {
    try worker.loader.load(claim.place, into: buffer)
    for (wanted, offset, part) in pieces(claim) {
      try buffer.withSpan(part) { try piece(wanted, offset, $0, &worker.state) }
    }
    return claim
  }

  func deliver(_ claim: Claim, _ buffer: Buffer) throws {
    for (wanted, offset, part) in pieces(claim) {
      try buffer.withSpan(part) { bytes in
        wanted.digest?.update(bytes)
        if claim.place.rawRange.upperBound >= wanted.range.upperBound,
          let problem = wanted.digest?.problem
        {
          throw problem
        }
        try orderedPiece(wanted, offset, bytes)
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
