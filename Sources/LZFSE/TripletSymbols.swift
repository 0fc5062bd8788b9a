extension LZFSE {
  /// The triplets of a block as symbols and extra bits of their three alphabets, and how often each
  /// symbol occurs.
  struct TripletSymbols: ~Copyable {
    /// One triplet as it is coded.
    struct Code: BitwiseCopyable {
      var literals: UInt8 = 0
      var match: UInt8 = 0
      var distance: UInt8 = 0
      var literalsBits: UInt8 = 0
      var matchBits: UInt8 = 0
      var distanceBits: UInt8 = 0
      var literalsExtra: UInt16 = 0
      var matchExtra: UInt16 = 0
      var distanceExtra: UInt16 = 0
    }

    /// Symbol, base and number of extra bits of one value of L or M.
    struct Symbol: BitwiseCopyable {
      var base: UInt16 = 0
      var symbol: UInt8 = 0
      var bits: UInt8 = 0
    }

    let codes = Memory(repeating: Code(), count: Limit.triplets)
    /// The normalized frequencies of L, M and D, in the order of the header.
    private(set) var frequencies: [UInt16] = []
    private let literals = Memory(repeating: Symbol(), count: Limit.literalLength + 1)
    private let matches = Memory(repeating: Symbol(), count: Limit.matchLength + 1)
    private let counts = Memory<UInt32>(repeating: 0, count: 20 + 20 + 64)

    init() {
      Self.fill(literals, .literalLength)
      Self.fill(matches, .matchLength)
    }

    /// For each value the last symbol whose values begin there or before.
    private static func fill(_ symbols: borrowing Memory<Symbol>, _ alphabet: Alphabet) {
      for value in 0..<symbols.count {
        let symbol = alphabet.base.lastIndex { $0 <= value } ?? 0
        unsafe symbols.start[value] = Symbol(
          base: UInt16(alphabet.base[symbol]), symbol: UInt8(symbol),
          bits: alphabet.extraBits[symbol])
      }
    }

    /// Takes the triplets of a block. A distance that equals the one before becomes 0.
    mutating func assign(_ triplets: borrowing Triplets) {
      // Bounds. There are at most 10,000 triplets, with L up to 315 and M up to 2,359, which the
      // tables have entries for; symbols below 20, 20 and 64 have their counts one after the other.
      let counts = unsafe self.counts.start
      unsafe counts.update(repeating: 0, count: self.counts.count)
      let source = unsafe triplets.triplets.start
      let target = unsafe codes.start
      let lSymbols = unsafe literals.start
      let mSymbols = unsafe matches.start
      var last: UInt32 = 0
      for index in 0..<triplets.count {
        let triplet = unsafe source[index]
        let l = unsafe lSymbols[Int(triplet.literals)]
        let m = unsafe mSymbols[Int(triplet.match)]
        let distance = triplet.distance == last ? 0 : triplet.distance
        last = triplet.distance
        // The symbols of D come in fours, the values of each four a power of two from 4 on.
        let shifted = distance &+ 4
        let bits = 29 &- UInt32(truncatingIfNeeded: shifted.leadingZeroBitCount)
        let d = 4 &* bits &+ (shifted &>> bits) &- 4
        unsafe counts[Int(l.symbol)] &+= 1
        unsafe counts[20 &+ Int(m.symbol)] &+= 1
        unsafe counts[40 &+ Int(d)] &+= 1
        unsafe target[index] = Code(
          literals: l.symbol, match: m.symbol, distance: UInt8(truncatingIfNeeded: d),
          literalsBits: l.bits, matchBits: m.bits, distanceBits: UInt8(truncatingIfNeeded: bits),
          literalsExtra: triplet.literals &- l.base, matchExtra: triplet.match &- m.base,
          distanceExtra: UInt16(truncatingIfNeeded: shifted & ((1 &<< bits) &- 1)))
      }
      let all = unsafe [UInt32](UnsafeBufferPointer(start: counts, count: self.counts.count))
      frequencies = []
      for alphabet in [Alphabet.literalLength, .matchLength, .distance] {
        frequencies += normalized([UInt32](all[alphabet.frequencies]), alphabet)
      }
    }
  }
}
