extension LZFSE {
  /// The four bytes at the start of each block, as a little-endian number.
  enum Magic {
    static let stored: UInt32 = 0x2D78_7662  // bvx-
    static let lzvn: UInt32 = 0x6E78_7662  // bvxn
    static let fsePlain: UInt32 = 0x3178_7662  // bvx1
    static let fsePacked: UInt32 = 0x3278_7662  // bvx2
    static let end: UInt32 = 0x2478_7662  // bvx$
  }

  /// The limits of an FSE block, which Apple's decoder enforces.
  enum Limit {
    static let literals = 40_000
    static let triplets = 10_000
    static let literalLength = 315
    static let matchLength = 2_359
    static let distance = 262_139
    /// The number of zero bytes at the start of the triplet payload.
    static let tripletLead = 8
    /// The size of a packed header, with the shortest and the longest frequency table.
    static let packedHeader = 122...662
  }

  /// The symbols of an entropy code: frequencies, states, and the values of symbols.
  struct Alphabet: Sendable {
    let name: Damage.Alphabet
    /// The binary logarithm of the number of states, which is the sum of the frequencies.
    let log2States: Int
    /// The indices of its frequencies among the 360 of a block.
    let frequencies: Range<Int>
    /// The number of extra bits after each symbol. Empty for literals, which have none.
    let extraBits: [UInt8]
    /// The value of each symbol if its extra bits are 0. Empty for literals.
    let base: [UInt32]

    var states: Int { 1 << log2States }

    init(_ name: Damage.Alphabet, log2States: Int, frequencies: Range<Int>, extraBits: [UInt8]) {
      self.name = name
      self.log2States = log2States
      self.frequencies = frequencies
      self.extraBits = extraBits
      // Each symbol's values begin where those of the previous one end.
      var next: UInt32 = 0
      base = extraBits.map { bits in
        defer { next += 1 << UInt32(bits) }
        return next
      }
    }

    /// Lengths of literal runs, 0 to 315.
    static let literalLength = Alphabet(
      .literalLength, log2States: 6, frequencies: 0..<20,
      extraBits: [UInt8](repeating: 0, count: 16) + [2, 3, 5, 8])
    /// Lengths of matches, 0 to 2,359.
    static let matchLength = Alphabet(
      .matchLength, log2States: 6, frequencies: 20..<40,
      extraBits: [UInt8](repeating: 0, count: 16) + [3, 5, 8, 11])
    /// Distances, 0 (the previous one) to 262,139.
    static let distance = Alphabet(
      .distance, log2States: 8, frequencies: 40..<104, extraBits: (0..<64).map { UInt8($0 / 4) })
    /// Literal bytes.
    static let literal = Alphabet(
      .literal, log2States: 10, frequencies: frequencyCount - 256..<frequencyCount, extraBits: [])

    /// The number of frequencies of a block, in the order of its header: L, M, D, literals.
    static let frequencyCount = 360
  }
}

extension LZFSE {
  /// The position of a block and its parts, which is known to be within the stream.
  struct Block {
    enum Kind { case stored, lzvn, fsePlain, fsePacked, end }

    let kind: Kind
    /// The range of the whole block.
    let range: Range<Int>
    /// The number of bytes before the payload.
    let headerSize: Int
    /// The size of the block's output, according to its header.
    let rawSize: Int

    var payload: Range<Int> { range.lowerBound + headerSize..<range.upperBound }

    /// The block that begins at `offset`.
    init(_ stream: RawSpan, at offset: Int) throws(Damage) {
      let left = stream.byteCount - offset
      guard left >= 4 else { throw Damage(.missingEnd, at: offset) }
      let fixed: Int
      switch stream.integer(at: offset, as: UInt32.self) {
      case Magic.stored: (kind, fixed) = (.stored, 8)
      case Magic.lzvn: (kind, fixed) = (.lzvn, 12)
      case Magic.fsePlain: (kind, fixed) = (.fsePlain, 772)
      case Magic.fsePacked: (kind, fixed) = (.fsePacked, 32)
      case Magic.end: (kind, fixed) = (.end, 4)
      case let magic: throw Damage(.unknownMagic(magic), at: offset)
      }
      guard left >= fixed else { throw Damage(.truncated, at: offset) }
      func field(_ at: Int) -> Int { Int(stream.integer(at: offset + at, as: UInt32.self)) }
      rawSize = kind == .end ? 0 : field(4)

      // Sums of at most three 32-bit numbers, in 64 bits.
      let payloadSize: Int
      switch kind {
      case .end: (headerSize, payloadSize) = (fixed, 0)
      case .stored: (headerSize, payloadSize) = (fixed, rawSize)
      case .lzvn: (headerSize, payloadSize) = (fixed, field(8))
      case .fsePlain:
        (headerSize, payloadSize) = (fixed, field(20) + field(24))
        guard field(8) == payloadSize else {
          throw Damage(.payloadSize(UInt32(field(8))), at: offset + 8)
        }
      case .fsePacked:
        headerSize = field(24)
        guard Limit.packedHeader.contains(headerSize) else {
          throw Damage(.headerSize(UInt32(headerSize)), at: offset + 24)
        }
        payloadSize =
          FSEHeader.literalPayload.value(stream, offset)
          + FSEHeader.tripletPayload.value(stream, offset)
      }
      guard headerSize + payloadSize <= left else { throw Damage(.truncated, at: offset) }
      range = offset..<offset + headerSize + payloadSize
      guard rawSize > 0 || kind == .stored || kind == .end else {
        throw Damage(.emptyBlock, at: offset + 4)
      }
    }
  }

  /// The total size of the output, according to the block headers of `stream`.
  static func rawSize(of stream: RawSpan, limit: Int) throws(Damage) -> Int {
    var offset = 0
    var size = 0
    while true {
      let block = try Block(stream, at: offset)
      if block.kind == .end { return size }
      guard block.rawSize <= limit - size else { throw Damage(.tooMuchOutput, at: offset + 4) }
      size += block.rawSize
      offset = block.range.upperBound
    }
  }
}
