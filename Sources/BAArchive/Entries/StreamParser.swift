/// Finds the entries of an archive stream that arrives in pieces of any size.
///
/// Keeps one header in memory, at most 65,535 bytes, whatever the stream claims.
package struct StreamParser {
  package enum Event {
    /// An entry begins. Its contents follow, if any.
    case entry(PackEntry)
    /// This range of the piece is part of the contents of the last entry.
    case contents(Range<Int>)
    case end
  }

  /// The offset in the stream after the bytes parsed so far.
  package private(set) var position: UInt64 = 0
  private var header: [UInt8] = []
  private var headerStart: UInt64 = 0
  private var entry: PackEntry?
  /// The blobs before the next header, in order.
  private var blobs: ArraySlice<Run> = []
  /// The size of the header being collected, as far as it is known.
  private var wanted = headerPreludeSize
  private var entryCount = 0
  private var entryMemory = 0
  private let limits: ReadingLimits
  /// Whether the parser is looking for the next header after lost bytes.
  private var isSearching = false
  /// The path of the last entry. Entries found by searching sort after it.
  private var lastPath: RelativePath?

  private struct Run {
    let isContents: Bool
    let end: UInt64
  }

  package init(limits: ReadingLimits) { self.limits = limits }

  /// The end of the blobs at the current position; the position itself if there are none.
  package var blobsEnd: UInt64 { blobs.last?.end ?? position }

  /// Parses `piece` from `taken` up to the next event; nil at the end of the piece.
  package mutating func next(
    _ piece: RawSpan, _ taken: inout Int
  ) throws(ArchiveDamage) -> Event? {
    while true {
      if entry != nil, blobs.isEmpty {
        entry = nil
        return .end
      }
      guard taken < piece.byteCount else { return nil }
      let left = piece.byteCount - taken
      if let run = blobs.first {
        let count = Int(min(UInt64(left), run.end - position))
        let range = taken..<taken + count
        taken += count
        position += UInt64(count)
        if position == run.end { blobs.removeFirst() }
        if run.isContents, count > 0 { return .contents(range) }
        continue
      }
      let header = isSearching ? try search(piece, &taken) : try collectHeader(piece, &taken)
      if let header { return .entry(header) }
    }
  }

  /// Skips the bytes up to `end`, which must be within blobs.
  package mutating func skip(to end: UInt64) {
    while let run = blobs.first, run.end <= end { _ = blobs.popFirst() }
    position = end
  }

  /// Continues at `position`, or at the current one, by searching for the next header. Everything
  /// in between is lost.
  ///
  /// A header counts if it can be decoded and its path sorts after the earlier ones.
  package mutating func resume(at position: UInt64? = nil) {
    if let position { self.position = position }
    isSearching = true
    header = []
    wanted = headerPreludeSize
    entry = nil
    blobs = []
  }

  /// The next header in `piece` and the bytes carried over from earlier pieces.
  private mutating func search(
    _ piece: RawSpan, _ taken: inout Int
  ) throws(ArchiveDamage) -> PackEntry? {
    let carried = header.count
    var window = header
    header = []
    let rest = piece.extracting(taken..<piece.byteCount)
    window.append(rest)
    let start = position - UInt64(carried)
    let magics = ["AA01", "YAA1"].map { Array($0.utf8) }
    var index = 0
    while index + 4 <= window.count {
      guard magics.contains(where: { window[index...].starts(with: $0) }) else {
        index += 1
        continue
      }
      let isPrelude = index + headerPreludeSize <= window.count
      let size = isPrelude ? Int(window[index + 4]) | Int(window[index + 5]) << 8 : 0
      guard isPrelude, index + size <= window.count else { break }
      // The contents of one that ended before this piece are gone.
      if size >= headerPreludeSize, index + size >= carried,
        let found = try entry(Array(window[index..<index + size]), at: start + UInt64(index))
      {
        let used = index + size - carried
        taken += used
        position += UInt64(used)
        return try begin(found)
      }
      index += 1
    }
    header = Array(window[index...])
    position += UInt64(rest.byteCount)
    taken = piece.byteCount
    return nil
  }

  private func entry(
    _ header: [UInt8], at offset: UInt64
  ) throws(ArchiveDamage) -> DecodedHeader? {
    guard let decoded = try? decodeHeader(header, number: entryCount, offset: offset),
      let path = RelativePath(decoded.entry.archivePath), lastPath.map({ $0 < path }) ?? true
    else { return nil }
    return decoded
  }

  /// Ends the stream. Throws if that is inside an entry.
  package func finish() throws(ArchiveDamage) {
    if let entry, let run = blobs.last {
      throw entry.damage(
        .contentsCut,
        "the archive ends inside the contents of this entry, "
          + "\(counted(run.end - position, "byte")) before their end")
    }
    if header.isEmpty || isSearching { return }
    let magic = header.prefix(4)
    guard "AA01".utf8.starts(with: magic) || "YAA1".utf8.starts(with: magic) else {
      throw badMagic(magic, at: headerPlace)
    }
    throw ArchiveDamage(
      .headerCut, "the archive ends inside a header, after \(counted(header.count, "byte"))",
      at: headerPlace)
  }

  private var headerPlace: ArchivePlace { ArchivePlace(entry: entryCount, stream: headerStart) }

  /// Collects the bytes of a header; nil until it is complete.
  private mutating func collectHeader(
    _ piece: RawSpan, _ taken: inout Int
  ) throws(ArchiveDamage) -> PackEntry? {
    if header.isEmpty { headerStart = position }
    while header.count < wanted {
      let count = min(wanted - header.count, piece.byteCount - taken)
      if count == 0 { return nil }
      header.append(piece.extracting(taken..<taken + count))
      taken += count
      position += UInt64(count)
      if header.count == headerPreludeSize { wanted = try headerSize(header, at: headerPlace) }
    }
    let decoded = try decodeHeader(header, number: entryCount, offset: headerStart)
    return try begin(decoded)
  }

  private mutating func begin(_ decoded: DecodedHeader) throws(ArchiveDamage) -> PackEntry {
    entryMemory += decoded.entry.memory
    guard entryCount < limits.entries, entryMemory <= limits.memory else {
      throw ArchiveDamage(
        .limit,
        "more than \(counted(limits.entries, "entry", "entries")), or \(byteCount(UInt64(limits.memory))) "
          + "of their names and fields", at: headerPlace
      ).exceeding(.entries)
    }
    var end = position
    for blob in decoded.blobs where blob.size > 0 {
      end = saturatingSum(end, blob.size)
      blobs.append(Run(isContents: blob.isContents, end: end))
    }
    entryCount += 1
    isSearching = false
    lastPath = RelativePath(decoded.entry.archivePath) ?? lastPath
    header.removeAll(keepingCapacity: true)
    wanted = headerPreludeSize
    entry = decoded.entry
    return decoded.entry
  }
}
