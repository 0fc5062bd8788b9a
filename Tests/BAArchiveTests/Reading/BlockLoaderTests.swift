import BAArchive
import BATestSupport
import Testing

@Suite struct BlockLoaderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The first block of a container with this algorithm, whose `payload` is decoded to `raw` bytes.
  private func load(_ letter: String, raw: Int, _ payload: [UInt8]) throws -> [UInt8] {
    let bytes =
      Array("pbz\(letter)".utf8) + [0, 0, 0, 0, 0, 0, 0, 64]
      + ContainerFormat.blockHeader(raw: raw, stored: payload.count) + payload
    let archive = try OpenArchive(folder.write("a.aar", bytes))
    var cursor = BlockCursor(archive.input, archive.kind, rawLimit: .max)
    let place = try #require(try cursor.next())
    let buffer = try Buffer(size: archive.kind.pieceSize)
    try BlockLoader(archive.input, archive.kind).load(place, into: buffer)
    return unsafe Array(buffer.bytes.prefix(raw))
  }

  /// `abcd` in an uncompressed block of an LZFSE stream.
  private let lzfse = Array("bvx-".utf8) + [4, 0, 0, 0] + Array("abcdbvx$".utf8)

  @Test func payloadsAreDecodedByTheAlgorithmByte() throws {
    let zlib = InflaterTests.header + InflaterTests.deflated + InflaterTests.checksum
    #expect(try load("z", raw: 3, zlib) == Array("abc".utf8))
    #expect(try load("e", raw: 4, lzfse) == Array("abcd".utf8))
  }

  @Test(arguments: ["z", "e", "4", "x", "b", "-"])
  func storedBlocksAreReadOfEveryLetter(letter: String) throws {
    #expect(try load(letter, raw: 5, Array("hello".utf8)) == Array("hello".utf8))
  }

  @Test(arguments: [
    ("4", DamageReason.unsupportedCodec), ("x", .unsupportedCodec), ("b", .unsupportedCodec),
    ("-", .packedInNone), ("z", .zlibHeader), ("e", .lzfse),
  ])
  func damageHasItsBlock(letter: String, reason: DamageReason) {
    let found = damage { _ = try load(letter, raw: 5, Array("hell".utf8)) }
    #expect(found?.reason == reason)
    #expect(found?.place == ArchivePlace(block: 0, file: 12))
  }

  @Test func aShrinkingFileIsReadAsFarAsItGoes() throws {
    let path = try folder.write("a.aar", ThreeBlocks.bytes)
    let archive = try OpenArchive(path)
    var cursor = BlockCursor(archive.input, archive.kind, rawLimit: .max)
    _ = try cursor.next()
    let place = try #require(try cursor.next())
    try folder.write("a.aar", ThreeBlocks.bytes.prefix(Int(place.payloadOffset) + 63))
    let found = damage {
      try BlockLoader(archive.input, archive.kind).load(place, into: Buffer(size: 64))
    }
    #expect(found?.reason == .blockCut)
    #expect(found?.place == ArchivePlace(block: 1, file: place.fileOffset))
  }

  /// Like payloads from a pipe, which are read with their headers.
  @Test func payloadsAreDecodedInPlace() throws {
    let archive = try OpenArchive(folder.write("a.aar", ThreeBlocks.bytes))
    let loader = try BlockLoader(archive.input, archive.kind)
    var cursor = BlockCursor(archive.input, archive.kind, rawLimit: .max)
    var buffer = try Buffer(size: 64)
    var raw: [UInt8] = []
    while let place = try cursor.next() {
      let payload = unsafe UnsafeMutableRawBufferPointer(
        rebasing: buffer.bytes[..<place.storedSize])
      #expect(
        try unsafe archive.input.read(into: payload, at: place.payloadOffset) == payload.count)
      try loader.decode(place, in: &buffer)
      raw += unsafe Array(buffer.bytes.prefix(place.rawSize))
    }
    #expect(raw == ThreeBlocks.raw)
  }
}
