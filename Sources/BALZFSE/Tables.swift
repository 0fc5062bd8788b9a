// The 360 frequencies of a packed header: one bit string, starting with the lowest bit of the first
// byte. The low bits of a code determine its length: small values take 2, 3 or 5 bits, large ones 8
// or 14.
extension [UInt16] {
  /// Fills the array with the frequencies packed in `range`, which must be within `stream`.
  mutating func unpack(_ stream: RawSpan, _ range: Range<Int>) throws(LZFSE.Damage) {
    var bits: UInt64 = 0
    var count = 0
    var offset = range.lowerBound
    for index in indices {
      if count < 14, offset <= range.upperBound - 8 {
        // Bits that are already there are combined with the same bits. Only whole bytes are
        // consumed.
        bits |= stream.integer(at: offset, as: UInt64.self) << UInt64(count)
        let bytes = (63 - count) / 8
        offset += bytes
        count += 8 * bytes
      }
      while count < 14, offset < range.upperBound {
        bits |= UInt64(stream.integer(at: offset, as: UInt8.self)) << UInt64(count)
        offset += 1
        count += 8
      }
      let (value, length) = Self.frequency(UInt16(truncatingIfNeeded: bits))
      guard length <= count else { throw LZFSE.Damage(.packedFrequencies, at: range.upperBound) }
      self[index] = value
      bits >>= UInt64(length)
      count -= length
    }
    // The remaining bits of the last byte are padding; a whole byte is damage.
    guard offset == range.upperBound, count < 8 else {
      throw LZFSE.Damage(.packedFrequencies, at: offset - count / 8)
    }
  }

  private static func frequency(_ bits: UInt16) -> (value: UInt16, length: Int) {
    // The number of ones below the lowest zero is the index into tables of five entries, which are
    // packed into integers to avoid branches.
    let ones = Swift.min(4, (~bits).trailingZeroBitCount)
    let length = (0xE_8532 &>> (4 &* ones)) & 15
    let prefix = Swift.min(4, ones &+ 1)
    let base = UInt16(truncatingIfNeeded: 0x18_0804_0200 &>> (8 &* ones)) & 0xFF
    let rest = (bits &>> UInt16(prefix)) & ((1 &<< UInt16(length &- prefix)) &- 1)
    return (base &+ rest, length)
  }

  /// The bytes that `unpack` converts back to this array.
  func packed() -> [UInt8] {
    var packed: [UInt8] = []
    var bits: UInt64 = 0
    var count = 0
    for value in self {
      let (code, length) = Self.code(UInt64(value))
      bits |= code << UInt64(count)
      count += length
      while count >= 8 {
        packed.append(UInt8(truncatingIfNeeded: bits))
        bits >>= 8
        count -= 8
      }
    }
    if count > 0 { packed.append(UInt8(truncatingIfNeeded: bits)) }
    return packed
  }

  private static func code(_ value: UInt64) -> (bits: UInt64, length: Int) {
    switch value {
    case 0...1: (value << 1, 2)
    case 2...3: ((value - 2) << 2 | 0b01, 3)
    case 4...7: ((value - 4) << 3 | 0b011, 5)
    case 8...23: ((value - 8) << 4 | 0b0111, 8)
    default: ((value - 24) << 4 | 0b1111, 14)
    }
  }
}

extension LZFSE {
  /// Counts bytes. Four counters per value avoid stalls on repeated bytes.
  struct Histogram: ~Copyable {
    private let counters: Memory<UInt32>

    init() throws(Damage) { counters = try Memory(repeating: 0, count: 4 * 256) }

    /// The number of occurrences of each byte value in `count` bytes, a multiple of 4.
    @unsafe func counts(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> [UInt32] {
      // A byte is below 256, and each of the four counters has 256 elements.
      let counters = unsafe self.counters.start
      unsafe counters.update(repeating: 0, count: self.counters.count)
      var index = 0
      while index < count {
        unsafe counters[Int(bytes[index])] &+= 1
        unsafe counters[256 &+ Int(bytes[index &+ 1])] &+= 1
        unsafe counters[512 &+ Int(bytes[index &+ 2])] &+= 1
        unsafe counters[768 &+ Int(bytes[index &+ 3])] &+= 1
        index &+= 4
      }
      return (0..<256).map { value in
        unsafe counters[value] + counters[256 + value] + counters[512 + value]
          + counters[768 + value]
      }
    }
  }

  /// Frequencies of `alphabet` that add up to its number of states, in proportion to `counts`: at
  /// least 1 for a symbol that occurs. If all counts are 0, the first symbol gets all states.
  ///
  /// The rounding is that of Apple's open-source encoder.
  static func normalized(_ counts: [UInt32], _ alphabet: Alphabet) -> [UInt16] {
    var frequencies = [UInt16](repeating: 0, count: counts.count)
    let total = counts.reduce(0, +)
    guard total > 0 else {
      frequencies[0] = UInt16(alphabet.states)
      return frequencies
    }
    // The counts add up to at most 40,000, so a product is at most 2^31.
    let step = (1 << 31) / total
    let shift = UInt32(30 - alphabet.log2States)
    var top = 0
    for (symbol, count) in counts.enumerated() where count > 0 {
      frequencies[symbol] = max(1, UInt16((((count * step) >> shift) + 1) >> 1))
      if frequencies[symbol] > frequencies[top] { top = symbol }
    }
    let sum = frequencies.reduce(0) { $0 + Int($1) }
    if sum - alphabet.states < Int(frequencies[top] / 4) {
      frequencies[top] = UInt16(Int(frequencies[top]) + alphabet.states - sum)
    } else {
      reduce(&frequencies, by: sum - alphabet.states)
    }
    return frequencies
  }

  /// The same, with a smaller sum of the modelled bits: a symbol with frequency F, and k so that
  /// N ≤ F·2^k < 2N, takes k + 1 − F·2^k ÷ N bits if all states of a run are equally likely. That is
  /// linear between powers of two, so these are best, except for one symbol.
  static func fitted(_ counts: [UInt32], _ alphabet: Alphabet) -> [UInt16] {
    var frequencies = [UInt16](repeating: 0, count: counts.count)
    let total = Int(counts.reduce(0, +))
    guard total > 0 else { return normalized(counts, alphabet) }
    var rest = alphabet.states
    // By what doubling the frequency saves for each state.
    var order: [UInt32] = []
    for (symbol, count) in counts.enumerated() where count > 0 {
      let share = max(1, Int(count) * alphabet.states / total)
      let log2 = Int.bitWidth - 1 - share.leadingZeroBitCount
      frequencies[symbol] = 1 << UInt16(log2)
      rest -= 1 << log2
      order.append(((count << 6) >> UInt32(log2)) << 8 | UInt32(symbol))
    }
    if rest < 0 { reduce(&frequencies, by: -rest) }
    order.sort(by: >)
    // Once is enough: a doubled share is larger than the exact one.
    for entry in order where rest > 0 {
      let symbol = Int(entry & 255)
      let more = min(Int(frequencies[symbol]), rest)
      frequencies[symbol] += UInt16(more)
      rest -= more
    }
    return frequencies
  }

  /// Reduces frequencies above 1 by `excess` in total, in proportion.
  private static func reduce(_ frequencies: inout [UInt16], by excess: Int) {
    var excess = UInt16(excess)
    for shift in [3, 2, 1, 0] as [UInt16] {
      for symbol in frequencies.indices where frequencies[symbol] > 1 {
        let share = min((frequencies[symbol] - 1) >> shift, excess)
        frequencies[symbol] -= share
        excess -= share
        if excess == 0 { return }
      }
    }
  }

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
