/// Reads one pack for an extraction: finds the entries in its blocks, and writes the files'
/// contents. Except for ``finish(_:_:_:)``, used by one thread at a time.
final class ExtractionScan: BlockSink, @unchecked Sendable {
  typealias Worker = ExtractionWriter.Worker
  typealias Rest = [FilePiece]

  private let input: ArchiveInput
  private let number: Int
  private let plan: ExtractionPlan
  private let writer: ExtractionWriter
  private let limits: ReadingLimits
  private let progress: (UInt64) -> Void
  /// The numbers of damaged entries, which are skipped; nil if damage is an error.
  private let lost: Set<Int>?
  private var parser: StreamParser
  private var names = EntryNames()
  private var isAssetPack = false
  /// The current file, its bytes so far, and the digest to check.
  private var file: StagedFile?
  private var offset: UInt64 = 0
  private var digest: EntryDigest?

  init(
    _ input: ArchiveInput, _ number: Int, _ plan: ExtractionPlan, _ writer: ExtractionWriter,
    _ limits: ReadingLimits, without lost: Set<Int>?, progress: @escaping (UInt64) -> Void
  ) {
    self.lost = lost
    self.input = input
    self.number = number
    self.plan = plan
    self.writer = writer
    self.limits = limits
    self.progress = progress
    parser = StreamParser(limits: limits)
  }

  /// Reads the whole pack. The result has no entries, which are in the plan.
  func run(jobs: Int) throws -> PackIndex {
    let facts: ContainerFacts
    do {
      let kind = try ContainerKind(input.start)
      facts = try readBlocks(input, kind, limits: limits, jobs: jobs, into: self)
      // The last entry may end with skipped contents.
      _ = try follow(RawSpan())
      if lost == nil { try parser.finish() }
    } catch {
      throw input.error(error)
    }
    guard isAssetPack || plan.merger.wholeArchives else {
      throw PackagingError.notAssetPack(input.path)
    }
    return PackIndex(input.path, .archive(input, facts), [])
  }

  func makeWorker() -> Worker { writer.makeWorker() }

  func receive(
    _ outcome: BlockOutcome, _ bytes: RawSpan, of place: BlockPlace
  ) throws -> (neededFrom: UInt64, rest: [FilePiece]) {
    let end = place.rawRange.upperBound
    var pieces: [FilePiece] = []
    switch outcome {
    case .decoded: pieces = try follow(bytes)
    case .damaged where lost != nil && file == nil && parser.blobsEnd < end:
      parser.resume(at: end)
    case .damaged(let damage) where file != nil || parser.blobsEnd < end:
      throw damage
    case .skipped, .damaged: parser.skip(to: end)
    }
    progress(place.payloadOffset + UInt64(place.storedSize))
    return (file != nil ? parser.position : parser.blobsEnd, pieces)
  }

  func finish(
    _ pieces: [FilePiece], _ bytes: RawSpan, _ worker: inout Worker
  ) throws {
    for piece in pieces {
      try writer.write(bytes.extracting(piece.range), at: piece.offset, of: piece.file, worker)
    }
  }

  /// The pieces of files in a block.
  private func follow(_ bytes: RawSpan) throws -> [FilePiece] {
    var pieces: [FilePiece] = []
    var taken = 0
    while let event = try next(bytes, &taken) {
      switch event {
      case .entry(let entry):
        try begin(entry)
        if let file, file.size == 0 {
          pieces.append(FilePiece(file: file, offset: 0, range: 0..<0))
        }
      case .contents(let range):
        guard let file else { continue }
        digest?.update(bytes.extracting(range))
        pieces.append(FilePiece(file: file, offset: offset, range: range))
        offset += UInt64(range.count)
      case .end:
        if let problem = digest?.problem { throw problem }
        (file, digest, offset) = (nil, nil, 0)
      }
    }
    return pieces
  }

  private func next(
    _ bytes: RawSpan, _ taken: inout Int
  ) throws -> StreamParser.Event? {
    while true {
      do {
        return try parser.next(bytes, &taken)
      } catch {
        guard lost != nil, error.reason != .limit else { throw error }
        parser.resume()
        (file, digest, offset) = (nil, nil, 0)
      }
    }
  }

  func ended(_ damage: ArchiveDamage) -> Bool { lost != nil }

  private func begin(_ entry: EntryHeader) throws {
    if lost?.contains(entry.number) ?? false {
      (file, digest) = (nil, nil)
      return
    }
    try names.add(entry)
    if entry.path == RelativePath.manifest.bytes, let damage = PackIndex.manifestTooLarge(entry) {
      throw damage
    }
    isAssetPack = isAssetPack || entry.isOfContents
    file = try plan.add(entry, of: number)
    digest = file == nil ? nil : EntryDigest(entry)
  }
}

/// A piece of a file in a block.
struct FilePiece {
  let file: StagedFile
  /// The offset in the file.
  let offset: UInt64
  /// The range in the block.
  let range: Range<Int>
}
