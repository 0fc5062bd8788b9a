import BAArchive
import Testing

@Suite struct InflaterTests {
  /// `abc`, as zlib 1.2.13 writes it: header, deflate data, Adler-32.
  static let header: [UInt8] = [0x78, 0x9C]
  static let deflated: [UInt8] = [0x4B, 0x4C, 0x4A, 0x06, 0x00]
  static let checksum: [UInt8] = [0x02, 0x4D, 0x01, 0x27]

  /// The decoded `payload`, which must fill `size` bytes.
  private func decoded(_ payload: [UInt8], size: Int, by inflater: Inflater) throws -> [UInt8] {
    var raw = [UInt8](repeating: 0xEE, count: size)
    let place = ContainerFacts(kind: .bare).block(holding: 0)
    try unsafe payload.withUnsafeBytes { payload in
      try unsafe raw.withUnsafeMutableBytes { raw in
        try unsafe inflater.decode(payload, of: place, into: raw)
      }
    }
    return raw
  }

  @Test(arguments: [
    header + deflated + checksum, header + deflated,
    // Other levels and a smaller window.
    [0x78, 0x01] + deflated + checksum, [0x78, 0xDA] + deflated,
    [0x08, 0x1D] + deflated + checksum,
    // A stored deflate block.
    header + [0x01, 0x03, 0x00, 0xFC, 0xFF, 0x61, 0x62, 0x63] + checksum,
  ])
  func payloadsMayLackTheChecksum(payload: [UInt8]) throws {
    let inflater = try Inflater()
    #expect(try decoded(payload, size: 3, by: inflater) == Array("abc".utf8))
  }

  @Test(
    arguments: [
      ([], 3, DamageReason.zlibHeader, 0), ([0x78], 3, .zlibHeader, 0),
      // Not a multiple of 31; another method; a window of 64 KiB; a preset dictionary.
      ([0x78, 0x9D] + deflated, 3, .zlibHeader, 0), ([0x79, 0x18] + deflated, 3, .zlibHeader, 0),
      ([0x88, 0x1C] + deflated, 3, .zlibHeader, 0), ([0x78, 0xBB] + deflated, 3, .zlibHeader, 0),
      (header, 3, .zlibCut, 2), (header + deflated.prefix(3), 3, .zlibCut, 5),
      // A block of the reserved type.
      (header + [0x07], 3, .zlibData, 3),
      (header + deflated + checksum, 2, .zlibLong, 6),
      (header + deflated + checksum, 4, .zlibShort, 7),
      (header + deflated + [0x02, 0x4D, 0x01, 0x26], 3, .zlibChecksum, 7),
      (header + deflated + checksum.prefix(1), 3, .zlibChecksum, 7),
      (header + deflated + checksum.prefix(3), 3, .zlibChecksum, 7),
      (header + deflated + checksum + [0], 3, .zlibTrailing, 7),
    ] as [([UInt8], Int, DamageReason, Int)])
  func damageHasItsReasonAndItsPlace(
    payload: [UInt8], size: Int, reason: DamageReason, offset: Int
  ) throws {
    let inflater = try Inflater()
    do {
      let raw = try decoded(payload, size: size, by: inflater)
      Issue.record("decoded to \(raw)")
    } catch let error as ArchiveDamage {
      #expect(error.reason == reason)
      #expect(error.place.block == 0 && error.place.file == 0)
      #expect(error.place.payload == (offset > 0 ? offset : nil))
    }
    // It has no effect on the next block.
    let whole = Self.header + Self.deflated + Self.checksum
    #expect(try decoded(whole, size: 3, by: inflater) == Array("abc".utf8))
  }
}
