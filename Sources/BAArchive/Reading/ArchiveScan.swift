import Synchronization

/// Receives the entries of an archive during a scan. Except for ``finish(_:_:_:)``, it is used by
/// one thread at a time.
package protocol EntryVisitor: AnyObject {
  associatedtype Worker = Void
  /// The work that is left to do for a block.
  associatedtype Rest = Void
  /// Whether all blocks are decoded, to find any damage.
  var needsAllBlocks: Bool { get }
  /// Creates a thread's state. Fails only for lack of memory.
  func makeWorker() throws(Errno) -> Worker
  /// An entry begins. Returns whether its contents are wanted; blocks that contain nothing else may
  /// be skipped.
  func begin(_ entry: PackEntry) throws -> Bool
  /// The next bytes of the contents, if wanted, which are `range` of the block.
  func contents(_ bytes: RawSpan, _ range: Range<Int>)
  func end() throws
  /// The archive is damaged. Returns whether the scan continues, after lost or invalid headers at
  /// the next one that can be found. After lost contents it always does.
  func found(_ damage: ArchiveDamage, in part: ArchivePart) throws -> Bool
  /// The block is complete, but for the work that is returned.
  func endBlock() -> Rest
  /// Does the rest with all bytes of the block; called by several threads at once.
  func finish(_ rest: Rest, _ bytes: RawSpan, _ worker: inout Worker) throws
}

/// A part of an archive that can be damaged.
package enum ArchivePart {
  /// A block that contains only contents of the last entry.
  case contents
  /// A block that contains more than that.
  case headers
  /// The archive stream, which is invalid.
  case stream
  /// The container, which is truncated.
  case container
}

extension EntryVisitor {
  package var needsAllBlocks: Bool { false }
  package func contents(_ bytes: RawSpan, _ range: Range<Int>) {}
  package func end() {}
  package func found(_ damage: ArchiveDamage, in part: ArchivePart) throws -> Bool { throw damage }
}

extension EntryVisitor where Worker == Void, Rest == Void {
  package func makeWorker() {}
  package func endBlock() {}
  package func finish(_ rest: Void, _ bytes: RawSpan, _ worker: inout Void) {}
}

/// Passes all entries of `input` to `visitor`, in order; calls `progress` with the number of bytes
/// of the file read so far.
///
/// Blocks are claimed by reading their headers, decoded on up to `jobs` threads in any order, and
/// followed in order: see ``OrderedPipeline``. From a pipe, the payload is read with the header. A
/// block that isn't needed when it is claimed is not decoded; a damaged one matters only if its
/// bytes do. Damage to the container's structure ends the scan.
package func scanArchive(
  _ input: ArchiveInput, limits: ReadingLimits, jobs: Int, _ visitor: some EntryVisitor,
  progress: @escaping (UInt64) -> Void = { _ in }
) throws -> ContainerFacts {
  do {
    let kind = try ContainerKind(input.start)
    let scan = ArchiveScan(input, kind, limits, visitor, progress)
    try OrderedPipeline(jobs: affordableJobs(jobs, pieceSize: kind.pieceSize)).run(scan)
    try scan.end()
    return scan.facts
  } catch {
    throw input.error(error)
  }
}

/// Claims are made by one thread at a time, and so are deliveries, with the pipeline's lock between
/// them. State shared by both is atomic.
private final class ArchiveScan<Visitor: EntryVisitor>: PipelineStages, @unchecked Sendable {
  private let input: ArchiveInput
  private let kind: ContainerKind
  private let visitor: Visitor
  private let progress: (UInt64) -> Void
  /// Blocks that end before this offset in the stream may be skipped.
  private let neededFrom = Atomic<UInt64>(0)
  // Used only by claims, and by the owner after all threads have ended.
  private var cursor: BlockCursor
  private var hasEnded = false
  private(set) var facts: ContainerFacts
  // Used only by deliveries, and by the owner after all threads have ended.
  private var parser: StreamParser
  private var wantsContents = false
  private var isBroken = false

  init(
    _ input: ArchiveInput, _ kind: ContainerKind, _ limits: ReadingLimits, _ visitor: Visitor,
    _ progress: @escaping (UInt64) -> Void
  ) {
    self.input = input
    self.kind = kind
    self.visitor = visitor
    self.progress = progress
    cursor = BlockCursor(input, kind, rawLimit: limits.rawSize)
    facts = ContainerFacts(kind: kind)
    parser = StreamParser(limits: limits)
  }

  enum Claim: Sendable {
    case needed(BlockPlace)
    case skipped(BlockPlace)
    /// The container is damaged where the next block should begin, which is reported after all
    /// earlier blocks were delivered.
    case end(ArchiveDamage)
  }

  typealias Worker = (loader: BlockLoader, visitor: Visitor.Worker)

  func makeWorker() throws(Errno) -> Worker {
    (try BlockLoader(input, kind), try visitor.makeWorker())
  }

  func makeBuffer() throws(Errno) -> Buffer { try Buffer(size: kind.pieceSize) }

  func claim(_ buffer: Buffer) throws -> Claim? {
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
    let isNeeded = place.rawRange.upperBound > neededFrom.load(ordering: .relaxed)
    return isNeeded ? .needed(place) : .skipped(place)
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
    _ claim: Claim, _ buffer: inout Buffer, _ worker: inout Worker
  ) throws -> (claim: Claim, damage: ArchiveDamage?) {
    guard case .needed(let place) = claim else { return (claim, nil) }
    do {
      if input.size == nil {
        try worker.loader.decode(place, in: &buffer)
      } else {
        try worker.loader.load(place, into: buffer)
      }
      return (claim, nil)
    } catch let damage as ArchiveDamage {
      return (claim, damage)
    }
  }

  /// Returns the visitor's rest, and the number of bytes it applies to.
  func deliver(
    _ product: (claim: Claim, damage: ArchiveDamage?), _ buffer: Buffer
  ) throws -> (rest: Visitor.Rest, count: Int)? {
    var count = 0
    switch product.claim {
    case .end(let damage):
      if try !visitor.found(damage, in: .container) { throw damage }
      return nil
    case .needed(let place):
      report(place)
      if let damage = product.damage {
        try lose(place, damage)
      } else {
        count = place.rawSize
        if !isBroken { try buffer.withSpan(..<count, follow) }
      }
    case .skipped(let place):
      report(place)
      if !isBroken { parser.skip(to: place.rawRange.upperBound) }
    }
    let needed =
      isBroken || visitor.needsAllBlocks ? 0 : wantsContents ? parser.position : parser.blobsEnd
    neededFrom.store(needed, ordering: .relaxed)
    return (visitor.endBlock(), count)
  }

  private func report(_ place: BlockPlace) {
    progress(place.payloadOffset + UInt64(place.storedSize))
  }

  func finish(
    _ left: (rest: Visitor.Rest, count: Int)?, _ buffer: Buffer, _ worker: inout Worker
  ) throws {
    guard let (rest, count) = left else { return }
    try buffer.withSpan(..<count) { try visitor.finish(rest, $0, &worker.visitor) }
  }

  /// Goes on after a block that can't be decoded.
  private func lose(_ place: BlockPlace, _ damage: ArchiveDamage) throws {
    let end = place.rawRange.upperBound
    let isOnlyContents = parser.blobsEnd >= end && !isBroken
    if isOnlyContents && !wantsContents && !visitor.needsAllBlocks { return parser.skip(to: end) }
    let goesOn = try visitor.found(damage, in: isOnlyContents ? .contents : .headers)
    wantsContents = false
    if isOnlyContents {
      parser.skip(to: end)
    } else if goesOn, !isBroken {
      parser.resume(at: end)
    } else {
      isBroken = true
    }
  }

  private func follow(_ bytes: RawSpan) throws {
    var taken = 0
    while let event = try next(bytes, &taken) {
      switch event {
      case .entry(let entry): wantsContents = try visitor.begin(entry)
      case .contents(let range):
        if wantsContents { visitor.contents(bytes.extracting(range), range) }
      case .end:
        wantsContents = false
        try visitor.end()
      }
    }
  }

  private func next(_ bytes: RawSpan, _ taken: inout Int) throws -> StreamParser.Event? {
    while true {
      do {
        return try parser.next(bytes, &taken)
      } catch {
        guard try visitor.found(error, in: .stream), error.reason != .limit else {
          isBroken = true
          return nil
        }
        parser.resume()
      }
    }
  }

  /// Called after the last block.
  func end() throws {
    if isBroken { return }
    // Reports the end of an entry whose contents were skipped.
    try follow(RawSpan())
    do {
      try parser.finish()
    } catch {
      _ = try visitor.found(error, in: .stream)
    }
  }
}
