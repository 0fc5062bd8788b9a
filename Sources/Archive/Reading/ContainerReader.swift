import Synchronization

/// Receives the uncompressed bytes of an archive's blocks in order.
package protocol BlockSink: AnyObject, Sendable {
  associatedtype Worker = Void
  /// The work that is left to do for a block.
  associatedtype Rest = Void
  /// Creates a thread's state. Fails only for lack of memory.
  func makeWorker() throws(Errno) -> Worker
  /// Receives a block with its uncompressed bytes, if it was decoded; called by one thread at a
  /// time. Returns the offset in the archive stream from which bytes are needed: blocks that end
  /// before it may be ``BlockOutcome/skipped``.
  func receive(
    _ outcome: BlockOutcome, _ bytes: RawSpan, of place: BlockPlace
  ) throws -> (neededFrom: UInt64, rest: Rest)
  /// The container is truncated. Returns whether that is acceptable.
  func ended(_ damage: ArchiveDamage) throws -> Bool
  /// Does the rest with the same bytes; called by several threads at once.
  func finish(_ rest: Rest, _ bytes: RawSpan, _ worker: inout Worker) throws
}

extension BlockSink {
  package func ended(_ damage: ArchiveDamage) -> Bool { false }
}

extension BlockSink where Worker == Void {
  package func makeWorker() {}
}

extension BlockSink where Rest == Void {
  package func finish(_ rest: Void, _ bytes: RawSpan, _ worker: inout Worker) {}
}

package enum BlockOutcome: Sendable {
  case decoded
  case skipped
  case damaged(ArchiveDamage)
}

/// Reads all blocks of `input`, decodes them on up to `jobs` threads, and passes them to `sink`.
///
/// Blocks are claimed by reading their headers, decoded in any order and delivered in order: see
/// ``OrderedPipeline``. From a pipe, the payload is read with the header. A block that isn't needed
/// when it is claimed is not decoded; a damaged one is passed to the sink, which decides whether
/// that matters. Damage to the container's structure ends the pass.
package func readBlocks<Sink: BlockSink>(
  _ input: ArchiveInput, _ kind: ContainerKind, limits: ReadingLimits, jobs: Int,
  into sink: Sink
) throws -> ContainerFacts {
  let reader = ContainerReader(input, kind, limits, sink)
  let jobs = affordableJobs(jobs, pieceSize: kind.pieceSize)
  try OrderedPipeline(jobs: jobs).run(reader)
  return reader.facts
}

/// Claims are made by one thread at a time, and so are deliveries, with the pipeline's lock between
/// them. State shared by both is atomic.
private final class ContainerReader<Sink: BlockSink>: PipelineStages, @unchecked Sendable {
  private let input: ArchiveInput
  private let kind: ContainerKind
  private let sink: Sink
  private let neededFrom = Atomic<UInt64>(0)
  // Used only by claims, and by the owner after all threads have ended.
  private var cursor: BlockCursor
  private var hasEnded = false
  private(set) var facts: ContainerFacts

  /// A block that is needed, one with its outcome, or damage to the container where the next one
  /// should begin. That damage is reported only after all earlier blocks were delivered.
  enum Claim: Sendable {
    case needed(BlockPlace)
    case block(BlockPlace, BlockOutcome)
    case end(ArchiveDamage)
  }

  init(_ input: ArchiveInput, _ kind: ContainerKind, _ limits: ReadingLimits, _ sink: Sink) {
    self.input = input
    self.kind = kind
    self.sink = sink
    cursor = BlockCursor(input, kind, rawLimit: limits.rawSize)
    facts = ContainerFacts(kind: kind)
  }

  struct Worker {
    var loader: BlockLoader
    var sink: Sink.Worker
  }

  /// The work that the sink has left, and the number of bytes it applies to.
  struct Rest {
    /// Nil after the end of the container.
    let rest: Sink.Rest?
    let count: Int
  }

  func makeWorker() throws(Errno) -> Worker {
    Worker(loader: try BlockLoader(input, kind), sink: try sink.makeWorker())
  }

  func makeBuffer() throws(Errno) -> Buffer { try Buffer(size: kind.pieceSize) }

  func claim(_ index: Int, _ buffer: Buffer) throws -> Claim? {
    try Interrupted.check()
    if hasEnded { return nil }
    let next: BlockPlace?
    do {
      next = try input.size == nil ? nextOfPipe(buffer) : cursor.next()
    } catch let damage as ArchiveDamage {
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
      _ = facts.addBlock(
        rawSize: place.rawSize, storedSize: place.headerSize + place.storedSize,
        isStored: place.isStored)
    } else {
      facts.rawSize = place.rawRange.upperBound
      facts.packedSize = facts.rawSize
    }
    let needed = place.rawRange.upperBound > neededFrom.load(ordering: .relaxed)
    return needed ? .needed(place) : .block(place, .skipped)
  }

  /// The next block, with its payload in `buffer`.
  private func nextOfPipe(_ buffer: Buffer) throws -> BlockPlace? {
    if kind == .bare {
      let count = try input.read(into: buffer, kind.pieceSize, at: cursor.fileOffset)
      return count == 0 ? nil : try cursor.piece(of: count)
    }
    guard let place = try cursor.next() else { return nil }
    let count = try input.read(into: buffer, place.storedSize, at: place.payloadOffset)
    guard count == place.storedSize else { throw place.cut(after: count) }
    return place
  }

  func process(
    _ claim: Claim, _ index: Int, _ buffer: inout Buffer, _ worker: inout Worker
  ) throws -> Claim {
    guard case .needed(let place) = claim else { return claim }
    do {
      if input.size == nil {
        try worker.loader.decode(place, in: &buffer)
      } else {
        try worker.loader.load(place, into: buffer)
      }
      return .block(place, .decoded)
    } catch let damage as ArchiveDamage {
      return .block(place, .damaged(damage))
    }
  }

  func deliver(_ claim: Claim, _ index: Int, _ buffer: Buffer) throws -> Rest {
    if case .end(let damage) = claim, try !sink.ended(damage) { throw damage }
    guard case .block(let place, let outcome) = claim else { return Rest(rest: nil, count: 0) }
    var count = 0
    if case .decoded = outcome { count = place.rawSize }
    let (needed, rest) = try buffer.withSpan(..<count) {
      try sink.receive(outcome, $0, of: place)
    }
    neededFrom.store(needed, ordering: .relaxed)
    return Rest(rest: rest, count: count)
  }

  func finish(
    _ rest: Rest, _ index: Int, _ buffer: Buffer, _ worker: inout Worker
  ) throws {
    guard let left = rest.rest else { return }
    try buffer.withSpan(..<rest.count) { try sink.finish(left, $0, &worker.sink) }
  }
}
