import BALZFSE
import BATestSupport
import Testing

@Suite struct LZFSEEncoderTests {
  static let sizes =
    Array(0...40) + [63, 64, 65, 79, 80, 81, 255, 256, 300, 1000, 4095, 4096, 4097]
    + [39_999, 40_000, 40_001, 65_535, 65_536, 65_537, 70_000]

  static let levels = [1, 5, 9]

  @Test func anyCountHasAMaximumSize() {
    for count in [Int.min, -5, 0] {
      #expect(LZFSE.Encoder.maximumSize(for: count) == LZFSE.Encoder.maximumSize(for: 0))
    }
    #expect(LZFSE.Encoder.maximumSize(for: .max) > 1 << 62)
  }

  @Test(arguments: CodecInput.allCases, levels)
  func roundTrips(_ input: CodecInput, _ level: Int) throws {
    var random = SeededGenerator(seed: 7)
    var encoder = try LZFSE.Encoder(level: level)
    var decoder = try LZFSE.Decoder()
    let all = input.bytes(70_000, &random)
    let more = level < 9 ? 60 : 5
    for size in Self.sizes + (0..<more).map({ _ in Int.random(in: 0...70_000, using: &random) }) {
      let raw = [UInt8](all[..<size])
      let stream = try #require(encoded(raw, by: &encoder))
      #expect(stream.count <= LZFSE.Encoder.maximumSize(for: size))
      #expect(try decoded(stream, size: size, by: &decoder) == raw, "\(input), \(size) bytes")
    }
  }

  // Level 9 has the next test, as it takes long.
  @Test(arguments: CodecInput.allCases, [1, 5])
  func megabyteGoesThroughManyBlocks(_ input: CodecInput, _ level: Int) throws {
    var random = SeededGenerator(seed: 8)
    let raw = input.bytes(1 << 20, &random)
    // The empty middle causes distant matches, and runs longer than one block allows.
    for raw in [raw, raw[..<300_000] + [UInt8](repeating: 0, count: 448_576) + raw[..<300_000]] {
      let stream = try alone(raw, level: level)
      #expect(stream.count <= LZFSE.Encoder.maximumSize(for: raw.count))
      #expect(try decoded(stream, size: raw.count) == raw, "\(input)")
    }
  }

  /// More than one segment of the parser, with pieces of it that end inside matches of all lengths.
  @Test func segmentsGoThroughManyBlocks() throws {
    var random = SeededGenerator(seed: 17)
    var raw = CodecInput.periods.bytes(130_000, &random)
    while raw.count < 1_200_000 {
      raw += [UInt8](repeating: 0, count: Int.random(in: 0...90_000, using: &random))
      let start = raw.count - Int.random(in: 1000...130_000, using: &random)
      raw += raw[start..<start + Int.random(in: 1...1000, using: &random)]
    }
    let stream = try alone(raw, level: 9)
    #expect(try decoded(stream, size: raw.count) == raw)
    #expect(try stream.count < alone(raw, level: 1).count)
  }

  /// Runs, periods, noise, text, literals of which none repeats, and copies from far back; nothing,
  /// one byte, and one literal more than fits a block.
  @Test(arguments: levels) func randomInputs(_ level: Int) throws {
    var random = SeededGenerator(seed: 18)
    var encoder = try LZFSE.Encoder(level: level)
    var decoder = try LZFSE.Decoder()
    let text = CodecInput.text.bytes(20_000, &random)
    func literals(_ count: Int) -> [UInt8] { (0..<count).map { _ in random.next() & 127 } }
    for round in 0..<300 {
      var raw = round == 2 ? literals(40_001) : []
      let size = round < 3 ? round : Int.random(in: 0...(1 << (12 + round % 5)), using: &random)
      while raw.count < size {
        let count = Int.random(
          in: 1...(1 << Int.random(in: 0...13, using: &random)), using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: raw += [UInt8](repeating: random.next(), count: count)
        case 1:
          let period = CodecInput.noise.bytes(Int.random(in: 1...300, using: &random), &random)
          raw += repeatElement(period, count: count / period.count + 1).joined()
        case 2: raw += CodecInput.noise.bytes(count, &random)
        case 3: raw += text.prefix(count)
        case 4: raw += literals(count)
        default:
          let start = raw.count - Int.random(in: 0...raw.count, using: &random)
          raw += raw[start...].prefix(count)
        }
      }
      let stream = try #require(encoded(raw, by: &encoder))
      #expect(try decoded(stream, size: raw.count, by: &decoder) == raw, "round \(round)")
      if round.isMultiple(of: 10) { #expect(try alone(raw, level: level) == stream) }
    }
  }

  /// Digits, few letters, numbers that walk, tables and text in another script, joined at random: what
  /// the search and the parse find hard. A higher level's stream is never larger than a lower one's.
  @Test func higherLevelsAreNeverLarger() throws {
    var random = SeededGenerator(seed: 19)
    let digits = [UInt8]("0123456789abcdef".utf8)
    func part(_ kind: Int, _ count: Int) -> [UInt8] {
      switch kind {
      case 0: return (0..<count).map { _ in digits.randomElement(using: &random) ?? 0 }
      case 1: return (0..<count).map { _ in UInt8.random(in: 65...68, using: &random) }
      case 2:
        var value = 0
        return (0..<count / 4).flatMap { _ in
          value += Int.random(in: -200...200, using: &random)
          return unsafe withUnsafeBytes(of: Int32(value).littleEndian) { unsafe [UInt8]($0) }
        }
      case 3:
        return (0..<count / 40).flatMap { _ in
          [UInt8]("{\"guid\":\"".utf8) + part(0, 32) + [UInt8]("\"},".utf8)
        }
      case 4:
        return (0..<count / 12).flatMap { row in
          [UInt8]("слово".utf8) + [32, UInt8(row & 255), UInt8.random(in: 0...7, using: &random)]
        }
      default: return CodecInput.allCases[kind - 5].bytes(count, &random)
      }
    }
    for round in 0..<80 {
      var raw: [UInt8] = []
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let kind = Int.random(in: 0..<5 + CodecInput.allCases.count, using: &random)
        let most = 1 << Int.random(in: 8...15, using: &random)
        raw += part(kind, Int.random(in: 0...most, using: &random))
      }
      let sizes = try Self.levels.map { try alone(raw, level: $0).count }
      #expect(sizes[2] <= sizes[1] && sizes[1] <= sizes[0], "round \(round): \(sizes)")
    }
  }

  /// Inputs that change their nature, one after another through the same encoder: nothing of one
  /// may be left for the next.
  @Test(arguments: levels) func changingInputs(_ level: Int) throws {
    var random = SeededGenerator(seed: 15)
    var encoder = try LZFSE.Encoder(level: level)
    var decoder = try LZFSE.Decoder()
    let kinds = CodecInput.allCases.map { $0.bytes(120_000, &random) }
    for round in 0..<(level < 9 ? 100 : 20) {
      var raw: [UInt8] = []
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        let kind = kinds[Int.random(in: 0..<kinds.count, using: &random)]
        let start = Int.random(in: 0..<60_000, using: &random)
        raw += kind[start..<start + Int.random(in: 0...60_000, using: &random)]
        let period = kind[start..<start + Int.random(in: 1...300, using: &random)]
        raw += repeatElement(period, count: Int.random(in: 0...40, using: &random)).joined()
      }
      let stream = try #require(encoded(raw, by: &encoder))
      #expect(try decoded(stream, size: raw.count, by: &decoder) == raw, "round \(round)")
      if round.isMultiple(of: 10) { #expect(try alone(raw, level: level) == stream) }
    }
  }

  @Test func higherLevelIsSmallerForText() throws {
    var random = SeededGenerator(seed: 16)
    let text = CodecInput.text.bytes(1 << 18, &random)
    let sizes = try Self.levels.map { try alone(text, level: $0).count }
    #expect(sizes[2] < sizes[1] && sizes[1] < sizes[0])
  }

  @Test func sizesAreReasonable() throws {
    var random = SeededGenerator(seed: 9)
    #expect(try alone([]) == [UInt8]("bvx-".utf8) + [0, 0, 0, 0] + [UInt8]("bvx$".utf8))
    #expect(try alone([7]) == [UInt8]("bvx-".utf8) + [1, 0, 0, 0, 7] + [UInt8]("bvx$".utf8))
    #expect(try alone(CodecInput.zeros.bytes(1 << 20, &random)).count < 800)
    #expect(try alone(CodecInput.runs.bytes(1 << 20, &random)).count < 1 << 18)
    #expect(try alone(CodecInput.text.bytes(1 << 20, &random)).count < 1 << 19)
    let noise = CodecInput.noise.bytes(1 << 20, &random)
    #expect(try alone(noise).count == LZFSE.Encoder.maximumSize(for: noise.count))
  }

  /// Golden data of Apple's open-source encoder, for the sizes at which ours makes the same
  /// choices.
  @Test func smallInputsGiveTheStreamOfTheReferenceEncoder() throws {
    let small = try LZFSEVectors.load().good.filter {
      $0.made_by == "reference encoder" && $0.raw_size < 4096
    }
    #expect(small.count >= 3)
    for vector in small {
      #expect(
        try alone(LZFSEVectors.raw(vector)) == LZFSEVectors.bytes(vector.file), "\(vector.file)")
    }
  }

  @Test func oneStreamHasOneKindOfBlock() throws {
    var random = SeededGenerator(seed: 13)
    for input in CodecInput.allCases {
      for size in [0, 7, 8, 300, 4095, 4096, 39_999, 200_000] {
        // Block types could mix where noise is surrounded by compressible data.
        let noise = CodecInput.noise.bytes(size / 3, &random)
        let other = input.bytes(size - noise.count, &random)
        let raw = [UInt8](other[..<(other.count / 2)]) + noise + other[(other.count / 2)...]
        let kinds = Set(blockKinds(try alone(raw)))
        let allowed: Set<String> =
          size < 8 ? ["bvx-"] : size < 4096 ? ["bvxn", "bvx-"] : ["bvx2", "bvx-"]
        #expect(kinds.count == 1 && kinds.isSubset(of: allowed), "\(input), \(size): \(kinds)")
      }
    }
  }

  @Test func sameInputGivesSameStream() throws {
    var random = SeededGenerator(seed: 10)
    var encoder = try LZFSE.Encoder()
    for input in CodecInput.allCases + CodecInput.allCases.reversed() {
      let raw = input.bytes(200_000, &random)
      #expect(try #require(encoded(raw, by: &encoder)) == alone(raw), "\(input)")
    }
  }

  @Test func smallOutputIsNotEnough() throws {
    var random = SeededGenerator(seed: 11)
    var encoder = try LZFSE.Encoder()
    for input in CodecInput.allCases {
      let raw = input.bytes(50_000, &random)
      let stream = try alone(raw)
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
      let stream = try alone(raw)
      #expect(try decoded(stream, size: raw.count) == raw)
      #expect((stream.count < 2_600) == (distance <= 262_139), "\(distance): \(stream.count)")
    }
  }

  /// A triplet whose three values are the rarest of their block, with the most extra bits: 54 bits
  /// in a step of the code. Its literals are rare too.
  @Test func rareTriplets() throws {
    var random = SeededGenerator(seed: 14)
    let far = CodecInput.noise.bytes(2_400, &random)
    let words = (0..<64).map { _ in
      CodecInput.text.bytes(Int.random(in: 4...9, using: &random), &random)
    }
    for round in 0..<20 {
      var raw = far
      while raw.count < 200_000 + 997 * round {
        raw += words[Int.random(in: 0..<64, using: &random)]
        raw.append(UInt8.random(in: 0..<3, using: &random))
      }
      let rare = CodecInput.noise.bytes(300, &random)
      raw += rare + far + words.joined()
      #expect(try decoded(alone(raw), size: raw.count) == raw, "round \(round)")
    }
  }
}

/// `raw` by the library's plain function.
func alone(
  _ raw: [UInt8], level: Int = LZFSE.Encoder.defaultLevel
) throws -> [UInt8] { try LZFSE.encode(unsafe raw.span.bytes, level: level) }

func encoded(
  _ raw: [UInt8], by encoder: inout LZFSE.Encoder, capacity: Int? = nil
) -> [UInt8]? {
  let capacity = capacity ?? LZFSE.Encoder.maximumSize(for: raw.count)
  // The guard after the output detects writes beyond it.
  var output = [UInt8](repeating: 0xA5, count: capacity + 64)
  let size = unsafe output.withUnsafeMutableBytes { output in
    unsafe raw.withUnsafeBytes { raw in
      unsafe encoder.encode(raw, into: .init(rebasing: output[..<capacity]))
    }
  }
  precondition(output[capacity...].allSatisfy { $0 == 0xA5 }, "bytes written behind the output")
  return size.map { [UInt8](output[..<$0]) }
}

/// The magic number of each block of a stream except the end mark, using the sizes in its header.
private func blockKinds(_ stream: [UInt8]) -> [String] {
  var kinds: [String] = []
  var offset = 0
  func number(_ offset: Int, bytes: Int = 4) -> UInt64 {
    stream[offset..<offset + bytes].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
  while true {
    let kind = String(decoding: stream[offset..<offset + 4], as: UTF8.self)
    switch kind {
    case "bvx-": offset += 8 + Int(number(offset + 4))
    case "bvxn": offset += 12 + Int(number(offset + 8))
    case "bvx2":
      let (a, b, c) = (
        number(offset + 8, bytes: 8), number(offset + 16, bytes: 8), number(offset + 24, bytes: 8)
      )
      // Literal payload, triplet payload and header size: 20, 20 and 32 bits.
      offset += Int(a >> 20 & 0xF_FFFF) + Int(b >> 40 & 0xF_FFFF) + Int(c & 0xFFFF_FFFF)
    default: return kinds
    }
    kinds.append(kind)
  }
}
