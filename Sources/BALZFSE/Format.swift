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
    /// The symbol of each value. Only for lengths.
    let symbols: [UInt8]

    var states: Int { 1 << log2States }

    init(
      _ name: Damage.Alphabet, log2States: Int, frequencies: Range<Int>, extraBits: [UInt8],
      values: Int = 0
    ) {
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
      // The last symbol whose values begin there or before.
      symbols = (0..<values).map { [base] value in UInt8(base.lastIndex { $0 <= value } ?? 0) }
    }

    /// Lengths of literal runs, 0 to 315.
    static let literalLength = Alphabet(
      .literalLength, log2States: 6, frequencies: 0..<20,
      extraBits: [UInt8](repeating: 0, count: 16) + [2, 3, 5, 8],
      values: Limit.literalLength + 1)
    static let matchLength = Alphabet(
      .matchLength, log2States: 6, frequencies: 20..<40,
      extraBits: [UInt8](repeating: 0, count: 16) + [3, 5, 8, 11],
      values: Limit.matchLength + 1)
    /// Distances, 0 (the previous one) to 262,139.
    static let distance = Alphabet(
      .distance, log2States: 8, frequencies: 40..<104, extraBits: (0..<64).map { UInt8($0 / 4) })
    /// Literal bytes.
    static let literal = Alphabet(
      .literal, log2States: 10, frequencies: frequencyCount - 256..<frequencyCount, extraBits: [])

    /// The number of frequencies of a block, in the order of its header: L, M, D, literals.
    static let frequencyCount = 360
  }

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

  /// The header of an FSE block, of either kind.
  struct FSEHeader {
    /// The size of the block's output in bytes.
    var rawSize = 0
    var literals = 0
    var triplets = 0
    /// The sizes of the payloads in bytes.
    var literalPayload = 0
    var tripletPayload = 0
    /// The numbers of unused bits at the end of the payloads, 0 to 7.
    var literalPadding = 0
    var tripletPadding = 0
    /// The initial states of the decoder, which are the final ones of the encoder: of the four
    /// literals that are coded at once, and of L, M and D.
    var states: [UInt16] = []

    /// The size of the packed header without its frequencies.
    static let packedSize = 32

    /// A bit field in one of the three words of a packed header.
    struct Field {
      let word: Int
      let shift: UInt64
      let width: UInt64

      func value(_ stream: RawSpan, _ block: Int) -> Int {
        let bits: UInt64 = stream.integer(at: block + word)
        return Int((bits >> shift) & ((1 << width) - 1))
      }
    }

    static let literals = Field(word: 8, shift: 0, width: 20)
    static let literalPayload = Field(word: 8, shift: 20, width: 20)
    static let triplets = Field(word: 8, shift: 40, width: 20)
    static let literalBits = Field(word: 8, shift: 60, width: 3)
    static let tripletPayload = Field(word: 16, shift: 40, width: 20)
    static let tripletBits = Field(word: 16, shift: 60, width: 3)
    /// The states in a packed header, and their offsets in a plain one.
    static let states: [(packed: Field, plain: Int, alphabet: Alphabet)] =
      (0..<4).map { index in
        (Field(word: 16, shift: 10 * UInt64(index), width: 10), 32 + 2 * index, .literal)
      } + [
        (Field(word: 24, shift: 32, width: 10), 44, .literalLength),
        (Field(word: 24, shift: 42, width: 10), 46, .matchLength),
        (Field(word: 24, shift: 52, width: 10), 48, .distance),
      ]
  }
}

extension LZFSE.FSEHeader {
  /// Reads the header of `block`, an FSE block within `stream`, and its frequencies.
  /// - Throws: `Damage` for everything that can be detected before a symbol is decoded.
  init(
    _ stream: RawSpan, _ block: LZFSE.Block, frequencies: inout [UInt16]
  ) throws(LZFSE.Damage) {
    let offset = block.range.lowerBound
    rawSize = block.rawSize
    switch block.kind {
    case .fsePacked:
      try frequencies.unpack(stream, offset + Self.packedSize..<block.payload.lowerBound)
      readPacked(stream, offset)
    default:
      for index in frequencies.indices {
        frequencies[index] = stream.integer(at: offset + 50 + 2 * index)
      }
      try readPlain(stream, offset)
    }
    try check(stream, block)
    try checkSums(frequencies, block)
  }

  private mutating func readPacked(_ stream: RawSpan, _ offset: Int) {
    literals = Self.literals.value(stream, offset)
    triplets = Self.triplets.value(stream, offset)
    literalPayload = Self.literalPayload.value(stream, offset)
    tripletPayload = Self.tripletPayload.value(stream, offset)
    literalPadding = 7 - Self.literalBits.value(stream, offset)
    tripletPadding = 7 - Self.tripletBits.value(stream, offset)
    states = Self.states.map { UInt16($0.packed.value(stream, offset)) }
  }

  private mutating func readPlain(_ stream: RawSpan, _ offset: Int) throws(LZFSE.Damage) {
    literals = Int(stream.integer(at: offset + 12, as: UInt32.self))
    triplets = Int(stream.integer(at: offset + 16, as: UInt32.self))
    literalPayload = Int(stream.integer(at: offset + 20, as: UInt32.self))
    tripletPayload = Int(stream.integer(at: offset + 24, as: UInt32.self))
    literalPadding = -Int(stream.integer(at: offset + 28, as: Int32.self))
    tripletPadding = -Int(stream.integer(at: offset + 40, as: Int32.self))
    guard 0...7 ~= literalPadding else { throw LZFSE.Damage(.paddingBits, at: offset + 28) }
    guard 0...7 ~= tripletPadding else { throw LZFSE.Damage(.paddingBits, at: offset + 40) }
    states = Self.states.map { stream.integer(at: offset + $0.plain) }
  }

  private func check(_ stream: RawSpan, _ block: LZFSE.Block) throws(LZFSE.Damage) {
    let offset = block.range.lowerBound
    let packed = block.kind == .fsePacked
    // Without more literals than output (except for padding), and without triplets that have no
    // output, the time for a block is proportional to its output.
    guard literals <= min(LZFSE.Limit.literals, rawSize + 3), literals.isMultiple(of: 4) else {
      throw LZFSE.Damage(.literalCount(UInt32(literals)), at: offset + (packed ? 8 : 12))
    }
    guard triplets <= min(LZFSE.Limit.triplets, rawSize) else {
      throw LZFSE.Damage(.tripletCount(UInt32(triplets)), at: offset + (packed ? 13 : 16))
    }
    for (state, place) in zip(states, Self.states) where state >= place.alphabet.states {
      throw LZFSE.Damage(
        .startState(place.alphabet.name),
        at: offset + (packed ? place.packed.word + Int(place.packed.shift / 8) : place.plain))
    }
    let cut = block.payload.lowerBound + literalPayload
    try checkPadding(stream, block.payload.lowerBound..<cut, literalPadding)
    try checkPadding(stream, cut..<block.payload.upperBound, tripletPadding)
    guard tripletPayload >= LZFSE.Limit.tripletLead else {
      throw LZFSE.Damage(.tripletPayload(UInt32(tripletPayload)), at: offset + (packed ? 21 : 24))
    }
  }

  private func checkPadding(
    _ stream: RawSpan, _ payload: Range<Int>, _ padding: Int
  ) throws(LZFSE.Damage) {
    guard let last = payload.last else {
      guard padding == 0 else { throw LZFSE.Damage(.paddingBits, at: payload.lowerBound) }
      return
    }
    guard stream.integer(at: last, as: UInt8.self).leadingZeroBitCount >= padding else {
      throw LZFSE.Damage(.paddingBits, at: last)
    }
  }

  private func checkSums(_ frequencies: [UInt16], _ block: LZFSE.Block) throws(LZFSE.Damage) {
    var used: [LZFSE.Alphabet] = []
    if triplets > 0 { used += [.literalLength, .matchLength, .distance] }
    if literals > 0 { used.append(.literal) }
    for alphabet in used {
      let sum = frequencies[alphabet.frequencies].reduce(into: 0) { $0 += Int($1) }
      guard sum == alphabet.states else {
        let table = block.range.lowerBound + (block.kind == .fsePacked ? Self.packedSize : 50)
        throw LZFSE.Damage(.frequencySum(alphabet.name), at: table)
      }
    }
  }
}

extension LZFSE.FSEHeader {
  /// The 32 bytes before the packed frequencies, for a header of `size` bytes in total.
  func packed(size: Int) -> [UInt8] {
    var words: [UInt64] = [
      UInt64(LZFSE.Magic.fsePacked) | UInt64(rawSize) << 32, 0, 0, UInt64(size),
    ]
    func put(_ value: Int, _ field: Field) { words[field.word / 8] |= UInt64(value) << field.shift }
    put(literals, Self.literals)
    put(literalPayload, Self.literalPayload)
    put(triplets, Self.triplets)
    put(7 - literalPadding, Self.literalBits)
    for (state, place) in zip(states, Self.states) { put(Int(state), place.packed) }
    put(tripletPayload, Self.tripletPayload)
    put(7 - tripletPadding, Self.tripletBits)
    return words.flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) }
    }
  }
}
