import LZFSE
import TestSupport
import Testing

@Suite struct LZFSEEncoderTests {
  static let sizes =
    Array(0...40) + [63, 64, 65, 79, 80, 81, 255, 256, 300, 1000, 4095, 4096, 4097]
    + [39_999, 40_000, 40_001, 65_535, 65_536, 65_537, 70_000]

  @Test(arguments: CodecInput.allCases) func roundTrips(_ input: CodecInput) throws {
    var random = SeededGenerator(seed: 7)
    var encoder = LZFSE.Encoder()
    var decoder = LZFSE.Decoder()
    let all = input.bytes(70_000, &random)
    for size in Self.sizes + (0..<60).map({ _ in Int.random(in: 0...70_000, using: &random) }) {
      let raw = [UInt8](all[..<size])
      let stream = try #require(encoded(raw, by: &encoder))
      #expect(stream.count <= size + LZFSE.Encoder.overhead)
      #expect(try decoded(stream, size: size, by: &decoder) == raw, "\(input), \(size) bytes")
    }
  }

  @Test(arguments: CodecInput.allCases) func megabyteGoesThroughManyBlocks(_ input: CodecInput)
    throws
  {
    var random = SeededGenerator(seed: 8)
    let raw = input.bytes(1 << 20, &random)
    // The empty middle makes matches reach far, and runs longer than one block may hold.
    for raw in [raw, raw[..<300_000] + [UInt8](repeating: 0, count: 448_576) + raw[..<300_000]] {
      let stream = alone(raw)
      #expect(stream.count <= raw.count + LZFSE.Encoder.overhead)
      #expect(try decoded(stream, size: raw.count) == raw, "\(input)")
    }
  }

  @Test func sizesAreReasonable() {
    var random = SeededGenerator(seed: 9)
    #expect(alone([]) == [UInt8]("bvx$".utf8))
    #expect(alone([7]) == [UInt8]("bvx-".utf8) + [1, 0, 0, 0, 7] + [UInt8]("bvx$".utf8))
    #expect(alone(CodecInput.zeros.bytes(1 << 20, &random)).count < 800)
    #expect(alone(CodecInput.runs.bytes(1 << 20, &random)).count < 1 << 18)
    #expect(alone(CodecInput.text.bytes(1 << 20, &random)).count < 1 << 19)
    let noise = CodecInput.noise.bytes(1 << 20, &random)
    #expect(alone(noise).count == noise.count + LZFSE.Encoder.overhead)
  }

  @Test func sameInputGivesSameStream() throws {
    var random = SeededGenerator(seed: 10)
    var encoder = LZFSE.Encoder()
    for input in CodecInput.allCases + CodecInput.allCases.reversed() {
      let raw = input.bytes(200_000, &random)
      #expect(try #require(encoded(raw, by: &encoder)) == alone(raw), "\(input)")
    }
  }

  @Test func smallOutputIsNotEnough() throws {
    var random = SeededGenerator(seed: 11)
    var encoder = LZFSE.Encoder()
    for input in CodecInput.allCases {
      let raw = input.bytes(50_000, &random)
      let stream = alone(raw)
      #expect(encoded(raw, by: &encoder, capacity: stream.count) == stream)
      for capacity in [0, 3, stream.count / 2, stream.count - 4, stream.count - 1] {
        #expect(encoded(raw, by: &encoder, capacity: capacity) == nil, "\(input), \(capacity)")
      }
    }
  }

  @Test func farMatches() throws {
    var random = SeededGenerator(seed: 12)
    let far = CodecInput.noise.bytes(2_000, &random)
    for distance in [262_138, 262_139, 262_140, 262_144] {
      let gap = [UInt8](repeating: 0, count: distance - far.count)
      let raw = far + gap + far
      let stream = alone(raw)
      #expect(try decoded(stream, size: raw.count) == raw)
      #expect((stream.count < 2_600) == (distance <= 262_139), "\(distance): \(stream.count)")
    }
  }
}

/// `raw` by the library's plain function.
func alone(_ raw: [UInt8]) -> [UInt8] { LZFSE.encode(unsafe raw.span.bytes) }

func encoded(
  _ raw: [UInt8], by encoder: inout LZFSE.Encoder, capacity: Int? = nil
) -> [UInt8]? {
  let capacity = capacity ?? raw.count + LZFSE.Encoder.overhead
  // The guard behind the output shows writes beyond it.
  var output = [UInt8](repeating: 0xA5, count: capacity + 64)
  let size = unsafe output.withUnsafeMutableBytes { output in
    unsafe raw.withUnsafeBytes { raw in
      unsafe encoder.encode(raw, into: .init(rebasing: output[..<capacity]))
    }
  }
  precondition(output[capacity...].allSatisfy { $0 == 0xA5 }, "bytes written behind the output")
  return size.map { [UInt8](output[..<$0]) }
}
