extension LZFSE {
  /// The first stage of decoding an FSE block: its two codes are decoded to literals and triplets
  /// in memory.
  ///
  /// Copying is a separate loop (`Decoder.play`), because each step of a code depends on the
  /// previous one: the less work is between them, the faster it is.
  struct EntropyDecoder: ~Copyable {
    /// The number of bytes after the literals that may be copied along.
    static let spare = 64

    /// The results of the last decoded block.
    let literals: Memory<UInt8>
    let triplets: Memory<Triplet>

    private let literalTable: Memory<LiteralEntry>
    private let valueTable: Memory<ValueEntry>

    init() throws(Damage) {
      let literals = try Memory<UInt8>(repeating: 0, count: Limit.literals + Self.spare)
      let triplets = try Memory(repeating: Triplet(), count: Limit.triplets)
      let literalTable = try Memory(
        repeating: LiteralEntry(), count: Alphabet.literal.states + LZFSE.overshoot)
      let valueTable = try Memory(repeating: ValueEntry(), count: ValueTable.count)
      self.literals = literals
      self.triplets = triplets
      self.literalTable = literalTable
      self.valueTable = valueTable
    }

    /// Decodes the literals and triplets of a checked header. Their payloads follow it in `stream`,
    /// with `cut` between them. Returns the number of decoded triplets, and why there are no more or
    /// why they are invalid.
    mutating func decode(
      _ header: FSEHeader, _ frequencies: [UInt16], _ stream: UnsafeRawBufferPointer,
      _ payload: Range<Int>, cut: Int
    ) throws(Damage) -> (triplets: Int, damage: Damage?) {
      guard let input = stream.baseAddress else { return (0, nil) }
      // Tables of unused alphabets are not filled, and not used.
      if header.literals > 0 { LZFSE.fill(literalTable, frequencies) }
      if header.triplets > 0 {
        LZFSE.fill(valueTable, from: ValueTable.literalLength, .literalLength, frequencies)
        LZFSE.fill(valueTable, from: ValueTable.matchLength, .matchLength, frequencies)
        LZFSE.fill(valueTable, from: ValueTable.distance, .distance, frequencies)
      }

      // SAFETY: States: those in the header are below the number of states and, since the sums of
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
        return (count, nil)
      } catch { return (count, error) }
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
      var code = unsafe TripletCode(header, valueTable.start, reader)
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
        header, valueTable.start,
        DescendingBits(input, payload, padding: header.tripletPadding))
      var triplet = Triplet()
      for _ in 0...index where unsafe !code.step(&triplet) { break }
      return unsafe code.position
    }
  }

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
      unsafe state0 = Int(header.states[0])
      unsafe state1 = Int(header.states[1])
      unsafe state2 = Int(header.states[2])
      unsafe state3 = Int(header.states[3])
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
      unsafe lState = 4 &* UInt32(header.states[4])
      unsafe mState = 4 &* UInt32(header.states[5])
      unsafe dState = 4 &* UInt32(header.states[6])
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

  /// Reads the bits of a payload from its end to its start, in the order of FSE codes.
  ///
  /// The next bits are always available, at least 56. Those that follow are loaded from an address
  /// that is known before the bits are decoded, so that a code's next step doesn't wait for memory.
  /// Beyond the start of the payload, bits are those of the bytes before it, which `checkEnd`
  /// detects.
  @safe struct DescendingBits {
    /// The next bits, from the highest one on.
    private var bits: UInt64
    /// The number of unread bits; negative if more were read than there are.
    private var unread: Int
    private let first: UnsafeRawPointer
    /// The offset of the payload in the stream.
    let start: Int

    /// The `range` must be within `input`, with at least 16 bytes before it.
    @inline(__always)
    @unsafe init(_ input: UnsafeRawPointer, _ range: Range<Int>, padding: Int) {
      start = range.lowerBound
      unsafe first = input + range.lowerBound
      unread = 8 &* range.count &- padding
      let word = unsafe (input + (range.upperBound - 8)).loadUnaligned(as: UInt64.self)
      bits = UInt64(littleEndian: word) &<< UInt64(truncatingIfNeeded: padding)
    }

    /// True if no more bits were read than there are, so that more may be read and dropped.
    var isValid: Bool { @inline(__always) get { unread >= 0 } }

    /// The bits before the first `end` ones, in the lowest bits; others above them.
    @inline(__always)
    func rotated(_ end: UInt64) -> UInt32 {
      UInt32(truncatingIfNeeded: (bits &<< end) | (bits &>> (0 &- end)))
    }

    /// Consumes `length` bits, at most 56, of a valid reader.
    @inline(__always)
    @unsafe mutating func drop(_ length: UInt64) {
      // 8 bytes that begin with whole bytes after 56 to 63 of the unread bits, down to at most 15
      // bytes before the payload. Bits that are there already are combined with the same bits.
      let word = unsafe (first + ((unread &>> 3) &- 15)).loadUnaligned(as: UInt64.self)
      let offset = UInt64(truncatingIfNeeded: unread) & 7 | 56
      bits = (bits &<< length) | (UInt64(littleEndian: word) &>> (offset &- length))
      unread &-= Int(truncatingIfNeeded: length)
    }

    /// The offset in the stream of the byte being read.
    var position: Int { start + max(0, unread) / 8 }

    /// Throws unless exactly the first `lead` bits of the payload are left.
    @inline(__always)
    func checkEnd(at lead: Int) throws(Damage) {
      guard unread != lead else { return }
      throw Damage(unread < lead ? .bitsRunOut : .finalState, at: position)
    }
  }
}
