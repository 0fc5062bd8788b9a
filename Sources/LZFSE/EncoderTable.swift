extension LZFSE {
  /// What an encoder does with one symbol, for states that are counted from the number of states
  /// N up to 2N.
  ///
  /// With F the frequency of the symbol and k bits so that N ≤ F·2^k < 2N, a state of F·2^k or more
  /// gives away its lowest k bits, any other k - 1. What is left, F to 2F, becomes one of the
  /// symbol's F states.
  struct Transition: BitwiseCopyable {
    /// k·2^16 − F·2^k: added to the state, the bits to give away are in the upper half.
    var bits: UInt32 = 0
    /// Added to what is left of the state.
    var next: UInt32 = 0
  }

  /// Fills `table`, of one entry for each symbol of `alphabet`. Frequencies must add up to the
  /// number of states. Symbols without frequency must not be encoded.
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
