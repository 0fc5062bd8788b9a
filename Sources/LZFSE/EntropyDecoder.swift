extension LZFSE {
  /// The first stage of decoding an FSE block: its two codes are decoded to literals and triplets
  /// in memory.
  ///
  /// Copying is a separate loop (`TripletPlayer`), because each step of a code depends on the
  /// previous one: the less work is between them, the faster it is.
  struct EntropyDecoder: ~Copyable {
    /// The number of bytes after the literals that may be copied along.
    static let spare = 64

    /// The results of the last decoded block.
    let literals: Memory<UInt8>
    let triplets: Memory<Triplet>

    private let literalTable: Memory<LiteralEntry>
    private let literalLengthTable: Memory<ValueEntry>
    private let matchLengthTable: Memory<ValueEntry>
    private let distanceTable: Memory<ValueEntry>

    init() throws(OutOfMemory) {
      let literals = try Memory<UInt8>(repeating: 0, count: Limit.literals + Self.spare)
      let triplets = try Memory(repeating: Triplet(), count: Limit.triplets)
      let literalTable = try Memory(repeating: LiteralEntry(), for: .literal)
      let literalLengthTable = try Memory(repeating: ValueEntry(), for: .literalLength)
      let matchLengthTable = try Memory(repeating: ValueEntry(), for: .matchLength)
      let distanceTable = try Memory(repeating: ValueEntry(), for: .distance)
      self.literals = literals
      self.triplets = triplets
      self.literalTable = literalTable
      self.literalLengthTable = literalLengthTable
      self.matchLengthTable = matchLengthTable
      self.distanceTable = distanceTable
    }

    /// The result for a block: all literals, but possibly only the triplets before damage.
    struct Outcome {
      /// The number of decoded triplets.
      var triplets: Int
      /// Why there are no more triplets, or why they are invalid.
      var damage: Damage?
    }

    /// Decodes the literals and triplets of a checked header. Their payloads follow it in `stream`,
    /// with `cut` between them.
    mutating func decode(
      _ header: FSEHeader, _ frequencies: [UInt16], _ stream: UnsafeRawBufferPointer,
      _ payload: Range<Int>, cut: Int
    ) throws(Damage) -> Outcome {
      guard let input = stream.baseAddress else { return Outcome(triplets: 0) }
      // Tables of unused alphabets are not filled, and not used.
      if header.literals > 0 { LZFSE.fill(literalTable, frequencies) }
      if header.triplets > 0 {
        LZFSE.fill(literalLengthTable, .literalLength, frequencies)
        LZFSE.fill(matchLengthTable, .matchLength, frequencies)
        LZFSE.fill(distanceTable, .distance, frequencies)
      }

      // Bounds. States: those in the header are below the number of states and, since the sums of
      // the frequencies were checked, each entry leads to another such state. Output: the header
      // has a multiple of 4 literals, at most 40,000, and at most 10,000 triplets. Input: a reader
      // stays within its payload and the 16 bytes before it, which are part of a header of at least
      // 122 bytes. A step reads at most 4 × 10 bits, or 14 + 17 + 23.
      try unsafe decodeLiterals(
        header, DescendingBits(input, payload.lowerBound..<cut, padding: header.literalPadding))
      var count = 0
      do throws(Damage) {
        try unsafe decodeTriplets(
          header, DescendingBits(input, cut..<payload.upperBound, padding: header.tripletPadding),
          &count)
        return Outcome(triplets: count)
      } catch { return Outcome(triplets: count, damage: error) }
    }

    // Not inlined: each of the two loops needs all registers.

    @inline(never)
    private func decodeLiterals(
      _ header: FSEHeader, _ reader: DescendingBits
    ) throws(Damage) {
      var code = unsafe LiteralCode(header, literalTable.start, reader)
      var next = unsafe literals.start
      let end = unsafe next + header.literals
      while unsafe next < end, unsafe code.step(next) { unsafe next += 4 }
      try unsafe code.checkEnd()
    }

    @inline(never)
    private func decodeTriplets(
      _ header: FSEHeader, _ reader: DescendingBits, _ count: inout Int
    ) throws(Damage) {
      var code = unsafe TripletCode(
        header, literalLengthTable.start, matchLengthTable.start, distanceTable.start, reader)
      var next = unsafe triplets.start
      let end = unsafe next + header.triplets
      while unsafe next < end, unsafe code.step(next) { unsafe next += 1 }
      count = unsafe next - triplets.start
      try unsafe code.checkEnd()
    }

    /// The position of a triplet's code in the last decoded block, for messages.
    func position(
      ofTriplet index: Int, _ header: FSEHeader, _ stream: UnsafeRawBufferPointer,
      _ payload: Range<Int>
    ) -> Int {
      guard let input = stream.baseAddress else { return 0 }
      var code = unsafe TripletCode(
        header, literalLengthTable.start, matchLengthTable.start, distanceTable.start,
        DescendingBits(input, payload, padding: header.tripletPadding))
      var triplet = Triplet()
      for _ in 0...index where unsafe !code.step(&triplet) { break }
      return unsafe code.position
    }
  }
}

extension LZFSE {
  /// The code of the literals, four at a time.
  @unsafe struct LiteralCode {
    private let table: UnsafePointer<LiteralEntry>
    private var reader: DescendingBits
    private var state0: Int
    private var state1: Int
    private var state2: Int
    private var state3: Int

    @inline(__always)
    init(_ header: FSEHeader, _ table: UnsafePointer<LiteralEntry>, _ reader: DescendingBits) {
      unsafe self.table = unsafe table
      unsafe self.reader = reader
      unsafe state0 = Int(header.literalStates[0])
      unsafe state1 = Int(header.literalStates[1])
      unsafe state2 = Int(header.literalStates[2])
      unsafe state3 = Int(header.literalStates[3])
    }

    /// Decodes four literals. False if the payload is exhausted.
    @inline(__always)
    mutating func step(_ output: UnsafeMutablePointer<UInt8>) -> Bool {
      guard unsafe reader.refill() else { return false }
      // Stores first, and loads each field when it is needed, to keep the loop in registers.
      unsafe output[0] = table[state0].literal
      unsafe output[1] = table[state1].literal
      unsafe output[2] = table[state2].literal
      unsafe output[3] = table[state3].literal
      let end0 = unsafe UInt64(table[state0].bits)
      let end1 = unsafe end0 &+ UInt64(table[state1].bits)
      let bits2 = unsafe UInt64(table[state2].bits)
      let end3 = unsafe end1 &+ (bits2 &+ UInt64(table[state3].bits))
      unsafe state0 = reader.next(end0, table[state0].mask) &+ Int(table[state0].base)
      unsafe state1 = reader.next(end1, table[state1].mask) &+ Int(table[state1].base)
      unsafe state2 = reader.next(end1 &+ bits2, table[state2].mask) &+ Int(table[state2].base)
      unsafe state3 = reader.next(end3, table[state3].mask) &+ Int(table[state3].base)
      unsafe reader.drop(end3)
      return true
    }

    /// Throws unless the code has used its payload and is in its initial states.
    @inline(__always)
    func checkEnd() throws(Damage) {
      try unsafe reader.checkEnd(at: 0)
      guard unsafe state0 | state1 | state2 | state3 == 0 else {
        throw unsafe Damage(.finalState, at: reader.start)
      }
    }
  }

  /// The code of the triplets.
  @unsafe struct TripletCode {
    private let lTable: UnsafePointer<ValueEntry>
    private let mTable: UnsafePointer<ValueEntry>
    private let dTable: UnsafePointer<ValueEntry>
    private var reader: DescendingBits
    private var lState: Int
    private var mState: Int
    private var dState: Int

    var position: Int { unsafe reader.position }

    @inline(__always)
    init(
      _ header: FSEHeader, _ lTable: UnsafePointer<ValueEntry>,
      _ mTable: UnsafePointer<ValueEntry>, _ dTable: UnsafePointer<ValueEntry>,
      _ reader: DescendingBits
    ) {
      unsafe self.lTable = unsafe lTable
      unsafe self.mTable = unsafe mTable
      unsafe self.dTable = unsafe dTable
      unsafe self.reader = reader
      unsafe lState = 2 &* Int(header.literalLengthState)
      unsafe mState = 2 &* Int(header.matchLengthState)
      unsafe dState = 2 &* Int(header.distanceState)
    }

    /// The entry of 16 bytes for a state. States are doubled here, because processors scale an index
    /// by at most 8 in the load itself.
    @inline(__always)
    private func entry(_ table: UnsafePointer<ValueEntry>, _ state: Int) -> ValueEntry {
      unsafe UnsafeRawPointer(table).load(fromByteOffset: 8 &* state, as: ValueEntry.self)
    }

    /// Decodes one triplet; distance 0 means the previous one. False if the payload is exhausted.
    @inline(__always)
    mutating func step(_ output: UnsafeMutablePointer<Triplet>) -> Bool {
      guard unsafe reader.refill() else { return false }
      let l = unsafe entry(lTable, lState)
      let m = unsafe entry(mTable, mState)
      let d = unsafe entry(dTable, dState)
      let lEnd = UInt64(l.bits)
      let mEnd = lEnd &+ UInt64(m.bits)
      let dEnd = mEnd &+ UInt64(d.bits)
      let lBits = unsafe reader.next(lEnd, l.mask)
      let mBits = unsafe reader.next(mEnd, m.mask)
      let dBits = unsafe reader.next(dEnd, d.mask)
      unsafe reader.drop(dEnd)
      unsafe lState = (lBits &>> Int(l.extraBits)) &* 2 &+ Int(l.base)
      unsafe mState = (mBits &>> Int(m.extraBits)) &* 2 &+ Int(m.base)
      unsafe dState = (dBits &>> Int(d.extraBits)) &* 2 &+ Int(d.base)
      unsafe output.pointee = Triplet(
        distance: d.value &+ UInt32(truncatingIfNeeded: dBits & Int(d.valueMask)),
        literals: UInt16(truncatingIfNeeded: Int(l.value) &+ (lBits & Int(l.valueMask))),
        match: UInt16(truncatingIfNeeded: Int(m.value) &+ (mBits & Int(m.valueMask))))
      return true
    }

    /// Throws unless the code has used its payload except for the lead, and is in its initial
    /// states.
    @inline(__always)
    func checkEnd() throws(Damage) {
      try unsafe reader.checkEnd(at: 8 * Limit.tripletLead)
      guard unsafe lState | mState | dState == 0 else {
        throw unsafe Damage(.finalState, at: reader.start)
      }
    }
  }
}
