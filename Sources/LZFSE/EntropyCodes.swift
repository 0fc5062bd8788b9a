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

    /// Decodes four literals. False if more bits were read than there are.
    @inline(__always)
    mutating func step(_ output: UnsafeMutablePointer<UInt8>) -> Bool {
      guard unsafe reader.isValid else { return false }
      var end: UInt64 = 0
      unsafe output[0] = decode(&state0, &end)
      unsafe output[1] = decode(&state1, &end)
      unsafe output[2] = decode(&state2, &end)
      unsafe output[3] = decode(&state3, &end)
      unsafe reader.drop(end)
      return true
    }

    /// The literal of a state. Its bits end at `end`, which is advanced, as is the state.
    @inline(__always)
    private func decode(_ state: inout Int, _ end: inout UInt64) -> UInt8 {
      // Each field is loaded when it is needed, to keep the loop in registers.
      let entry = unsafe table + state
      unsafe end &+= UInt64(entry.pointee.bits)
      state = unsafe Int(reader.rotated(end) & entry.pointee.mask) &+ Int(entry.pointee.base)
      return unsafe entry.pointee.literal
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
    private let table: UnsafeRawPointer
    private var reader: DescendingBits
    // States are multiplied by 4, as in `ValueEntry`.
    private var lState: UInt32
    private var mState: UInt32
    private var dState: UInt32

    var position: Int { unsafe reader.position }

    /// The code for a table of all alphabets of triplets.
    @inline(__always)
    init(_ header: FSEHeader, _ table: UnsafePointer<ValueEntry>, _ reader: DescendingBits) {
      unsafe self.table = unsafe UnsafeRawPointer(table)
      unsafe self.reader = reader
      unsafe lState = 4 &* UInt32(header.literalLengthState)
      unsafe mState = 4 &* UInt32(header.matchLengthState)
      unsafe dState = 4 &* UInt32(header.distanceState)
    }

    /// Decodes one triplet; distance 0 means the previous one. False if more bits were read than
    /// there are.
    @inline(__always)
    mutating func step(_ output: UnsafeMutablePointer<Triplet>) -> Bool {
      guard unsafe reader.isValid else { return false }
      var end: UInt32 = 0
      let literals = unsafe decode(&lState, ValueTable.literalLength, &end)
      unsafe output.pointee.literals = UInt16(truncatingIfNeeded: literals)
      let match = unsafe decode(&mState, ValueTable.matchLength, &end)
      unsafe output.pointee.match = UInt16(truncatingIfNeeded: match)
      unsafe output.pointee.distance = decode(&dState, ValueTable.distance, &end)
      unsafe reader.drop(UInt64(end))
      return true
    }

    /// The value of a state of the alphabet whose entries begin at `first`. Its bits end at `end`,
    /// which is advanced, as is the state.
    @inline(__always)
    private func decode(_ state: inout UInt32, _ first: Int, _ end: inout UInt32) -> UInt32 {
      let entry = unsafe (table + (32 &* first &+ 8 &* Int(state)))
        .assumingMemoryBound(to: ValueEntry.self)
      let stateEnd = unsafe end &+ entry.pointee.stateBits
      unsafe end &+= entry.pointee.bits
      let extra = unsafe reader.rotated(UInt64(end)) & entry.pointee.valueMask
      let value = unsafe entry.pointee.value &+ extra
      let next = unsafe reader.rotated(UInt64(stateEnd)) & entry.pointee.stateMask
      state = unsafe next &+ entry.pointee.base
      return value
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
