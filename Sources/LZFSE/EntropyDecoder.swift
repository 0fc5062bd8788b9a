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
    private let valueTable: Memory<ValueEntry>

    init() throws(OutOfMemory) {
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
        LZFSE.fill(valueTable, from: ValueTable.literalLength, .literalLength, frequencies)
        LZFSE.fill(valueTable, from: ValueTable.matchLength, .matchLength, frequencies)
        LZFSE.fill(valueTable, from: ValueTable.distance, .distance, frequencies)
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
}
