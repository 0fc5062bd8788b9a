extension LZFSE {
  /// Looks for repetitions: at each position, the last one whose four bytes have the same hash.
  struct MatchFinder: ~Copyable {
    static let hashBits: UInt32 = 15
    static let bias = 1 << 18
    private let table = Memory<UInt32>(repeating: 0, count: 1 << Int(hashBits))
    private var position = 0
    private var literals = 0

    mutating func begin() {
      (position, literals) = (0, 0)
      unsafe table.start.update(repeating: 0, count: table.count)
    }

    /// Fills a block with what follows in `raw`, the same input since `begin`.
    mutating func find(_ raw: UnsafeRawBufferPointer, _ triplets: inout Triplets) {
      guard let input = raw.baseAddress else { return }
      let table = unsafe self.table.start
      var i = position
      var lit = literals
      let n = raw.count
      let limit = n - 80
      while i < limit {
        if triplets.isFull { position = i; literals = lit; return }
        let x = unsafe input.loadUnaligned(fromByteOffset: i, as: UInt32.self)
        let h = Int((x &* 2654435761) &>> (32 - Self.hashBits))
        let candidate = unsafe Int(table[h]) - Self.bias
        unsafe table[h] = UInt32(truncatingIfNeeded: i + Self.bias)
        if UInt(bitPattern: i - candidate - 1) < UInt(Limit.distance),
          unsafe input.loadUnaligned(fromByteOffset: candidate, as: UInt32.self) == x
        {
          var start = i
          var ref = candidate
          var len = 4
          while i + len < limit {
            let a = unsafe input.loadUnaligned(fromByteOffset: i + len, as: UInt64.self)
            let b = unsafe input.loadUnaligned(fromByteOffset: ref + len, as: UInt64.self)
            if a != b { len += (a ^ b).trailingZeroBitCount / 8; break }
            len += 8
          }
          while start > lit, ref > 0,
            unsafe input.load(fromByteOffset: start - 1, as: UInt8.self)
              == input.load(fromByteOffset: ref - 1, as: UInt8.self)
          { start -= 1; ref -= 1; len += 1 }
          len = min(len, Triplets.longestMatch)
          unsafe triplets.append(
            input + lit, start - lit, match: len, distance: start - ref, wide: true)
          i = start + len
          lit = i
        } else {
          i += 1
          if i - lit >= Triplets.longestLiterals {
            unsafe triplets.append(input + lit, i - lit, match: 0, distance: 0, wide: true)
            lit = i
          }
        }
      }
      while lit < n {
        if triplets.isFull { position = i; literals = lit; return }
        let length = min(n - lit, Triplets.longestLiterals)
        unsafe triplets.append(input + lit, length, match: 0, distance: 0, wide: false)
        lit += length
      }
      position = n
      literals = n
    }
  }
}
