/// Receives the entries of an archive during a scan.
package protocol EntryVisitor: Sendable {
  /// An entry begins. Returns whether its contents are wanted; blocks that contain nothing else may
  /// be skipped.
  mutating func begin(_ entry: EntryHeader) throws(ArchiveDamage) -> Bool
  /// The next bytes of the contents, if wanted.
  mutating func contents(_ bytes: RawSpan) throws(ArchiveDamage)
  /// The entry is complete.
  mutating func end() throws(ArchiveDamage)
  /// A needed block can't be decoded. If `isInContents`, it contains only contents of the last
  /// entry, so that the scan can continue after it.
  mutating func lost(_ damage: ArchiveDamage, isInContents: Bool) throws(ArchiveDamage)
  /// The archive stream is invalid, and can't be parsed further.
  mutating func broken(_ damage: ArchiveDamage) throws(ArchiveDamage)
  /// Whether all blocks are decoded, to find any damage.
  var needsAllBlocks: Bool { get }
  /// Whether the scan continues after lost headers, at the next header that can be found.
  var resumesBehindLoss: Bool { get }
  /// Whether the scan also continues after an invalid header.
  var resumesBehindBreak: Bool { get }
  /// The container is truncated. Returns whether that is acceptable.
  mutating func ended(_ damage: ArchiveDamage) -> Bool
}

extension EntryVisitor {
  package mutating func contents(_ bytes: RawSpan) throws(ArchiveDamage) {}
  package mutating func end() throws(ArchiveDamage) {}
  package mutating func lost(
    _ damage: ArchiveDamage, isInContents: Bool
  ) throws(ArchiveDamage) {
    throw damage
  }
  package mutating func broken(_ damage: ArchiveDamage) throws(ArchiveDamage) {
    throw damage
  }
  package var needsAllBlocks: Bool { false }
  package var resumesBehindLoss: Bool { false }
  package var resumesBehindBreak: Bool { false }
  package mutating func ended(_ damage: ArchiveDamage) -> Bool { false }
}

/// Passes all entries of `input` to `visitor`, in order; calls `progress` with the number of bytes
/// of the file read so far.
package func scanArchive<Visitor: EntryVisitor>(
  _ input: ArchiveInput, limits: ReadingLimits, jobs: Int, _ visitor: inout Visitor,
  progress: @escaping (UInt64) -> Void = { _ in }
) throws(ArchiveError) -> ContainerFacts {
  let kind = try mapping(input.error, ContainerKind(input.start))
  let scan = ArchiveScan(visitor, input, limits, progress)
  defer { visitor = scan.visitor }
  let facts = try readBlocks(input, kind, limits: limits, jobs: jobs, into: scan)
  try mapping(input.error, scan.finish())
  return facts
}

/// Called by one thread at a time, with the pipeline's lock between calls.
private final class ArchiveScan<Visitor: EntryVisitor>: BlockSink, @unchecked Sendable {
  typealias Failure = ArchiveError

  private(set) var visitor: Visitor
  private let input: ArchiveInput
  private let progress: (UInt64) -> Void
  private var parser: StreamParser
  private var wantsContents = false
  private var isBroken = false

  init(
    _ visitor: Visitor, _ input: ArchiveInput, _ limits: ReadingLimits,
    _ progress: @escaping (UInt64) -> Void
  ) {
    self.visitor = visitor
    self.input = input
    self.progress = progress
    parser = StreamParser(limits: limits)
  }

  func receive(
    _ outcome: BlockOutcome, _ bytes: RawSpan, of place: BlockPlace
  ) throws(ArchiveError) -> (neededFrom: UInt64, rest: Void) {
    progress(place.payloadOffset + UInt64(place.storedSize))
    let neededFrom = try mapping(input.error, follow(outcome, bytes, of: place))
    return (neededFrom, ())
  }

  private func follow(
    _ outcome: BlockOutcome, _ bytes: RawSpan, of place: BlockPlace
  ) throws(ArchiveDamage) -> UInt64 {
    let end = place.rawRange.upperBound
    let isInBlobs = parser.blobsEnd >= end
    switch outcome {
    case .decoded where !isBroken:
      try follow(bytes)
    case .skipped where !isBroken:
      parser.skip(to: end)
    case .damaged(let damage)
    where isBroken || visitor.needsAllBlocks || wantsContents || !isInBlobs:
      try visitor.lost(damage, isInContents: isInBlobs && !isBroken)
      wantsContents = false
      if isInBlobs, !isBroken {
        parser.skip(to: end)
      } else if visitor.resumesBehindLoss, !isBroken {
        parser.resume(at: end)
      } else {
        isBroken = true
      }
    case .damaged where !isBroken:
      parser.skip(to: end)
    default: break
    }
    if isBroken || visitor.needsAllBlocks { return 0 }
    return wantsContents ? parser.position : parser.blobsEnd
  }

  private func follow(_ bytes: RawSpan) throws(ArchiveDamage) {
    var taken = 0
    while let event = try next(bytes, &taken) {
      switch event {
      case .entry(let entry): wantsContents = try visitor.begin(entry)
      case .contents(let range):
        if wantsContents { try visitor.contents(bytes.extracting(range)) }
      case .end:
        wantsContents = false
        try visitor.end()
      }
    }
  }

  private func next(
    _ bytes: RawSpan, _ taken: inout Int
  ) throws(ArchiveDamage) -> StreamParser.Event? {
    while true {
      do throws(ArchiveDamage) {
        return try parser.next(bytes, &taken)
      } catch {
        try visitor.broken(error)
        guard visitor.resumesBehindBreak, error.reason != .limit else {
          isBroken = true
          return nil
        }
        parser.resume()
      }
    }
  }

  func ended(_ damage: ArchiveDamage) -> Bool { visitor.ended(damage) }

  /// Ends the stream.
  func finish() throws(ArchiveDamage) {
    if isBroken { return }
    // Reports the end of an entry whose contents were skipped.
    try follow(RawSpan())
    do throws(ArchiveDamage) {
      try parser.finish()
    } catch {
      try visitor.broken(error)
    }
  }
}
