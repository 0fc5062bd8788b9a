import BAArchive
import BATestSupport
import Testing

/// A header with these fields, each with its key, subtype and the bytes of its value.
private func header(_ fields: [(String, [UInt8])]) -> [UInt8] {
  let body = fields.flatMap { Array($0.0.utf8) + $0.1 }
  let size = body.count + 6
  return Array("AA01".utf8) + [UInt8(size & 0xFF), UInt8(size >> 8)] + body
}

private let file: [(String, [UInt8])] = [("TYP1", [0x46]), ("PATP", [1, 0, 0x61])]

private func decode(_ fields: [(String, [UInt8])]) throws -> DecodedHeader {
  try decodeHeader(header(fields), number: 3, offset: 1000)
}

@Suite struct HeaderDecoderTests {
  @Test func preludesHaveTheSizeOfTheHeader() throws {
    let place = ArchivePlace(entry: 0, stream: 9)
    #expect(try headerSize(Array("AA01".utf8) + [6, 0], at: place) == 6)
    #expect(try headerSize(Array("YAA1".utf8) + [0xFF, 0xFF], at: place) == 65_535)
    let small = damage { _ = try headerSize(Array("AA01".utf8) + [5, 0], at: place) }
    #expect(small?.reason == .headerSize && small?.place == place)
    let cut = damage { _ = try headerSize(Array("AA01".utf8) + [9], at: place) }
    #expect(cut?.reason == .headerSize)
    let other = damage { _ = try headerSize(Array("AA02".utf8) + [6, 0], at: place) }
    #expect(other?.reason == .entryMagic && other?.place == place)
  }

  @Test(
    arguments: [
      ("UID1", [0xFF], FieldValue.integer(255)), ("UID2", [1, 2], .integer(513)),
      ("UID4", [1, 2, 3, 4], .integer(0x0403_0201)),
      ("UID8", [UInt8](repeating: 0xFF, count: 8), .integer(.max)),
      ("CTMS", [2, 0, 0, 0, 0, 0, 0, 0], .time(ArchiveTime(seconds: 2))),
      (
        "CTMT", [UInt8](repeating: 0xFF, count: 8) + [0xFF, 0xC9, 0x9A, 0x3B],
        .time(ArchiveTime(seconds: -1, nanoseconds: 999_999_999))
      ),
      ("CKSF", [1, 2, 3, 4], .digest([1, 2, 3, 4])),
      ("SH1G", Array(0..<20), .digest(Array(0..<20))),
      ("SH2H", Array(0..<32), .digest(Array(0..<32))),
      ("SH3I", Array(0..<48), .digest(Array(0..<48))),
      ("SH5J", Array(0..<64), .digest(Array(0..<64))),
      ("XATA", [3, 0], .blob(size: 3)), ("ACLB", [3, 0, 0, 1], .blob(size: 0x0100_0003)),
      ("YECC", [1, 0, 0, 0, 0, 0, 0, 1], .blob(size: 0x0100_0000_0000_0001)),
    ] as [(String, [UInt8], FieldValue)])
  func fieldsOfEverySubtypeAreRead(key: String, bytes: [UInt8], value: FieldValue) throws {
    let entry = try decode(file + [(key, bytes)]).entry
    #expect(entry.otherFields.map(\.key) == [String(key.prefix(3))])
    #expect(entry.otherFields.map(\.value) == [value])
  }

  @Test func entriesHaveTheFieldsInAnyOrderAndWidth() throws {
    let time: [UInt8] = [5, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0]
    let entry = try decode([
      ("MTMT", time), ("LNKP", [2, 0, 0x62, 0x63]), ("MOD8", [0xED, 1, 0, 0, 0, 0, 0, 0]),
      ("PATP", [0, 0]), ("ZZZ*", []), ("ZZZ1", [9]), ("TYP4", [0x4C, 0, 0, 0]),
    ]).entry
    #expect(entry.number == 3 && entry.offset == 1000)
    #expect(entry.kind == .symbolicLink && entry.archivePath.isEmpty)
    #expect(entry.linkTarget == Array("bc".utf8))
    #expect(entry.mode == 0o755 && entry.isExecutable)
    #expect(entry.modified == ArchiveTime(seconds: 5, nanoseconds: 7))
    #expect(entry.contents == nil && entry.size == 0)
    // Unknown keys are skipped, including repeated ones.
    #expect(entry.otherFields.isEmpty)
  }

  @Test func blobsFollowInTheOrderOfTheirFields() throws {
    let decoded = try decode(file + [("XATA", [3, 0]), ("DATA", [5, 0]), ("ACLA", [1, 0])])
    let end = UInt64(1000 + header(file).count + 3 * 6)
    #expect(decoded.entry.contents == end + 3..<end + 8)
    #expect(decoded.blobs.map(\.isContents) == [false, true, false])
    #expect(decoded.blobs.map(\.size) == [3, 5, 1])
    let endless = try decode(file + [("DATC", [UInt8](repeating: 0xFF, count: 8))])
    #expect(endless.entry.contents?.upperBound == .max)
  }

  /// Each with the index of the invalid field; nil if the entry is invalid.
  @Test(
    arguments: [
      ([("UID", [])], DamageReason.fieldCut, 0), ([("UID1", [])], .fieldCut, 0),
      ([("UID8", [1, 2, 3, 4, 5, 6, 7])], .fieldCut, 0), ([("LNKP", [1])], .fieldCut, 0),
      ([("LNKP", [2, 0, 0x61])], .fieldCut, 0),
      ([("CTMT", [UInt8](repeating: 0, count: 11))], .fieldCut, 0),
      ([("SH2H", [UInt8](repeating: 0, count: 31))], .fieldCut, 0),
      ([("U D1", [1])], .fieldKey, 0), ([("UI\u{7F}1", [1])], .fieldKey, 0),
      ([("UIDZ", [])], .unknownSubtype, 0), ([("ZZZZ", [])], .unknownSubtype, 0),
      ([("UIDP", [0, 0])], .fieldType, 0), ([("UID*", [])], .fieldType, 0),
      ([("CKSG", [UInt8](repeating: 0, count: 20))], .fieldType, 0),
      ([("SH1F", [1, 2, 3, 4])], .fieldType, 0), ([("DAT1", [1])], .fieldType, 0),
      ([("LNKP", [2, 0, 0x61, 0])], .stringNUL, 0),
      ([("CTMT", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0xCA, 0x9A, 0x3B])], .nanoseconds, 0),
      ([("UID1", [1]), ("UID2", [1, 0])], .duplicateField, 1),
      ([("DATA", [1, 0]), ("DATA", [1, 0])], .duplicateField, 1),
    ] as [([(String, [UInt8])], DamageReason, Int)])
  func damagedFieldsAreRefusedWhereTheyBegin(
    fields: [(String, [UInt8])], reason: DamageReason, field: Int
  ) {
    let found = damage { _ = try decode(file + fields) }
    #expect(found?.reason == reason)
    let offset = header(file + fields.prefix(field)).count
    #expect(
      found?.place == ArchivePlace(entry: 3, stream: 1000 + UInt64(offset), path: nil)
        || found?.place == ArchivePlace(entry: 3, stream: 1000 + UInt64(offset), path: [0x61]))
  }

  @Test(
    arguments: [
      ([("PATP", [0, 0])], DamageReason.missingType),
      ([("TYP1", [0]), ("PATP", [0, 0])], .entryType),
      // 'F' and 256.
      ([("TYP2", [0x46, 1]), ("PATP", [0, 0])], .entryType),
      ([("TYP1", [0x46])], .missingPath), ([], .missingType),
    ] as [([(String, [UInt8])], DamageReason)])
  func entriesNeedATypeAndAPath(fields: [(String, [UInt8])], reason: DamageReason) {
    let found = damage { _ = try decode(fields) }
    #expect(found?.reason == reason)
    #expect(found?.place.stream == 1000 && found?.place.entry == 3)
  }

  @Test func metadataNeedsNoPath() throws {
    #expect(try decode([("TYP1", [0x4D])]).entry.kind == .metadata)
  }
}
