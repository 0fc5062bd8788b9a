extension LZFSE {
  /// The entropy stage: triplets and literals as the bytes of a `bvx2` block.
  struct EntropyCoder: ~Copyable {
    /// Bytes of the longest block: header, literals of 10 bits, triplets of 54 bits behind the lead,
    /// and both last bytes.
    static let longestBlock =
      Limit.packedHeader.upperBound + Limit.literals * 10 / 8 + Limit.tripletLead
      + Limit.triplets * 54 / 8 + 2

    /// The block that was encoded last, and spare bytes for stores of whole words.
    let block: Memory<UInt8>

    private let literalTable: Memory<Transition>
    private let literalLengthTable: Memory<Transition>
    private let matchLengthTable: Memory<Transition>
    private let distanceTable: Memory<Transition>
    private var symbols: TripletSymbols
    private var histogram: Histogram

    init() throws(OutOfMemory) {
      let block = try Memory<UInt8>(repeating: 0, count: Self.longestBlock + 8)
      let literalTable = try Memory(repeating: Transition(), count: 256)
      let literalLengthTable = try Memory(repeating: Transition(), count: 20)
      let matchLengthTable = try Memory(repeating: Transition(), count: 20)
      let distanceTable = try Memory(repeating: Transition(), count: 64)
      let symbols = try TripletSymbols()
      let histogram = try Histogram()
      self.block = block
      self.literalTable = literalTable
      self.literalLengthTable = literalLengthTable
      self.matchLengthTable = matchLengthTable
      self.distanceTable = distanceTable
      self.symbols = symbols
      self.histogram = histogram
    }

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
}
