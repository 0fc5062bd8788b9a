import BAArchive
import BATestSupport
import Testing

@Suite struct BlockCacheTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func cache(_ bytes: [UInt8]) throws -> BlockCache {
    let archive = try OpenArchive(folder.write("a.aar", bytes))
    return try BlockCache(archive.input, archive.facts())
  }

  @Test func bytesAreComparedAcrossBlocks() throws {
    let cache = try cache(ThreeBlocks.bytes)
    for start in stride(from: 0, through: 168, by: 8) {
      for end in stride(from: start, through: 168, by: 8) {
        var part = Array(ThreeBlocks.raw[start..<end])
        #expect(try cache.contains(unsafe part.span.bytes, at: UInt64(start)))
        if part.isEmpty { continue }
        part[part.count - 1] ^= 1
        #expect(try !cache.contains(unsafe part.span.bytes, at: UInt64(start)))
      }
    }
  }

  @Test func aDamagedBlockIsNotKept() throws {
    let cache = try cache(ThreeBlocks.damagedFirst)
    let letters = Array(ThreeBlocks.raw[..<64])
    for _ in 0..<2 {
      let found = damage { _ = try cache.contains(unsafe letters.span.bytes, at: 0) }
      #expect(found?.reason == .zlibChecksum && found?.place.block == 0)
      let rest = Array(ThreeBlocks.raw[64...])
      #expect(try cache.contains(unsafe rest.span.bytes, at: 64))
    }
  }
}
