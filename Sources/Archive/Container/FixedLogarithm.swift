/// Binary logarithms in integers, so that all machines make the same decisions.
enum FixedLogarithm {
  /// Fractional bits.
  static let fractionBits = 16

  /// `n · log2(n)` for 0 ≤ n ≤ 4,096; 0 for n = 0.
  static func timesItself(_ n: Int) -> Int { table[n] }

  private static let table: [Int] = [0] + (1...4096).map { $0 * logarithm($0) }

  /// Digit by digit: squaring a number doubles its logarithm.
  private static func logarithm(_ n: Int) -> Int {
    let whole = Int.bitWidth - 1 - n.leadingZeroBitCount
    var mantissa = UInt64(n) << UInt64(31 - whole)
    var result = whole
    for _ in 0..<fractionBits {
      mantissa = mantissa * mantissa >> 31
      result <<= 1
      if mantissa >> 32 != 0 {
        result |= 1
        mantissa >>= 1
      }
    }
    return result
  }
}
