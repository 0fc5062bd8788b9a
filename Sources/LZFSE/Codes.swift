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

    /// Decodes four literals. False when the payload has run out.
    @inline(__always)
    mutating func step(_ output: UnsafeMutablePointer<UInt8>) -> Bool {
      guard unsafe reader.refill() else { return false }
      // Stores first and each field when it is needed: this keeps the loop within the registers.
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

    /// The code must have used its payload and be in its first states.
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
      unsafe lState = Int(header.literalLengthState)
      unsafe mState = Int(header.matchLengthState)
      unsafe dState = Int(header.distanceState)
    }

    /// Decodes one triplet, with distance 0 for the one before again. False when the payload has
    /// run out.
    @inline(__always)
    mutating func step(_ output: UnsafeMutablePointer<Triplet>) -> Bool {
      guard unsafe reader.refill() else { return false }
      let l = unsafe lTable[lState]
      let m = unsafe mTable[mState]
      let d = unsafe dTable[dState]
      let lEnd = UInt64(l.bits)
      let mEnd = lEnd &+ UInt64(m.bits)
      let dEnd = mEnd &+ UInt64(d.bits)
      let lBits = unsafe reader.next(lEnd, l.mask)
      let mBits = unsafe reader.next(mEnd, m.mask)
      let dBits = unsafe reader.next(dEnd, d.mask)
      unsafe reader.drop(dEnd)
      unsafe lState = (lBits &>> Int(l.extraBits)) &+ Int(l.base)
      unsafe mState = (mBits &>> Int(m.extraBits)) &+ Int(m.base)
      unsafe dState = (dBits &>> Int(d.extraBits)) &+ Int(d.base)
      unsafe output.pointee = Triplet(
        distance: d.value &+ UInt32(truncatingIfNeeded: dBits & Int(d.valueMask)),
        literals: UInt16(truncatingIfNeeded: Int(l.value) &+ (lBits & Int(l.valueMask))),
        match: UInt16(truncatingIfNeeded: Int(m.value) &+ (mBits & Int(m.valueMask))))
      return true
    }

    /// The code must have used its payload but for the lead, and be in its first states.
    @inline(__always)
    func checkEnd() throws(Damage) {
      try unsafe reader.checkEnd(at: 8 * Limit.tripletLead)
      guard unsafe lState | mState | dState == 0 else {
        throw unsafe Damage(.finalState, at: reader.start)
      }
    }
  }
}
