extension LZFSE {
  /// The entropy stage: triplets and literals as the bytes of a `bvx2` block.
  struct EntropyCoder: ~Copyable {
    /// Bytes of the longest block: header, literals of 10 bits, triplets of 54 bits behind the lead,
    /// and both last bytes.
    static let longestBlock =
      Limit.packedHeader.upperBound + Limit.literals * 10 / 8 + Limit.tripletLead
      + Limit.triplets * 54 / 8 + 2

    /// The block that was encoded last, and spare bytes for stores of whole words.
    let block = Memory<UInt8>(repeating: 0, count: longestBlock + 8)

    private let literalTable = Memory(repeating: Transition(), count: 256)
    private let literalLengthTable = Memory(repeating: Transition(), count: 20)
    private let matchLengthTable = Memory(repeating: Transition(), count: 20)
    private let distanceTable = Memory(repeating: Transition(), count: 64)
    private var symbols = TripletSymbols()
    private var histogram = Histogram()

    /// Encodes the block into `block`.
    /// - Returns: its size in bytes.
    mutating func encode(_ triplets: inout Triplets) -> Int {
      triplets.fillUp()
      symbols.assign(triplets)
      var frequencies = symbols.frequencies
      frequencies += normalized(
        unsafe histogram.counts(triplets.literals.start, triplets.literalCount), .literal)
      LZFSE.fill(literalTable, .literal, frequencies)
      LZFSE.fill(literalLengthTable, .literalLength, frequencies)
      LZFSE.fill(matchLengthTable, .matchLength, frequencies)
      LZFSE.fill(distanceTable, .distance, frequencies)

      let packed = frequencies.packed()
      var header = FSEHeader()
      header.rawSize = triplets.rawSize
      header.literals = triplets.literalCount
      header.triplets = triplets.count
      let headerSize = FSEHeader.packedSize + packed.count
      let literalEnd = write(literals: triplets, &header, at: headerSize)
      let end = write(triplets: triplets, &header, at: literalEnd)
      // The header is at most 662 bytes long, and the block longer.
      for (index, byte) in (header.packed(size: headerSize) + packed).enumerated() {
        unsafe block.start[index] = byte
      }
      return end
    }

    /// Writes the literal payload at `offset`.
    /// - Returns: its end.
    private func write(
      literals: borrowing Triplets, _ header: inout FSEHeader, at offset: Int
    ) -> Int {
      // Bounds. `literalCount` is a multiple of 4 and at most 40,000, the size of the buffer. All
      // symbols are bytes, for which the table has entries. Four symbols write at most 40 bits.
      let table = unsafe literalTable.start
      let source = unsafe literals.literals.start
      var writer = unsafe AscendingBits(block.start + offset)
      let first = UInt32(Alphabet.literal.states)
      var state0 = first
      var state1 = first
      var state2 = first
      var state3 = first
      var index = literals.literalCount
      while index > 0 {
        index &-= 4
        unsafe state3 = writer.put(state3, table[Int(source[index &+ 3])])
        unsafe state2 = writer.put(state2, table[Int(source[index &+ 2])])
        unsafe state1 = writer.put(state1, table[Int(source[index &+ 1])])
        unsafe state0 = writer.put(state0, table[Int(source[index])])
        unsafe writer.flush()
      }
      header.literalPadding = unsafe writer.finish()
      header.literalStates = [state0, state1, state2, state3].map { UInt16($0 - first) }
      header.literalPayload = unsafe writer.target - (block.start + offset)
      return offset + header.literalPayload
    }

    /// Writes the triplet payload at `offset`.
    /// - Returns: its end.
    private func write(
      triplets: borrowing Triplets, _ header: inout FSEHeader, at offset: Int
    ) -> Int {
      // Bounds. Each triplet has its symbols, which `TripletSymbols` took from the alphabets that
      // the tables are made for. One triplet writes at most 54 bits.
      let lTable = unsafe literalLengthTable.start
      let mTable = unsafe matchLengthTable.start
      let dTable = unsafe distanceTable.start
      let codes = unsafe symbols.codes.start
      let start = unsafe block.start + offset
      for index in 0..<Limit.tripletLead { unsafe start[index] = 0 }
      var writer = unsafe AscendingBits(start + Limit.tripletLead)
      let first = UInt32(Alphabet.literalLength.states)
      let firstDistance = UInt32(Alphabet.distance.states)
      var lState = first
      var mState = first
      var dState = firstDistance
      var index = triplets.count
      while index > 0 {
        index &-= 1
        let code = unsafe codes[index]
        writer.put(code.distanceExtra, code.distanceBits)
        unsafe dState = writer.put(dState, dTable[Int(code.distance)])
        writer.put(code.matchExtra, code.matchBits)
        unsafe mState = writer.put(mState, mTable[Int(code.match)])
        writer.put(code.literalsExtra, code.literalsBits)
        unsafe lState = writer.put(lState, lTable[Int(code.literals)])
        unsafe writer.flush()
      }
      header.tripletPadding = unsafe writer.finish()
      header.literalLengthState = UInt16(lState - first)
      header.matchLengthState = UInt16(mState - first)
      header.distanceState = UInt16(dState - firstDistance)
      header.tripletPayload = unsafe writer.target - start
      return offset + header.tripletPayload
    }
  }

  /// Writes bits from the lowest of the first byte upwards.
  @safe struct AscendingBits {
    /// Where the next whole byte goes.
    private(set) var target: UnsafeMutablePointer<UInt8>
    private var bits: UInt64 = 0
    private var count: UInt64 = 0

    /// Writes from `target` on, where there must be 8 bytes more than are written.
    @unsafe init(_ target: UnsafeMutablePointer<UInt8>) { unsafe self.target = target }

    /// Appends the lowest `length` bits of `value`, which has no others.
    @inline(__always)
    mutating func put(_ value: UInt16, _ length: UInt8) {
      bits |= UInt64(value) &<< count
      count &+= UInt64(length)
    }

    /// Appends the bits that `state` gives away for a symbol.
    /// - Returns: the state that follows.
    @inline(__always)
    mutating func put(_ state: UInt32, _ transition: Transition) -> UInt32 {
      let length = (state &+ transition.bits) >> 16
      bits |= UInt64(state & ((1 &<< length) &- 1)) &<< count
      count &+= UInt64(length)
      return (state &>> length) &+ transition.next
    }

    /// Stores whole bytes, which must be fewer than 8: at most 63 bits may wait, 7 remain.
    @inline(__always)
    @unsafe mutating func flush() {
      unsafe UnsafeMutableRawPointer(target).storeBytes(of: bits.littleEndian, as: UInt64.self)
      unsafe target += Int(count &>> 3)
      bits &>>= count & 56
      count &= 7
    }

    /// Stores the last byte.
    /// - Returns: how many of its bits are padding.
    @unsafe mutating func finish() -> Int {
      unsafe flush()
      guard count > 0 else { return 0 }
      unsafe target += 1
      return Int(8 - count)
    }
  }
}

extension LZFSE.FSEHeader {
  /// The 32 bytes before the packed frequencies, with which the header has `size` bytes.
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
