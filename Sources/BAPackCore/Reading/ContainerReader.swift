import Synchronization

/// Takes the raw bytes of an archive's blocks in their order.
package protocol BlockSink: AnyObject, Sendable {
  /// What may go wrong.
  associatedtype Failure: ArchiveFailure
  /// What each thread has for itself.
  associatedtype Worker = Void
  /// What is left to do with a block.
  associatedtype Rest = Void
  /// Makes what one thread needs.
  func makeWorker() throws(Failure) -> Worker
  /// Takes a block with its raw bytes, which are none unless it was decoded; called by one thread at
  /// a time. Returns the byte of the archive stream from which on bytes are needed: whole blocks
  /// before it may come as ``BlockOutcome/skipped``.
  func receive(
    _ outcome: BlockOutcome, _ bytes: RawSpan, of place: BlockPlace
  ) throws(Failure) -> (neededFrom: UInt64, rest: Rest)
  /// The container ends early. Returns whether that is not an error.
  func ended(_ damage: ArchiveDamage) -> Bool
  /// Does the rest with the same bytes; called by several threads at once.
  func finish(_ rest: Rest, _ bytes: RawSpan, _ worker: inout Worker) throws(Failure)
}

extension BlockSink {
  package func ended(_ damage: ArchiveDamage) -> Bool { false }
}

extension BlockSink where Worker == Void {
  package func makeWorker() throws(Failure) {}
}

extension BlockSink where Rest == Void {
  package func finish(_ rest: Void, _ bytes: RawSpan, _ worker: inout Worker) throws(Failure) {}
}

/// What became of a block.
package enum BlockOutcome: Sendable {
  /// Its raw bytes are there.
  case decoded
  /// Nobody needs it.
  case skipped
  /// It can't be decoded.
  case damaged(ArchiveDamage)
}

extension ContainerKind {
  /// Whether the format has a checksum for the bytes of that block.
  func hasChecksum(_ block: BlockPlace) -> Bool {
    if case .blocks(.zlib, _) = self { return !block.isStored }
    return false
  }
}

/// Reads all blocks of `input` and hands them to `sink`, decoded by up to `jobs` threads at once.
///
/// Blocks are claimed by hopping over their headers, decoded in any order and handed on in order: see
/// ``OrderedPipeline``. From a pipe, the payload is read with the header. A block that the sink does
/// not need by the time it is claimed is not decoded; one that is damaged is handed on as such, so
/// that the sink can tell whether it matters. Damage to the frame itself ends the pass.
package func readBlocks<Sink: BlockSink>(
  _ input: ArchiveInput, _ kind: ContainerKind, limits: ReadingLimits, jobs: Int,
  into sink: Sink
) throws(Sink.Failure) -> ContainerFacts {
  let reader = ContainerReader(input, kind, limits, sink)
  let jobs = affordableJobs(jobs, pieceSize: kind.pieceSize)
  try OrderedPipeline(jobs: jobs).run(reader)
  return reader.facts
}

/// The claims are made by one thread at a time, as are the deliveries; the pipeline's lock stands
/// between two of them. What both touch is atomic.
private final class ContainerReader<Sink: BlockSink>: PipelineStages, @unchecked Sendable {
  typealias Failure = Sink.Failure

  private let input: ArchiveInput
  private let kind: ContainerKind
  private let sink: Sink
  private let neededFrom = Atomic<UInt64>(0)
  // Touched by claims only, and by the owner when all have ended.
  private var cursor: BlockCursor
  private var hasEnded = false
  private(set) var facts: ContainerFacts

  /// A block, or what is wrong with the frame where the next one should begin: that must not be told
  /// before all blocks before it are handed on.
  enum Claim: Sendable {
    case block(BlockPlace, isNeeded: Bool)
    case end(ArchiveDamage)
  }

  enum Product: Sendable {
    case block(BlockPlace, BlockOutcome)
    case end(ArchiveDamage)
  }

  init(_ input: ArchiveInput, _ kind: ContainerKind, _ limits: ReadingLimits, _ sink: Sink) {
    self.input = input
    self.kind = kind
    self.sink = sink
    cursor = BlockCursor(input, kind, rawLimit: limits.rawSize)
    facts = ContainerFacts(kind: kind)
    facts.packedSize = kind == .bare ? 0 : UInt64(ContainerKind.headerSize)
  }

  struct Worker {
    var loader: BlockLoader
    var sink: Sink.Worker
  }

  /// What the sink has left to do, and how many bytes of the buffer it is about.
  struct Rest {
    /// Nil behind the end of the container.
    let rest: Sink.Rest?
    let count: Int
  }

  func makeWorker() throws(Sink.Failure) -> Worker {
    let loader = try mapping(Sink.Failure.init, BlockLoader(input, kind))
    return Worker(loader: loader, sink: try sink.makeWorker())
  }

  func makeBuffer() throws(Sink.Failure) -> Buffer {
    try mapping(Sink.Failure.init, input.makeBuffer(kind.pieceSize))
  }

  func claim(_ index: Int, _ buffer: Buffer) throws(Sink.Failure) -> Claim? {
    try mapping(Sink.Failure.init, next(buffer))
  }

  private func next(_ buffer: Buffer) throws(ArchiveError) -> Claim? {
    try input.checkInterruption()
    if hasEnded { return nil }
    let next: BlockPlace?
    do throws(ArchiveError) {
      next = try input.size == nil ? nextOfPipe(buffer) : cursor.next()
    } catch {
      guard case .damage(let damage) = error.cause else { throw error }
      hasEnded = true
      return .end(damage)
    }
    guard let place = next else { return nil }
    if place.headerSize > 0 {
      guard facts.blocks < ReadingLimits.blocks else {
        hasEnded = true
        return .end(
          ArchiveDamage(
            .limit, "the container has more than \(grouped(ReadingLimits.blocks)) blocks",
            at: ArchivePlace(block: place.number, file: place.fileOffset)))
      }
      facts.blocks += 1
      if place.isStored { facts.storedBlocks += 1 }
    }
    if place.headerSize > 0 { facts.blockStarts.append(place.fileOffset) }
    facts.rawSize = place.rawRange.upperBound
    facts.packedSize = place.payloadOffset + UInt64(place.storedSize)
    let needed = place.rawRange.upperBound > neededFrom.load(ordering: .relaxed)
    return .block(place, isNeeded: needed)
  }

  /// The next block, with its payload in `buffer`.
  private func nextOfPipe(_ buffer: Buffer) throws(ArchiveError) -> BlockPlace? {
    if kind == .bare {
      let count = try unsafe input.read(into: buffer.bytes, at: cursor.fileOffset)
      return count == 0 ? nil : try cursor.piece(of: count)
    }
    guard let place = try cursor.next() else { return nil }
    let count = try unsafe input.read(into: buffer[..<place.storedSize], at: place.payloadOffset)
    guard count == place.storedSize else { throw input.error(place.cut(after: count)) }
    return place
  }

  func process(
    _ claim: Claim, _ index: Int, _ buffer: inout Buffer, _ worker: inout Worker
  ) throws(Sink.Failure) -> Product {
    let place: BlockPlace
    switch claim {
    case .end(let damage): return .end(damage)
    case .block(let skipped, isNeeded: false): return .block(skipped, .skipped)
    case .block(let needed, isNeeded: true): place = needed
    }
    do throws(ArchiveError) {
      if input.size == nil {
        try worker.loader.decode(place, in: &buffer)
      } else {
        try worker.loader.load(place, into: buffer)
      }
      return .block(place, .decoded)
    } catch {
      guard case .damage(let damage) = error.cause else { throw Sink.Failure(error) }
      return .block(place, .damaged(damage))
    }
  }

  func deliver(
    _ product: Product, _ index: Int, _ buffer: Buffer
  ) throws(Sink.Failure) -> Rest {
    let (place, outcome): (BlockPlace, BlockOutcome)
    switch product {
    case .end(let damage):
      if sink.ended(damage) { return Rest(rest: nil, count: 0) }
      throw Sink.Failure(input.error(damage))
    case .block(let block, let result): (place, outcome) = (block, result)
    }
    var count = 0
    if case .decoded = outcome { count = place.rawSize }
    // In range: no block is larger than a buffer.
    let (needed, rest) = try unsafe sink.receive(outcome, buffer[..<count].bytes, of: place)
    neededFrom.store(needed, ordering: .relaxed)
    return Rest(rest: rest, count: count)
  }

  func finish(
    _ rest: Rest, _ index: Int, _ buffer: Buffer, _ worker: inout Worker
  ) throws(Sink.Failure) {
    guard let left = rest.rest else { return }
    try unsafe sink.finish(left, buffer[..<rest.count].bytes, &worker.sink)
  }
}
