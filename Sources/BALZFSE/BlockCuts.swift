extension LZFSE {
  /// How often the symbols of the four alphabets occur in consecutive triplets and their literals.
  struct SymbolCounts {
    /// In the order of a block's frequencies: L, M, D, literals.
    private(set) var counts = [UInt32](repeating: 0, count: Alphabet.frequencyCount)
    private(set) var triplets = 0
    private(set) var literals = 0

    /// Counts `list`, whose output is at the start of `raw`. A distance equal to that of the
    /// previous triplet, at first `last`, is coded as 0.
    /// - Returns: The size of the output.
    @discardableResult
    mutating func add(_ list: Span<Triplet>, _ raw: RawSpan, after last: UInt32) -> Int {
      let lSymbols = Alphabet.literalLength.symbols
      let mSymbols = Alphabet.matchLength.symbols
      var last = last
      var position = 0
      for index in list.indices {
        let triplet = list[index]
        let distance = TripletSymbols.Distance(triplet.distance == last ? 0 : triplet.distance)
        last = triplet.distance
        counts[Int(lSymbols[Int(triplet.literals)])] += 1
        counts[20 + Int(mSymbols[Int(triplet.match)])] += 1
        counts[40 + Int(distance.symbol)] += 1
        for offset in position..<position + Int(triplet.literals) {
          counts[104 + Int(raw.integer(at: offset, as: UInt8.self))] += 1
        }
        position += Int(triplet.literals) + Int(triplet.match)
        literals += Int(triplet.literals)
      }
      triplets += list.count
      return position
    }

    static func += (sum: inout Self, more: Self) {
      for symbol in sum.counts.indices { sum.counts[symbol] &+= more.counts[symbol] }
      sum.triplets += more.triplets
      sum.literals += more.literals
    }

    /// The number of bits beside the symbols.
    var extraBits: Int {
      [Alphabet.literalLength, .matchLength, .distance].reduce(0) { sum, alphabet in
        zip(counts[alphabet.frequencies], alphabet.extraBits).reduce(sum) {
          $0 + Int($1.0) * Int($1.1)
        }
      }
    }

    /// The approximate size of a block with these symbols in 1/65,536 bit, without what doesn't
    /// depend on cuts, the extra bits: of its header, and the entropy of each alphabet.
    func cost(_ log2: borrowing Log2) -> Int {
      var cost = (8 * (FSEHeader.packedSize + Limit.tripletLead)) << 16
      for (alphabet, total) in [
        (Alphabet.literalLength, triplets), (.matchLength, triplets), (.distance, triplets),
        (.literal, literals),
      ] where total > 0 {
        cost += total * log2(UInt32(total))
        let step = (alphabet.states << 32) / total
        for symbol in alphabet.frequencies {
          let count = Int(counts[symbol])
          let frequency = UInt32(truncatingIfNeeded: (count &* step) &>> 32)
          cost &-= count &* log2(counts[symbol])
          // By the bits of a frequency, those of its code.
          let bits = 32 &- frequency.leadingZeroBitCount
          cost &+= ((0xEEEE_EEEA_8532_2 &>> (4 &* bits)) & 15) &<< 16
        }
      }
      return cost
    }
  }

  /// The binary logarithm of `number` in 1/65,536, of integer arithmetic, so that it is the same on
  /// any machine. The number is at least 1.
  package static func log2(_ number: Int) -> Int {
    var logarithm = Int.bitWidth - 1 - number.leadingZeroBitCount
    var rest = UInt64(number) << UInt64(31 - logarithm)
    // Each time the number is squared, its logarithm doubles, and is halved by a bit.
    for _ in 0..<16 {
      rest = (rest * rest) >> 31
      logarithm <<= 1
      if rest >> 32 != 0 {
        rest >>= 1
        logarithm |= 1
      }
    }
    return logarithm
  }

  /// Binary logarithms in 1/65,536 of a table.
  struct Log2: Sendable {
    /// Of 1 to 2 in steps of 1/1,024.
    private let fractions = (1024..<2048).map { UInt32(log2($0) & 0xFFFF) }

    /// The logarithm of `number`, or of 1 instead of 0. Of large numbers, only 11 bits count.
    @inline(__always)
    func callAsFunction(_ number: UInt32) -> Int {
      let number = number | (number == 0 ? 1 : 0)
      let zeros = number.leadingZeroBitCount
      let step = Int(truncatingIfNeeded: (number &<< UInt32(zeros)) &>> 21) & 1023
      return ((31 &- zeros) &<< 16) &+ Int(fractions[step])
    }
  }

  /// Divides `list`, whose output is at the start of `raw`, into blocks of a small total size: a new
  /// block costs a header, and fits its frequencies to contents that have changed.
  ///
  /// The shortest path over possible ends, one at about every `interval` bytes, at most 32 KiB.
  /// - Returns: For each block, the end of its triplets.
  static func cuts(
    _ list: Span<Triplet>, _ raw: RawSpan, every interval: Int, _ log2: borrowing Log2
  ) -> [Int] {
    // Parts of the list within the limits of a block.
    var parts: [SymbolCounts] = []
    var ends = [0]
    var start = 0
    var size = 0
    for index in list.indices {
      size += Int(list[index].literals) + Int(list[index].match)
      let count = index + 1 - ends[parts.count]
      guard size >= interval || count == Limit.triplets / 2 || index + 1 == list.count else {
        continue
      }
      var part = SymbolCounts()
      let last = parts.isEmpty ? 0 : list[ends[parts.count] - 1].distance
      start += part.add(
        list.extracting(ends[parts.count]...index), raw.extracting(start...), after: last)
      parts.append(part)
      ends.append(index + 1)
      size = 0
    }
    var best = [(cost: Int, start: Int)](repeating: (.max, 0), count: parts.count + 1)
    best[0].cost = 0
    for first in parts.indices {
      var block = SymbolCounts()
      for last in first..<parts.count {
        block += parts[last]
        guard block.triplets <= Limit.triplets, block.literals <= Limit.literals else { break }
        let cost = best[first].cost + block.cost(log2)
        if cost < best[last + 1].cost { best[last + 1] = (cost, first) }
      }
    }
    var cuts: [Int] = []
    var end = parts.count
    while end > 0 {
      cuts.append(ends[end])
      end = best[end].start
    }
    return cuts.reversed()
  }
}
