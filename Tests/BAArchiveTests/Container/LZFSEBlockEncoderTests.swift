import BAArchive
import BALZFSE
import BATestSupport
import Testing

@Suite struct LZFSEBlockEncoderTests {
  private let text = Array(String(repeating: "the keeper of the lantern; ", count: 40_000).utf8)

  private func noise(_ count: Int) -> [UInt8] {
    var random = SeededGenerator(seed: 11)
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
  }

  private func encoded(_ raw: [UInt8], level: Int = 1) throws -> [UInt8]? {
    let encoder = try LZFSEBlockEncoder(level: level)
    var output = [UInt8](repeating: 0, count: raw.count)
    let size = unsafe raw.withUnsafeBytes { raw in
      unsafe output.withUnsafeMutableBytes { unsafe encoder.encode(raw, into: $0) }
    }
    return size.map { Array(output[..<$0]) }
  }

  @Test(arguments: [1, 5, 9]) func storesNoise(level: Int) throws {
    #expect(try encoded(noise(1 << 20), level: level) == nil)
    // Shorter blocks are encoded without sampling, and don't fit.
    #expect(try encoded(noise(60_000), level: level) == nil)
  }

  @Test(arguments: [1, 5, 9]) func encodesAllOfABlockThatShrinks(level: Int) throws {
    let mixed = noise(700_000) + text.prefix(300_000)
    let block = try #require(try encoded(mixed, level: level))
    #expect(block.count < mixed.count * 15 / 16)
    let decoded = try unsafe LZFSE.decode(block.span.bytes, limit: mixed.count)
    #expect(decoded == mixed)
  }

  /// Files that are alike except in the samples: in every 32 KiB, the first KiB is noise.
  @Test(arguments: [(31, false), (32, true)])
  func encodesManySmallFiles(_ files: Int, _ encodes: Bool) throws {
    var raw = noise(1 << 20)
    for file in 0..<files {
      let start = file * (32 << 10) + 1024
      raw.replaceSubrange(start..<(start + 4), with: "AA01".utf8)
      raw.replaceSubrange((start + 4)..<(start + 20_004), with: text.prefix(20_000))
    }
    let block = try encoded(raw)
    #expect((block != nil) == encodes)
  }
}
