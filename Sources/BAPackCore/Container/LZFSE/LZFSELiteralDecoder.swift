extension LZFSE {
  /// The first half of an FSE block: its literals, decoded into a buffer for the triplets to use.
  struct LiteralDecoder: ~Copyable {
    /// Bytes behind the literals that `TripletDecoder` may copy along.
    static let spare = 64

    private let table = Memory(
      repeating: LiteralEntry(), count: Alphabet.literal.states)
    /// The literals of the block that was decoded last.
    let literals = Memory<UInt8>(repeating: 0, count: Limit.literals + spare)

    /// Decodes the literals of a checked header. `payload` lies in `stream` behind that header.
    mutating func decode(
      _ header: FSEHeader, _ frequencies: [UInt16], _ stream: UnsafeRawBufferPointer,
      _ payload: Range<Int>
    ) throws(Damage) {
      guard header.literals > 0, let input = stream.baseAddress else { return }
      fill(table, frequencies)
      // Bounds. States: the header's are below 1,024 and each entry leads to such a state again
      // (the sum of the frequencies was checked). Output: `header.literals` is a multiple of 4 and
      // at most 40,000. Input: the reader keeps to the payload and the 16 bytes before it, and a
      // header of at least 122 bytes lies there. A group reads at most 4 × 10 bits.
      let table = unsafe table.start
      let output = unsafe literals.start
      var reader = unsafe DescendingBits(input, payload, padding: header.literalPadding)
      var state0 = Int(header.literalStates[0])
      var state1 = Int(header.literalStates[1])
      var state2 = Int(header.literalStates[2])
      var state3 = Int(header.literalStates[3])
      var index = 0
      while index < header.literals {
        guard unsafe reader.refill() else { break }
        let entry0 = unsafe table[state0]
        let entry1 = unsafe table[state1]
        let entry2 = unsafe table[state2]
        let entry3 = unsafe table[state3]
        let end0 = UInt64(entry0.bits)
        let end1 = end0 &+ UInt64(entry1.bits)
        let end2 = end1 &+ UInt64(entry2.bits)
        let end3 = end2 &+ UInt64(entry3.bits)
        state0 = reader.next(end0, UInt64(entry0.mask)) &+ Int(entry0.base)
        state1 = reader.next(end1, UInt64(entry1.mask)) &+ Int(entry1.base)
        state2 = reader.next(end2, UInt64(entry2.mask)) &+ Int(entry2.base)
        state3 = reader.next(end3, UInt64(entry3.mask)) &+ Int(entry3.base)
        reader.drop(end3)
        unsafe output[index] = entry0.literal
        unsafe output[index &+ 1] = entry1.literal
        unsafe output[index &+ 2] = entry2.literal
        unsafe output[index &+ 3] = entry3.literal
        index &+= 4
      }
      try reader.checkEnd(at: 0)
      guard state0 | state1 | state2 | state3 == 0 else {
        throw Damage(.finalState, at: payload.lowerBound)
      }
    }
  }
}
