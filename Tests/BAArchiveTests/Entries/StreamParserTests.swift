import BAArchive
import BATestSupport
import Testing

@Suite struct StreamParserTests {
  /// A directory; a file with another blob before and one after its contents; an empty file.
  static let stream: [UInt8] = {
    let directory = encodeHeader([.integer("TYP", 0x44), .string("PAT", Array("d".utf8))])
    let file = encodeHeader([
      .integer("TYP", 0x46), .string("PAT", Array("d/f".utf8)), .blob("XAT", size: 2),
      .blob("DAT", size: 5), .blob("ACL", size: 3),
    ])
    let empty = encodeHeader([
      .integer("TYP", 0x46), .string("PAT", Array("e".utf8)), .blob("DAT", size: 0),
    ])
    return directory + file + Array("xxhellozzz".utf8) + empty
  }()

  /// The events of a stream in pieces of `size` bytes, and the parser after them.
  private func events(
    _ stream: [UInt8], size: Int, limits: ReadingLimits = ReadingLimits()
  ) throws -> (events: [String], parser: StreamParser) {
    var parser = StreamParser(limits: limits)
    var events: [String] = []
    var contents: [UInt8] = []
    for start in stride(from: 0, to: stream.count, by: size) {
      let piece = Array(stream[start..<min(start + size, stream.count)])
      var taken = 0
      while let event = try parser.next(unsafe piece.span.bytes, &taken) {
        switch event {
        case .entry(let header): events.append(String(decoding: header.archivePath, as: UTF8.self))
        case .contents(let range): contents += piece[range]
        case .end:
          if !contents.isEmpty { events.append("= \(String(decoding: contents, as: UTF8.self))") }
          contents = []
          events.append("end")
        }
      }
      #expect(taken == piece.count)
      #expect(parser.position == UInt64(start + piece.count))
    }
    return (events, parser)
  }

  @Test(arguments: [1, 2, 3, 5, 7, 16, 40, 1000])
  func eventsDoNotDependOnTheChunks(size: Int) throws {
    let (events, parser) = try events(Self.stream, size: size)
    #expect(events == ["d", "end", "d/f", "= hello", "end", "e", "end"])
    try parser.finish()
  }

  @Test func blobsCanBeSkipped() throws {
    let headers =
      Self.stream.count - 10
      - encodeHeader([
        .integer("TYP", 0x46), .string("PAT", Array("e".utf8)), .blob("DAT", size: 0),
      ]).count
    var parser = StreamParser(limits: ReadingLimits())
    let start = Array(Self.stream[..<headers])
    var taken = 0
    while try parser.next(unsafe start.span.bytes, &taken) != nil {}
    #expect(parser.position == UInt64(headers))
    #expect(parser.blobsEnd == UInt64(headers + 10))
    // Into the contents, then to the end of the last blob.
    parser.skip(to: UInt64(headers + 4))
    #expect(parser.blobsEnd == UInt64(headers + 10))
    let rest = Array(Self.stream[(headers + 4)...])
    taken = 0
    guard case .contents(0..<3) = try parser.next(unsafe rest.span.bytes, &taken) else {
      Issue.record("the rest of the contents should come next")
      return
    }
    parser.skip(to: UInt64(headers + 10))
    #expect(parser.position == UInt64(headers + 10) && parser.blobsEnd == parser.position)
    guard case .end = try parser.next(unsafe rest.span.bytes, &taken) else {
      Issue.record("the entry should end")
      return
    }
  }

  @Test(arguments: [
    (3, DamageReason.headerCut, 0, 0), (6, .headerCut, 0, 0), (16, .headerCut, 0, 0),
    (60, .contentsCut, 1, 18), (61, .contentsCut, 1, 18), (65, .contentsCut, 1, 18),
  ])
  func streamsThatEndEarlyAreRefused(
    count: Int, reason: DamageReason, entry: Int, offset: UInt64
  ) throws {
    let (_, parser) = try events(Array(Self.stream.prefix(count)), size: 1000)
    let found = damage { try parser.finish() }
    #expect(found?.reason == reason)
    #expect(found?.place.entry == entry && found?.place.stream == offset)
  }

  @Test func emptyStreamsEnd() throws {
    try StreamParser(limits: ReadingLimits()).finish()
  }

  @Test func invalidHeadersAreRejectedAtTheirPlace() throws {
    let directory = Array(Self.stream.prefix(18))
    let found = damage { _ = try events(directory + Array("AA02\u{6}\u{0}".utf8), size: 1000) }
    #expect(found?.reason == .entryMagic)
    #expect(found?.place == ArchivePlace(entry: 1, stream: 18))
    // So is an incomplete header prelude at the end.
    let (_, parser) = try events(directory + [0, 0], size: 1000)
    let padding = damage { try parser.finish() }
    #expect(padding?.reason == .entryMagic && padding?.place.stream == 18)
  }

  @Test func entriesHaveALimit() throws {
    let limits = ReadingLimits(entries: 2)
    let third = damage { _ = try events(Self.stream, size: 9, limits: limits) }
    #expect(third?.reason == .limit && third?.place.entry == 2)
    #expect(try events(Self.stream, size: 9, limits: ReadingLimits(entries: 3)).events.count == 7)
  }

  @Test func memoryOfNamesAndFieldsHasALimit() throws {
    // Each of these takes more than the allowed average of 256 bytes per entry.
    let path = EntryField.string("PAT", Array(repeating: UInt8(ascii: "p"), count: 1000))
    let entry = encodeHeader([.integer("TYP", UInt64(UInt8(ascii: "D"))), path])
    let stream = Array(repeatElement(entry, count: 10).joined())
    #expect(try events(stream, size: 999).events.count == 20)
    let found = damage { _ = try events(stream, size: 999, limits: ReadingLimits(entries: 20)) }
    #expect(found?.reason == .limit && found?.place.entry == 4)
  }
}

/// Small archives must not take much memory: targets and paths are kept only up to the length that
/// shows that they are too long.
@Test func longTargetsAreNotKept() throws {
  let long = Array(repeating: UInt8(ascii: "x"), count: 60_000)
  for (letter, kept) in [("F", nil), ("L", 1024)] as [(Unicode.Scalar, Int?)] {
    let header = encodeHeader([
      .integer("TYP", UInt64(letter.value)), .string("PAT", Array("a".utf8)),
      .string("LNK", long),
    ])
    let entry = try decodeHeader(header, number: 0, offset: 0).entry
    #expect(entry.linkTarget?.count == kept)
  }
  let header = encodeHeader([.integer("TYP", 0x46), .string("PAT", long)])
  let entry = try decodeHeader(header, number: 0, offset: 0).entry
  #expect(entry.archivePath.count == 1024)
  #expect(throws: ArchiveDamage.self) { try entry.safePath() }
}
