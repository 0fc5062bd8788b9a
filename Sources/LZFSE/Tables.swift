extension LZFSE {
  /// An encoder's transition for one symbol, for states numbered from N, the number of states, up
  /// to 2N.
  ///
  /// With the symbol's frequency F, and k bits so that N ≤ F·2^k < 2N, a state of at least F·2^k
  /// emits its lowest k bits, any other k - 1. The rest, F to 2F, becomes one of the symbol's F
  /// states.
  struct Transition: BitwiseCopyable {
    /// k·2^16 − F·2^k: after adding the state, the number of bits to emit is in the upper half.
    var bits: UInt32 = 0
    /// Added to the rest of the state.
    var next: UInt32 = 0
  }

  /// Fills `table`, which has one entry for each symbol of `alphabet`. Frequencies must add up to
  /// the number of states. Symbols with frequency 0 must not be encoded.
  static func fill(
    _ table: borrowing Memory<Transition>, _ alphabet: Alphabet, _ frequencies: [UInt16]
  ) {
    let states = UInt32(alphabet.states)
    let log2States = UInt32(alphabet.log2States)
    // The slice and the table have the symbols of the same alphabet.
    let entries = unsafe UnsafeMutableBufferPointer(start: table.start, count: table.count)
    var first: UInt32 = 0
    for (symbol, frequency) in frequencies[alphabet.frequencies].enumerated() where frequency > 0 {
      let frequency = UInt32(frequency)
      let bits = log2States - (31 - UInt32(frequency.leadingZeroBitCount))
      unsafe entries[symbol] = Transition(
        bits: (bits << 16) &- (frequency << bits), next: states + first - frequency)
      first += frequency
    }
  }
}

extension LZFSE {
  /// A decoder's action in one state: its symbol, and the next state.
  struct LiteralEntry: BitwiseCopyable {
    /// As many ones as bits are read.
    var mask: UInt32 = 0
    /// The next state if the bits read are 0.
    var base: UInt16 = 0
    var bits: UInt8 = 0
    var literal: UInt8 = 0
  }

  /// The same for a symbol with extra bits, which follow those of the state.
  ///
  /// States are multiplied by 4, because processors scale an index by at most 8 in the load itself.
  struct ValueEntry: BitwiseCopyable {
    /// The bits of the next state, and 2, because it is multiplied by 4.
    var stateBits: UInt32 = 0
    var stateMask: UInt32 = 0
    /// The next state if its bits are 0.
    var base: UInt32 = 0
    /// The bits of state and value together.
    var bits: UInt32 = 0
    var valueMask: UInt32 = 0
    /// The value of the symbol if its extra bits are 0.
    var value: UInt32 = 0
    /// Pads the entry to 32 bytes.
    var filler: UInt64 = 0
  }

  /// The numbers of the first entries of the alphabets of triplets, which have 64, 64 and 256
  /// states, in a table that they share.
  enum ValueTable {
    static var literalLength: Int { 0 }
    static var matchLength: Int { literalLength + 64 + overshoot }
    static var distance: Int { matchLength + 64 + overshoot }
    static var count: Int { distance + 256 + overshoot }
  }

  /// The transitions of an alphabet: symbols have consecutive states in order, and the next states
  /// of each symbol cover all states exactly once.
  ///
  /// The frequencies must add up to the number of states. Steps of four reduce branch
  /// mispredictions, so `body` may be called for a state repeatedly, the last time with the right
  /// values, and is also called for the first ``overshoot`` numbers after the last state. With the
  /// `symbol`, `base` and `bits` of states, each next state is below the number of states.
  @inline(__always)
  static func forEachState(
    of alphabet: Alphabet, _ frequencies: [UInt16],
    _ body: (_ state: Int, _ symbol: Int, _ base: Int, _ bits: Int) -> Void
  ) {
    let states = alphabet.states
    var first = 0
    for (symbol, frequency) in frequencies[alphabet.frequencies].enumerated() where frequency > 0 {
      let frequency = Int(frequency)
      let log2 = Int.bitWidth - 1 - frequency.leadingZeroBitCount
      let bits = alphabet.log2States - log2
      var start = 0
      repeat {
        for index in start..<start &+ 4 {
          // Numbers from the frequency to twice that: from the next power of 2 on, a bit less is
          // read. Arithmetic instead of a condition, which couldn't be predicted.
          let number = frequency &+ index
          let bits = bits &- (number &>> (log2 &+ 1))
          body(first &+ index, symbol, (number &<< bits) &- states, bits)
        }
        start &+= 4
      } while start < frequency
      first += frequency
    }
  }

  /// The number of entries after the last state that may be filled too.
  static let overshoot = 3

  /// Fills `table`, which has one entry for each state of the literals.
  static func fill(_ table: borrowing Memory<LiteralEntry>, _ frequencies: [UInt16]) {
    // The table has an entry for each state of the alphabet, and ``overshoot`` more.
    let entries = unsafe table.start
    forEachState(of: .literal, frequencies) { state, symbol, base, bits in
      unsafe entries[state] = LiteralEntry(
        mask: (1 &<< UInt32(truncatingIfNeeded: bits)) &- 1,
        base: UInt16(truncatingIfNeeded: base), bits: UInt8(truncatingIfNeeded: bits),
        literal: UInt8(truncatingIfNeeded: symbol))
    }
  }

  /// Fills the part of `table` from `first` on, which has one entry for each state of `alphabet`.
  static func fill(
    _ table: borrowing Memory<ValueEntry>, from first: Int, _ alphabet: Alphabet,
    _ frequencies: [UInt16]
  ) {
    // The part has an entry for each state of the alphabet, and ``overshoot`` more.
    let entries = unsafe table.start + first
    forEachState(of: alphabet, frequencies) { state, symbol, base, bits in
      let extra = UInt32(alphabet.extraBits[symbol])
      let bits = UInt32(truncatingIfNeeded: bits)
      unsafe entries[state] = ValueEntry(
        stateBits: bits &+ 2, stateMask: ((1 &<< bits) &- 1) &<< 2,
        base: 4 &* UInt32(truncatingIfNeeded: base), bits: bits &+ extra,
        valueMask: (1 &<< extra) &- 1, value: alphabet.base[symbol])
    }
  }
}
