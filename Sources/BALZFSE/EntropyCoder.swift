extension LZFSE {
  /// The entropy stage: encodes triplets and literals as a `bvx2` block.
  struct EntropyCoder: ~Copyable {
    /// The maximum size of a block in bytes: header, literals of 10 bits, triplets of 54 bits after
    /// the lead, and both last bytes.
    static let longestBlock =
      Limit.packedHeader.upperBound + Limit.literals * 10 / 8 + Limit.tripletLead
      + Limit.triplets * 54 / 8 + 2

    /// The last encoded block, and spare bytes for storing whole words.
    let block: Memory<UInt8>

    /// That of the last encoded block.
    private(set) var header = FSEHeader()
    private let literalTable: Memory<Transition>
    private let literalLengthTable: Memory<Transition>
    private let matchLengthTable: Memory<Transition>
    private let distanceTable: Memory<Transition>
    private var symbols: TripletSymbols
    private var histogram: Histogram
    /// Masks with 0 to 15 ones, by the number of ones.
    private let masks: Memory<UInt32>

    init() throws(Damage) {
      let block = try Memory<UInt8>(repeating: 0, count: Self.longestBlock + 8)
      let literalTable = try Memory(repeating: Transition(), count: 256)
      let literalLengthTable = try Memory(repeating: Transition(), count: 20)
      let matchLengthTable = try Memory(repeating: Transition(), count: 20)
      let distanceTable = try Memory(repeating: Transition(), count: 64)
      let symbols = try TripletSymbols()
      let histogram = try Histogram()
      let masks = try Memory<UInt32>(repeating: 0, count: 16)
      for bits in 0..<masks.count { unsafe masks.start[bits] = (1 << UInt32(bits)) - 1 }
      self.block = block
      self.literalTable = literalTable
      self.literalLengthTable = literalLengthTable
      self.matchLengthTable = matchLengthTable
      self.distanceTable = distanceTable
      self.symbols = symbols
      self.histogram = histogram
      self.masks = masks
    }

    /// Encodes the block into `block`, and returns its size in bytes. Unless `fitting`, frequencies are
    /// those of Apple's open-source encoder.
    mutating func encode(_ triplets: inout Triplets, fitting: Bool) -> Int {
      triplets.fillUp()
      symbols.count(&triplets, fitting: fitting)
      var frequencies = symbols.frequencies
      frequencies += (fitting ? fitted : normalized)(
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
      self.header = header
      // The header is at most 662 bytes long, and the block is longer.
      for (index, byte) in (header.packed(size: headerSize) + packed).enumerated() {
        unsafe block.start[index] = byte
      }
      return end
    }

    // Not inlined: each of the two loops needs all registers.

    /// Writes the literal payload at `offset`, and returns its end.
    @inline(never)
    private func write(
      literals: borrowing Triplets, _ header: inout FSEHeader, at offset: Int
    ) -> Int {
      // SAFETY: `literalCount` is a multiple of 4 and at most 40,000, the size of the buffer. All
      // symbols are bytes, for which the table has entries. Four symbols take at most 40 bits.
      let table = unsafe literalTable.start
      let source = unsafe literals.literals.start
      var writer = unsafe AscendingBits(block.start + offset)
      let first = UInt32(Alphabet.literal.states)
      var state0 = first
      var state1 = first
      var state2 = first
      var state3 = first
      let masks = unsafe self.masks.start
      var next = unsafe source + literals.literalCount
      while unsafe next > source {
        unsafe next -= 4
        unsafe state3 = writer.put(state3, table + Int(next[3]), masks)
        unsafe state2 = writer.put(state2, table + Int(next[2]), masks)
        unsafe state1 = writer.put(state1, table + Int(next[1]), masks)
        unsafe state0 = writer.put(state0, table + Int(next[0]), masks)
        unsafe writer.flush()
      }
      header.literalPadding = unsafe writer.finish()
      header.states = [state0, state1, state2, state3].map { UInt16($0 - first) }
      header.literalPayload = unsafe writer.target - (block.start + offset)
      return offset + header.literalPayload
    }

    /// Writes the triplet payload at `offset`, and returns its end.
    @inline(never)
    private func write(
      triplets: borrowing Triplets, _ header: inout FSEHeader, at offset: Int
    ) -> Int {
      // SAFETY: Each L and M of a triplet has a symbol, and D is in its alphabet; the tables have
      // entries for whole alphabets. One triplet takes at most 54 bits.
      let lTable = unsafe literalLengthTable.start
      let mTable = unsafe matchLengthTable.start
      let dTable = unsafe distanceTable.start
      let masks = unsafe self.masks.start
      let lSymbols = unsafe symbols.literals.start
      let mSymbols = unsafe symbols.matches.start
      let source = unsafe triplets.triplets.start
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
        let triplet = unsafe source[index]
        let l = unsafe lSymbols[Int(triplet.literals)]
        let m = unsafe mSymbols[Int(triplet.match)]
        let d = TripletSymbols.Distance(packed: triplet.distance)
        writer.put(d.extra, d.bits)
        unsafe dState = writer.put(dState, dTable + Int(d.symbol), masks)
        writer.put(UInt32(triplet.match &- m.base), UInt32(m.bits))
        unsafe mState = writer.put(mState, mTable + Int(m.symbol), masks)
        writer.put(UInt32(triplet.literals &- l.base), UInt32(l.bits))
        unsafe lState = writer.put(lState, lTable + Int(l.symbol), masks)
        unsafe writer.flush()
      }
      header.tripletPadding = unsafe writer.finish()
      header.states += [lState - first, mState - first, dState - firstDistance].map { UInt16($0) }
      header.tripletPayload = unsafe writer.target - start
      return offset + header.tripletPayload
    }
  }

  /// Writes bits, starting with the lowest bit of the first byte.
  @safe struct AscendingBits {
    /// The address of the next whole byte.
    private(set) var target: UnsafeMutablePointer<UInt8>
    private var bits: UInt64 = 0
    private var count: UInt64 = 0

    /// Writes to `target`, where there must be room for 8 bytes more than are written.
    @unsafe init(_ target: UnsafeMutablePointer<UInt8>) { unsafe self.target = target }

    /// Appends the lowest `length` bits of `value`, whose other bits must be 0.
    @inline(__always)
    mutating func put(_ value: UInt32, _ length: UInt32) {
      bits |= UInt64(value) &<< count
      count &+= UInt64(length)
    }

    /// Appends the bits that `state` emits for a symbol, at most 10. `masks` has an element for
    /// each number of bits.
    /// - Returns: The next state.
    @inline(__always)
    @unsafe mutating func put(
      _ state: UInt32, _ transition: UnsafePointer<Transition>, _ masks: UnsafePointer<UInt32>
    ) -> UInt32 {
      let length = unsafe (state &+ transition.pointee.bits) &>> 16
      unsafe bits |= UInt64(state & masks[Int(length)]) &<< count
      count &+= UInt64(length)
      return unsafe (state &>> length) &+ transition.pointee.next
    }

    /// Stores whole bytes, of which there must be fewer than 8: at most 63 bits may be pending, and
    /// 7 remain.
    @inline(__always)
    @unsafe mutating func flush() {
      unsafe UnsafeMutableRawPointer(target).storeBytes(of: bits.littleEndian, as: UInt64.self)
      unsafe target += Int(count &>> 3)
      bits &>>= count & 56
      count &= 7
    }

    /// Stores the last byte, and returns the number of padding bits in it.
    @unsafe mutating func finish() -> Int {
      unsafe flush()
      guard count > 0 else { return 0 }
      unsafe target += 1
      return Int(8 - count)
    }
  }
}
