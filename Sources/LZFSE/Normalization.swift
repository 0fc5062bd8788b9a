extension LZFSE {
  /// Frequencies of `alphabet` that add up to its number of states, in proportion to `counts`: at
  /// least 1 for a symbol that occurs. Without any count all states are the first symbol's.
  ///
  /// The rounding is that of Apple's open encoder.
  static func normalized(_ counts: [UInt32], _ alphabet: Alphabet) -> [UInt16] {
    var frequencies = [UInt16](repeating: 0, count: counts.count)
    let total = counts.reduce(0, +)
    guard total > 0 else {
      frequencies[0] = UInt16(alphabet.states)
      return frequencies
    }
    // At most 40,000 counts: a product is at most 2^31.
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

  /// Takes `excess` away from symbols that have more than 1, a share of each.
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
