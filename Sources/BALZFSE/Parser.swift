extension LZFSE {
  /// Divides an input into the triplets that take the fewest bits.
  ///
  /// It goes through pieces of the input. For each position of a piece, the cheapest way to it is
  /// continued by a literal and by all lengths of all matches. Prices are the logarithms of how
  /// often symbols occur in the parse before.
  struct Parser: ~Copyable {
    /// Two ways to each position are enough to find cheap repetitions of a distance, and pieces of
    /// this size to reuse the memory; both lose 0.1 to 0.3 %.
    private static let pieceSize = 1 << 16
    /// How many times the prices are used. The first piece lacks those of the one before.
    private static let (firstPasses, passes) = (4, 2)
    /// The shortest matches of the simple parses. The second is tried on each piece while the results
    /// differ, otherwise once in a turn of pieces.
    private static let shortest = [3, 8]
    private static let turn = 4
    /// Between possible ends of blocks.
    private static let cutInterval = 1 << 13
    /// The size of the input, in bytes, and the number of triplets after which blocks are written.
    private static let segment = 1 << 20
    private static let capacity = 160_000
    /// The most triplets of a piece: of two bytes or more, except the first.
    private static let mostTriplets = pieceSize / 2 + 64

    /// A way to a position: its last step is a literal or a match.
    struct Way: BitwiseCopyable {
      /// In 1/256 bit.
      var cost: UInt32 = .max
      /// That of the last match.
      var distance: UInt32 = 1
      /// Of the match, or 0.
      var length: UInt32 = 0
      /// The number of literals since the last triplet.
      var run: UInt16 = 0
      /// Which of the two ways it continues.
      var origin: UInt16 = 0
    }

    /// Prices in 1/256 bit, including the extra bits.
    struct Prices: ~Copyable {
      /// Between 1/8 and 3/4 bit, sizes differ by less than 0.1 %.
      private static let rounding: UInt32 = 96

      let literals: Memory<UInt32>
      /// Of one more literal in a run, by the length before.
      let steps: Memory<UInt32>
      let matches: Memory<UInt32>
      let distances: Memory<UInt32>
      /// Of a match at the last distance, without its length, and no literals after it.
      var repeated: UInt32 = 0
      /// Of no literals, and of what each triplet takes beyond the logarithms: states are rounded.
      var none: UInt32 = 0

      init() throws(Damage) {
        let literals = try Memory<UInt32>(repeating: 0, count: 256)
        let steps = try Memory<UInt32>(repeating: 0, count: Limit.literalLength + 1)
        let matches = try Memory<UInt32>(repeating: 0, count: Limit.matchLength + 1)
        let distances = try Memory<UInt32>(repeating: 0, count: 64)
        self.literals = literals
        self.steps = steps
        self.matches = matches
        self.distances = distances
      }

      /// Prices by what occurred: log2(total ÷ count); one bit more than for 1 if it didn't.
      mutating func set(_ counts: borrowing SymbolCounts, _ log2: borrowing Log2) {
        func prices(_ alphabet: Alphabet) -> [UInt32] {
          let counts = counts.counts[alphabet.frequencies]
          let all = log2(counts.reduce(0, +))
          return counts.enumerated().map { symbol, count in
            let bits = count == 0 ? 1 << 16 : -log2(count)
            let extra = alphabet.extraBits.isEmpty ? 0 : Int(alphabet.extraBits[symbol])
            return UInt32(((all + bits) >> 8) + (extra << 8))
          }
        }
        // The tables have an element for each value of L and M, and each symbol of the others.
        let runs = prices(.literalLength)
        let lengths = prices(.matchLength)
        for (length, symbol) in Alphabet.matchLength.symbols.enumerated() {
          unsafe matches.start[length] = lengths[Int(symbol)]
        }
        for (symbol, price) in prices(.distance).enumerated() {
          unsafe distances.start[symbol] = price
        }
        for (symbol, price) in prices(.literal).enumerated() {
          unsafe literals.start[symbol] = price
        }
        none = runs[0] + Self.rounding
        repeated = unsafe distances.start[0] + none
        let symbols = Alphabet.literalLength.symbols
        for length in 0..<Limit.literalLength {
          unsafe steps.start[length] =
            runs[Int(symbols[length + 1])] &- runs[Int(symbols[length])]
        }
        // Longer runs are divided by triplets without a match.
        unsafe steps.start[Limit.literalLength] =
          distances.start[0] + matches.start[0] + runs[1]
      }
    }

    private var tree: MatchTree
    private var prices: Prices
    /// Two for each position of a piece and its end.
    private let ways: Memory<Way>
    /// Triplets that aren't written yet, from the start; those of a piece are first collected at
    /// the end, from the last to the first.
    private let list: Memory<Triplet>
    private var count = 0

    init() throws(Damage) {
      let tree = try MatchTree(Self.pieceSize)
      let prices = try Prices()
      let ways = try Memory(repeating: Way(), count: 2 * (Self.pieceSize + 1))
      let list = try Memory(repeating: Triplet(), count: Self.capacity)
      self.tree = tree
      self.prices = prices
      self.ways = ways
      self.list = list
    }

    /// Parses `raw`, at most 1 GiB, and calls `write` with consecutive lists of triplets, and the
    /// rest of the input that begins with their output. It returns whether to go on.
    /// - Returns: Whether that was always so.
    mutating func parse(
      _ raw: UnsafeRawBufferPointer, _ log2: borrowing Log2,
      _ write: (_ list: Span<Triplet>, _ rest: RawSpan, _ interval: Int) -> Bool
    ) -> Bool {
      guard let input = raw.baseAddress else { return true }
      tree.begin()
      count = 0
      var way = Way(cost: 0)
      // The first prices of a piece are those of a simple parse, and of the piece before. Where
      // literals are cheap, as in digests, a parse with short matches makes them look cheap, too, and
      // that remains so; for other data it's better. So both are tried, on each piece while they differ.
      var counts = SymbolCounts()
      var differs = true
      var start = 0
      var written = 0
      while start < raw.count {
        let piece = start..<min(start + Self.pieceSize, raw.count)
        unsafe tree.find(input, raw.count, piece)
        let rest = start - Int(way.run)
        let output = unsafe UnsafeRawBufferPointer(rebasing: raw[rest...]).bytes
        unsafe ways.start[0] = way
        unsafe ways.start[1] = Way()
        let before = counts
        let passes = start == 0 ? Self.firstPasses : Self.passes
        let isTurn = start % (Self.turn * Self.pieceSize) == 0
        var least = Int.max
        for shortest in differs || isTurn ? Self.shortest : Self.shortest.dropLast() {
          var these = before
          unsafe greedy(input, piece, shortest)
          unsafe these.add(collect(piece.count).span, output, after: 0)
          for _ in 1..<passes { unsafe pass(&these, input, piece, output, log2) }
          let cost = these.cost(log2) + (these.extraBits << 16)
          differs = least < .max && (cost - least).magnitude > cost / 128
          if cost < least { (least, counts) = (cost, these) }
        }
        unsafe pass(&counts, input, piece, output, log2)
        unsafe keep(collect(piece.count))
        // The way to the end goes on in the next piece.
        way = unsafe ways.start[2 * piece.count]
        (way.cost, way.length, way.origin) = (0, 0, 0)
        start = piece.upperBound
        if start == raw.count, way.run > 0 {
          unsafe list.start[count] = Triplet(distance: way.distance, literals: way.run)
          count += 1
        }
        guard
          start == raw.count || start - written >= Self.segment
            || count > Self.capacity - 2 * Self.mostTriplets
        else { continue }
        let done = unsafe UnsafeBufferPointer(start: list.start, count: count).span
        let rawRest = unsafe UnsafeRawBufferPointer(rebasing: raw[written...]).bytes
        guard write(done, rawRest, Self.cutInterval) else { return false }
        written = start == raw.count ? start : start - Int(way.run)
        count = 0
      }
      return true
    }

    /// The best way to the end of a piece of `size` bytes as triplets, without the literals after
    /// the last one.
    private func collect(_ size: Int) -> UnsafeBufferPointer<Triplet> {
      // SAFETY: Steps go back to the start of the piece, and `put` checks that there is room.
      let ways = unsafe self.ways.start
      var index = list.count
      func put(_ literals: UInt16, _ match: Int, _ distance: UInt32) {
        index -= 1
        precondition(index >= count)
        unsafe list.start[index] = Triplet(
          distance: distance, literals: literals, match: UInt16(truncatingIfNeeded: match))
      }
      var position = size
      var way = unsafe ways[2 * size]
      while position > 0 {
        position -= max(1, Int(way.length))
        precondition(position >= 0)
        let before = unsafe ways[2 * position + Int(way.origin & 1)]
        if way.length > 0 {
          // Long matches are divided; the last part is as long as what remains.
          var part = (Int(way.length) - 1) % Limit.matchLength + 1
          var left = Int(way.length) - part
          while left > 0 {
            put(0, part, way.distance)
            part = Limit.matchLength
            left -= part
          }
          put(before.run, part, way.distance)
        } else if way.run == 1, before.run > 0 {
          put(before.run, 0, way.distance)
        }
        way = before
      }
      return unsafe UnsafeBufferPointer(start: list.start + index, count: list.count - index)
    }

    /// Adds triplets from the end of the list to those before.
    private mutating func keep(_ triplets: UnsafeBufferPointer<Triplet>) {
      // SAFETY: They are in the list, behind the others.
      guard let source = triplets.baseAddress else { return }
      unsafe (list.start + count).update(from: source, count: triplets.count)
      count += triplets.count
    }

    /// Parses a piece with the prices of `counts`, and replaces these by those of the parse.
    private mutating func pass(
      _ counts: inout SymbolCounts, _ input: UnsafeRawPointer, _ piece: Range<Int>,
      _ output: RawSpan, _ log2: borrowing Log2
    ) {
      prices.set(counts, log2)
      unsafe forward(input, piece)
      counts = SymbolCounts()
      unsafe counts.add(collect(piece.count).span, output, after: 0)
    }

    /// A simple way to the end of the piece: the longest match of at least `shortest` bytes, if not
    /// much shorter a repeated one.
    private func greedy(_ input: UnsafeRawPointer, _ piece: Range<Int>, _ shortest: Int) {
      // SAFETY: see `forward`.
      let ways = unsafe self.ways.start
      var position = 0
      while position < piece.count {
        var way = unsafe ways[2 * position]
        let next = unsafe input + piece.lowerBound + position
        let most = piece.count - position
        var length = 0
        let (first, end) = unsafe (tree.first.start[position], tree.first.start[position + 1])
        if way.run > 0 { length = unsafe same(next, Int(way.distance), from: 0, most) }
        if first < end {
          let match = unsafe tree.matches.start[Int(end) - 1]
          var longest = match.length
          if longest == MatchTree.longest {
            longest = unsafe same(next, match.distance, from: 0, most)
          }
          if longest > length + 1, longest >= shortest {
            length = longest
            way.distance = UInt32(match.distance)
          }
        }
        way.length = UInt32(length < 2 ? 0 : length)
        way.run = length < 2 ? way.run % UInt16(Limit.literalLength) + 1 : 0
        way.origin = 0
        position += max(1, Int(way.length))
        unsafe ways[2 * position] = way
      }
    }

    /// Sets the cheapest ways to all positions of a piece.
    @inline(never)
    private func forward(_ input: UnsafeRawPointer, _ piece: Range<Int>) {
      // SAFETY: There are two ways for each position of a piece and its end, and matches end there:
      // the lengths of those kept by the tree are limited, and the others compared no further. A run
      // is at most as long as the longest of a triplet. A distance is one of the tree's at a
      // position before, or 1, and isn't used for the first position of the input: so no earlier
      // byte is before the start.
      let ways = unsafe self.ways.start
      let matches = unsafe tree.matches.start
      let firstMatch = unsafe tree.first.start
      let literals = unsafe prices.literals.start
      let steps = unsafe prices.steps.start
      let lengths = unsafe prices.matches.start
      let distances = unsafe prices.distances.start
      let (repeated, none) = (prices.repeated, prices.none)
      let size = piece.count
      let start = unsafe input + piece.lowerBound
      unsafe (ways + 2).update(repeating: Way(), count: 2 * size)
      var position = 0
      while position < size {
        let here = unsafe ways + 2 &* position
        let bytes = unsafe start + position
        var skipped = Int.max
        // Matches at the last distance, also of one byte.
        for origin in 0..<2 {
          let way = unsafe here[origin]
          guard way.cost < .max, way.run > 0 || position == 0 && piece.lowerBound > 0 else {
            continue
          }
          let length = unsafe same(bytes, Int(way.distance), from: 0, size &- position)
          guard length > 0 else { continue }
          var next = Way(
            cost: 0, distance: way.distance, length: 0, run: 0,
            origin: UInt16(truncatingIfNeeded: origin))
          let price = way.cost &+ repeated
          if length >= MatchTree.longest {
            next.cost = price &+ rest(length)
            next.length = UInt32(truncatingIfNeeded: length)
            unsafe offer(next, here + 2 &* length)
            skipped = min(skipped, length)
            continue
          }
          unsafe offer(next, from: 1, through: length, price, lengths, here)
        }
        let way = unsafe here[0]
        var index = unsafe Int(firstMatch[position])
        let end = unsafe Int(firstMatch[position &+ 1])
        if index < end, unsafe matches[end &- 1].length == MatchTree.longest {
          let distance = unsafe matches[end &- 1].distance
          let length = unsafe same(bytes, distance, from: 0, size &- position)
          let symbol = TripletSymbols.Distance(UInt32(truncatingIfNeeded: distance)).symbol
          unsafe offer(
            Way(
              cost: way.cost &+ distances[Int(symbol)] &+ none &+ rest(length),
              distance: UInt32(truncatingIfNeeded: distance),
              length: UInt32(truncatingIfNeeded: length)), here + 2 &* length)
          skipped = min(skipped, length)
        }
        guard skipped == .max else {
          position &+= skipped
          continue
        }
        var length = 3
        while index < end {
          let match = unsafe matches[index]
          index &+= 1
          let distance = UInt32(truncatingIfNeeded: match.distance)
          let price =
            unsafe way.cost &+ none
            &+ distances[Int(TripletSymbols.Distance(distance).symbol)]
          unsafe offer(
            Way(distance: distance), from: length, through: match.length, price, lengths, here)
          length = max(length, match.length &+ 1)
        }
        let literal = unsafe literals[Int(bytes.load(as: UInt8.self))]
        for origin in 0..<2 {
          var way = unsafe here[origin]
          guard way.cost < .max else { continue }
          let run = Int(way.run)
          way.cost = unsafe way.cost &+ literal &+ steps[run]
          way.length = 0
          way.run = run == Limit.literalLength ? 1 : UInt16(truncatingIfNeeded: run &+ 1)
          way.origin = UInt16(truncatingIfNeeded: origin)
          unsafe offer(way, here + 2)
        }
        position &+= 1
      }
    }

    /// The price of the length of a match, which may be divided, without its distance.
    private func rest(_ length: Int) -> UInt32 {
      let parts = UInt32((length - 1) / Limit.matchLength)
      // The table has an element for each length of a triplet.
      return unsafe prices.matches.start[(length - 1) % Limit.matchLength + 1] + parts
        * (prices.matches.start[Limit.matchLength] + prices.repeated)
    }

    /// Offers matches of all `lengths`, as those of `way`.
    @inline(__always)
    @unsafe private func offer(
      _ way: Way, from length: Int, through last: Int, _ price: UInt32,
      _ lengths: UnsafePointer<UInt32>, _ here: UnsafeMutablePointer<Way>
    ) {
      var way = way
      var length = length
      while length <= last {
        way.cost = unsafe price &+ lengths[length]
        way.length = UInt32(truncatingIfNeeded: length)
        unsafe offer(way, here + 2 &* length)
        length &+= 1
      }
    }

    /// Keeps `way` if it is one of the two cheapest with different distances; of equal ones the
    /// first.
    @inline(__always)
    @unsafe private func offer(_ way: Way, _ best: UnsafeMutablePointer<Way>) {
      guard unsafe way.cost < best[1].cost else { return }
      if unsafe way.cost < best[0].cost {
        if unsafe way.distance != best[0].distance { unsafe best[1] = best[0] }
        unsafe best[0] = way
      } else if unsafe way.distance != best[0].distance {
        unsafe best[1] = way
      }
    }
  }
}
