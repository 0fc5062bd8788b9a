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

    init() throws(OutOfMemory) { counters = try Memory(repeating: 0, count: 4 * 256) }

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
}

extension LZFSE {
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
}
