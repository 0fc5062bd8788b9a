import BAArchive
import BATestSupport
import Testing

@Suite struct DeflaterTests {
  private let text = Array(String(repeating: "the keeper lights the lamp; ", count: 20_000).utf8)
  private let noise: [UInt8] = {
    var random = SeededGenerator(seed: 7)
    return (0..<400_000).map { _ in UInt8.random(in: .min ... .max, using: &random) }
  }()

  /// zlib up to 1.2.11 flushes when the level changes right after a reset, into the last output
  /// that it was given.
  @Test func blocksAreIndependent() throws {
    let used = try Deflater(level: 5, probe: CompressibilityProbe())
    let mixed = text + noise
    var first = [UInt8](repeating: 0, count: mixed.count)
    let size = pack(mixed, used, into: &first)
    #expect(size != nil)
    let kept = first
    for _ in 0..<2 {
      var expected = [UInt8](repeating: 0, count: text.count)
      let fresh = try Deflater(level: 5, probe: CompressibilityProbe())
      let expectedSize = pack(text, fresh, into: &expected)
      var second = [UInt8](repeating: 0, count: text.count)
      #expect(pack(text, used, into: &second) == expectedSize)
      #expect(second == expected)
      #expect(first == kept)
      // Now after a block that doesn't fit.
      var small = [UInt8](repeating: 0, count: 1000)
      #expect(pack(mixed, used, into: &small) == nil)
    }
  }

  /// The header is the same, whatever the previous block was.
  @Test func theHeaderHasTheFullLevel() throws {
    for bytes in [text + noise, noise + text, text] {
      let deflater = try Deflater(level: 5, probe: CompressibilityProbe())
      var output = [UInt8](repeating: 0, count: bytes.count)
      #expect(pack(bytes, deflater, into: &output) != nil)
      #expect(output.prefix(2) == [0x78, 0x5E])
    }
  }

  private func pack(
    _ raw: [UInt8], _ deflater: Deflater, into output: inout [UInt8]
  ) -> Int? {
    unsafe raw.withUnsafeBytes { raw in
      unsafe output.withUnsafeMutableBytes { output in
        unsafe deflater.encode(raw, into: output)
      }
    }
  }
}
