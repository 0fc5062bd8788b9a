extension LZFSE {
  /// The first half of reading an FSE block: its two codes become literals and triplets in memory.
  ///
  /// Copying comes after, in a loop of its own (`TripletPlayer`), as each step of a code waits for
  /// the one before it: the less there is beside it, the sooner it goes on.
  struct EntropyDecoder: ~Copyable {
    /// Bytes behind the literals that may be copied along.
    static let spare = 64

    /// Results of the block that was decoded last.
    let literals = Memory<UInt8>(repeating: 0, count: Limit.literals + spare)
    let triplets = Memory(repeating: Triplet(), count: Limit.triplets)

    private let literalTable = Memory(
      repeating: LiteralEntry(), count: Alphabet.literal.states)
    private let literalLengthTable = Memory(
      repeating: ValueEntry(), count: Alphabet.literalLength.states)
    private let matchLengthTable = Memory(
      repeating: ValueEntry(), count: Alphabet.matchLength.states)
    private let distanceTable = Memory(repeating: ValueEntry(), count: Alphabet.distance.states)

    /// What came of a block: the literals are whole, the triplets may have ended in damage.
    struct Outcome {
      /// Triplets that were decoded.
      var triplets: Int
      /// Why there are no more, or why they are not what they should be.
      var damage: Damage?
    }

    /// Decodes the literals and triplets of a checked header, whose payloads follow each other in
    /// `stream` behind it and meet at `cut`.
    mutating func decode(
      _ header: FSEHeader, _ frequencies: [UInt16], _ stream: UnsafeRawBufferPointer,
      _ payload: Range<Int>, cut: Int
    ) throws(Damage) -> Outcome {
      guard let input = stream.baseAddress else { return Outcome(triplets: 0) }
      // Tables of an alphabet without use stay as they are, and are not used either.
      if header.literals > 0 { LZFSE.fill(literalTable, frequencies) }
      if header.triplets > 0 {
        LZFSE.fill(literalLengthTable, .literalLength, frequencies)
        LZFSE.fill(matchLengthTable, .matchLength, frequencies)
        LZFSE.fill(distanceTable, .distance, frequencies)
      }

      // Bounds. States: those of the header are below the number of states, and as the sums of the
      // frequencies were checked, each entry leads to such a state again. Output: the header has a
      // multiple of 4 literals, at most 40,000, and at most 10,000 triplets. Input: a reader keeps
      // to its payload and the 16 bytes before it, where a header of at least 122 bytes is. A step
      // reads at most 4 × 10 bits, or 14 + 17 + 23.
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

    /// Where the code of a triplet stands, for a message. The block is the one decoded last.
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
