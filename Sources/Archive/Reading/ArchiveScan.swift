/// Receives the entries of an archive during a scan.
package protocol EntryVisitor: Sendable {
  /// Whether all blocks are decoded, to find any damage.
  var needsAllBlocks: Bool { get }
  /// An entry begins. Returns whether its contents are wanted; blocks that contain nothing else may
  /// be skipped.
  mutating func begin(_ entry: EntryHeader) throws(ArchiveDamage) -> Bool
  /// The next bytes of the contents, if wanted.
  mutating func contents(_ bytes: RawSpan)
  /// The entry is complete.
  mutating func end()
  /// The archive is damaged. Returns whether the scan continues, after lost or invalid headers at
  /// the next one that can be found. After lost contents it always does.
  mutating func found(_ damage: ArchiveDamage, in part: ArchivePart) throws(ArchiveDamage) -> Bool
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
  package mutating func contents(_ bytes: RawSpan) {}
  package mutating func end() {}
  package mutating func found(
    _ damage: ArchiveDamage, in part: ArchivePart
  ) throws(ArchiveDamage) -> Bool {
    throw damage
  }
}

/// Passes all entries of `input` to `visitor`, in order; calls `progress` with the number of bytes
/// of the file read so far.
package func scanArchive<Visitor: EntryVisitor>(
  _ input: ArchiveInput, limits: ReadingLimits, jobs: Int, _ visitor: inout Visitor,
  progress: @escaping (UInt64) -> Void = { _ in }
) throws -> ContainerFacts {
  do {
    let kind = try ContainerKind(input.start)
    let scan = ArchiveScan(visitor, limits, progress)
    defer { visitor = scan.visitor }
    let facts = try readBlocks(input, kind, limits: limits, jobs: jobs, into: scan)
    try scan.finish()
    return facts
  } catch {
    throw input.error(error)
  }
}

/// Called by one thread at a time, with the pipeline's lock between calls.
private final class ArchiveScan<Visitor: EntryVisitor>: BlockSink, @unchecked Sendable {
  private(set) var visitor: Visitor
  private let progress: (UInt64) -> Void
  private var parser: StreamParser
  private var wantsContents = false
  private var isBroken = false

  init(
    _ visitor: Visitor, _ limits: ReadingLimits, _ progress: @escaping (UInt64) -> Void
  ) {
    self.visitor = visitor
    self.progress = progress
    parser = StreamParser(limits: limits)
  }

  func receive(
    _ outcome: BlockOutcome, _ bytes: RawSpan, of place: BlockPlace
  ) throws -> (neededFrom: UInt64, rest: Void) {
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
    if isBroken || visitor.needsAllBlocks { return (0, ()) }
    return (wantsContents ? parser.position : parser.blobsEnd, ())
  }

  private func follow(_ bytes: RawSpan) throws(ArchiveDamage) {
    var taken = 0
    while let event = try next(bytes, &taken) {
      switch event {
      case .entry(let entry): wantsContents = try visitor.begin(entry)
      case .contents(let range):
        if wantsContents { visitor.contents(bytes.extracting(range)) }
      case .end:
        wantsContents = false
        visitor.end()
      }
    }
  }

  private func next(
    _ bytes: RawSpan, _ taken: inout Int
  ) throws(ArchiveDamage) -> StreamParser.Event? {
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

  func finish() throws(ArchiveDamage) {
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
