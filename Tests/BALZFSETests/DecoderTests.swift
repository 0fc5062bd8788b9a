import BALZFSE
import Testing

@Suite struct LZFSEDecoderTests {
  @Test func goodVectorsDecode() throws {
    var decoder = try LZFSE.Decoder()
    for vector in try LZFSEVectors.load().good {
      let stream = try LZFSEVectors.bytes(vector.file)
      let raw = try LZFSEVectors.raw(vector)
      #expect(raw.count == vector.raw_size)
      #expect(try decoded(stream, size: raw.count, by: &decoder) == raw, "\(vector.file)")
      #expect(try decodedAlone(stream, limit: raw.count) == raw, "\(vector.file)")
      #expect(try decodedAlone(stream, limit: .max) == raw, "\(vector.file)")
    }
  }

  @Test func otherSizesAreRejected() throws {
    for vector in try LZFSEVectors.load().good {
      let stream = try LZFSEVectors.bytes(vector.file)
      #expect(throws: LZFSE.Damage.self, "\(vector.file)") {
        try decoded(stream, size: vector.raw_size + 1)
      }
      for size in [0, vector.raw_size / 2, vector.raw_size - 1] where 0..<vector.raw_size ~= size {
        #expect(throws: LZFSE.Damage.self, "\(vector.file)") { try decoded(stream, size: size) }
      }
    }
    let far = try LZFSEVectors.bytes("fse-example.lzfse")
    #expect(throws: LZFSE.Damage(.tooLittleOutput, at: 206)) { try decoded(far, size: 5001) }
    #expect(throws: LZFSE.Damage(.tooMuchOutput, at: 4)) { try decoded(far, size: 4999) }
    #expect(throws: LZFSE.Damage(.tooMuchOutput, at: 4)) {
      try decodedAlone(far, limit: 4999)
    }
  }

  /// Every bad vector, with its damage and the offset.
  static let reasons: [String: LZFSE.Damage] = [
    "no-end.bad": .init(.missingEnd, at: 206),
    "cut-payload.bad": .init(.truncated, at: 0),
    "bad-magic.bad": .init(.unknownMagic(0x3378_7662), at: 0),
    "raw-short.bad": .init(.truncated, at: 0),
    "v2-raw-size.bad": .init(.blockSize, at: 177),
    "v2-literal-count.bad": .init(.literalCount(35), at: 8),
    "v2-literal-limit.bad": .init(.literalCount(40_004), at: 8),
    // With both payloads shifted by a byte, the triplets end with the end mark's first byte.
    "v2-literal-payload.bad": .init(.paddingBits, at: 206),
    "v2-triplet-limit.bad": .init(.tripletCount(10_001), at: 13),
    "v2-literal-bits.bad": .init(.paddingBits, at: 176),
    "v2-literal-state.bad": .init(.finalState, at: 161),
    "v2-triplet-payload.bad": .init(.paddingBits, at: 204),
    "v2-triplet-bits.bad": .init(.literalsRunOut, at: 187),
    "v2-state.bad": .init(.startState(.literalLength), at: 28),
    "v2-no-tables.bad": .init(.headerSize(32), at: 24),
    "v2-tables-end.bad": .init(.packedFrequencies, at: 161),
    "v2-sum.bad": .init(.frequencySum(.matchLength), at: 32),
    "v2-repeat-first.bad": .init(.noDistance, at: 158),
    "v2-distance.bad": .init(.distance(19), at: 158),
    "v2-literals-run-out.bad": .init(.bitsRunOut, at: 161),
    "vn-distance-0.bad": .init(.distance(0), at: 23),
    "vn-first-match.bad": .init(.noDistance, at: 16),
    "vn-undefined.bad": .init(.opcode(0x73), at: 29),
    "vn-after-end.bad": .init(.endMark, at: 16),
    "too-much-output.bad": .init(.tooMuchOutput, at: 4),
  ]

  @Test func invalidVectorsAreRejectedForTheirReason() throws {
    let vectors = try LZFSEVectors.load().bad
    #expect(vectors.count == Self.reasons.count)
    for vector in vectors {
      let stream = try LZFSEVectors.bytes(vector.file)
      let expected = try #require(Self.reasons[vector.file])
      #expect(throws: expected, "\(vector.file)") { try decoded(stream, size: vector.limit) }
    }
  }

  /// Bits that every decoder rejects when inverted. Inverting any other bit results in bytes or in
  /// damage.
  @Test func invertedBitsAreRejected() throws {
    var decoder = try LZFSE.Decoder()
    let vectors = try LZFSEVectors.load()
    for (file, runs) in vectors.flips {
      let good = try LZFSEVectors.bytes(file)
      let size = try #require(vectors.good.first { $0.file == file }).raw_size
      let refused = Set(runs.flatMap { $0[0]...$0[1] })
      for bit in 0..<8 * good.count {
        var stream = good
        stream[bit / 8] ^= 1 << UInt8(bit % 8)
        do {
          _ = try decoded(stream, size: size, by: &decoder)
          #expect(!refused.contains(bit), "bit \(bit) of \(file)")
        } catch {
          #expect((0...stream.count).contains(error.offset), "bit \(bit) of \(file)")
        }
      }
    }
  }

  @Test func prefixesAreRejected() throws {
    var decoder = try LZFSE.Decoder()
    for vector in try LZFSEVectors.load().good {
      let stream = try LZFSEVectors.bytes(vector.file)
      // All lengths of short streams; for long ones the start, the end and a sample in between.
      for size in 0..<stream.count
      where stream.count < 1500 || size < 300 || size % 97 == 0
        || size > stream.count - 100
      {
        do {
          _ = try decoded([UInt8](stream[..<size]), size: vector.raw_size, by: &decoder)
          Issue.record("\(size) bytes of \(vector.file) are taken")
        } catch {
          #expect([.missingEnd, .truncated].contains(error.reason), "\(size) of \(vector.file)")
        }
      }
    }
  }

  @Test func bytesAfterTheEndMarkAreRejected() throws {
    let stream = try LZFSEVectors.bytes("fse-example.lzfse") + [0]
    #expect(throws: LZFSE.Damage(.trailingBytes, at: 210)) { try decoded(stream, size: 5000) }
  }

  @Test func plainBlockWithWrongPayloadSizeIsRejected() throws {
    var stream = try LZFSEVectors.bytes("v1-text-3000.lzfse")
    stream[8] &+= 1
    let size = UInt32(stream[8]) | UInt32(stream[9]) << 8
    #expect(throws: LZFSE.Damage(.payloadSize(size), at: 8)) { try decoded(stream, size: 3000) }
  }

  @Test func emptyBlocks() throws {
    #expect(try decoded([UInt8]("bvx$".utf8), size: 0) == [])
    let empty = [UInt8]("bvxn".utf8) + [0, 0, 0, 0, 8, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0]
    #expect(throws: LZFSE.Damage(.emptyBlock, at: 4)) {
      try decoded(empty + [UInt8]("bvx$".utf8), size: 0)
    }
    #expect(throws: LZFSE.Damage(.missingEnd, at: 0)) { try decoded([], size: 0) }
  }

  @Test func messageNamesReasonAndByte() throws {
    #expect(
      LZFSE.Damage(.unknownMagic(0x0A33_7662), at: 1206).description
        == "LZFSE: unknown block magic 0x0A337662 at byte 1206 of the stream")
  }
}
