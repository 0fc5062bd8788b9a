extension LZFSE {
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
    /// The initial states of the decoder, which are the final ones of the encoder.
    var literalStates: [UInt16] = [0, 0, 0, 0]
    var literalLengthState: UInt16 = 0
    var matchLengthState: UInt16 = 0
    var distanceState: UInt16 = 0

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
    static let literalStates = (0..<4).map { Field(word: 16, shift: 10 * UInt64($0), width: 10) }
    static let tripletPayload = Field(word: 16, shift: 40, width: 20)
    static let tripletBits = Field(word: 16, shift: 60, width: 3)
    static let literalLengthState = Field(word: 24, shift: 32, width: 10)
    static let matchLengthState = Field(word: 24, shift: 42, width: 10)
    static let distanceState = Field(word: 24, shift: 52, width: 10)
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
    literalStates = Self.literalStates.map { UInt16($0.value(stream, offset)) }
    literalLengthState = UInt16(Self.literalLengthState.value(stream, offset))
    matchLengthState = UInt16(Self.matchLengthState.value(stream, offset))
    distanceState = UInt16(Self.distanceState.value(stream, offset))
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
    literalStates = (0..<4).map { stream.integer(at: offset + 32 + 2 * $0) }
    literalLengthState = stream.integer(at: offset + 44)
    matchLengthState = stream.integer(at: offset + 46)
    distanceState = stream.integer(at: offset + 48)
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
    guard literalStates.allSatisfy({ $0 < LZFSE.Alphabet.literal.states }) else {
      throw LZFSE.Damage(.startState(.literal), at: offset + (packed ? 16 : 32))
    }
    guard literalLengthState < LZFSE.Alphabet.literalLength.states else {
      throw LZFSE.Damage(.startState(.literalLength), at: offset + (packed ? 28 : 44))
    }
    guard matchLengthState < LZFSE.Alphabet.matchLength.states else {
      throw LZFSE.Damage(.startState(.matchLength), at: offset + (packed ? 29 : 46))
    }
    guard distanceState < LZFSE.Alphabet.distance.states else {
      throw LZFSE.Damage(.startState(.distance), at: offset + (packed ? 30 : 48))
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
    for (state, field) in zip(literalStates, Self.literalStates) { put(Int(state), field) }
    put(tripletPayload, Self.tripletPayload)
    put(7 - tripletPadding, Self.tripletBits)
    put(Int(literalLengthState), Self.literalLengthState)
    put(Int(matchLengthState), Self.matchLengthState)
    put(Int(distanceState), Self.distanceState)
    return words.flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) }
    }
  }
}
