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
package func scanArchive(
  _ input: ArchiveInput, limits: ReadingLimits, jobs: Int, _ visitor: some EntryVisitor,
  progress: @escaping (UInt64) -> Void = { _ in }
) throws -> ContainerFacts {
  do {
    let kind = try ContainerKind(input.start)
    let scan = ArchiveScan(visitor, limits, progress)
    let facts = try readBlocks(input, kind, limits: limits, jobs: jobs, into: scan)
    try scan.finish()
    return facts
  } catch {
    throw input.error(error)
  }
}

/// Called by one thread at a time, with the pipeline's lock between calls.
private final class ArchiveScan<Visitor: EntryVisitor>: BlockSink, @unchecked Sendable {
  private let visitor: Visitor
  private let progress: (UInt64) -> Void
  private var parser: StreamParser
  private var wantsContents = false
  private var isBroken = false

  init(_ visitor: Visitor, _ limits: ReadingLimits, _ progress: @escaping (UInt64) -> Void) {
    self.visitor = visitor
    self.progress = progress
    parser = StreamParser(limits: limits)
  }

  func makeWorker() throws(Errno) -> Visitor.Worker { try visitor.makeWorker() }

  func receive(
    _ outcome: BlockOutcome, _ bytes: RawSpan, of place: BlockPlace
  ) throws -> (neededFrom: UInt64, rest: Visitor.Rest) {
    progress(place.payloadOffset + UInt64(place.storedSize))
    let end = place.rawRange.upperBound
    let isInBlobs = parser.blobsEnd >= end
    switch outcome {
    case .decoded where !isBroken:
      try follow(bytes)
    case .skipped where !isBroken:
      parser.skip(to: end)
    case .damaged(let damage)
    where isBroken || visitor.needsAllBlocks || wantsContents || !isInBlobs:
      let isOnlyContents = isInBlobs && !isBroken
      let goesOn = try visitor.found(damage, in: isOnlyContents ? .contents : .headers)
      wantsContents = false
      if isOnlyContents {
        parser.skip(to: end)
      } else if goesOn, !isBroken {
        parser.resume(at: end)
      } else {
        isBroken = true
      }
    case .damaged where !isBroken:
      parser.skip(to: end)
    default: break
    }
    let neededFrom =
      isBroken || visitor.needsAllBlocks ? 0 : wantsContents ? parser.position : parser.blobsEnd
    return (neededFrom, visitor.endBlock())
  }

  func finish(_ rest: Visitor.Rest, _ bytes: RawSpan, _ worker: inout Visitor.Worker) throws {
    try visitor.finish(rest, bytes, &worker)
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

  func ended(_ damage: ArchiveDamage) throws -> Bool { try visitor.found(damage, in: .container) }

  func finish() throws {
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
