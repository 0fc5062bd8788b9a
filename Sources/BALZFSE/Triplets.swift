extension LZFSE {
  /// A literal run followed by a match.
  struct Triplet: BitwiseCopyable {
    /// 1 to 262,139, also for a match of length 0.
    var distance: UInt32 = 0
    /// At most 315.
    var literals: UInt16 = 0
    /// At most 2,359.
    var match: UInt16 = 0
  }

  /// The output of the match finder and input of the entropy coder: the triplets of one block and
  /// their literals.
  @safe struct Triplets: ~Copyable {
    /// The number of bytes after the literals that the match finder may copy along.
    static let spare = 64

    let literals: Memory<UInt8>
    let triplets: Memory<Triplet>
    var literalCount = 0
    var count = 0
    /// The size of the triplets' output in bytes.
    var rawSize = 0
    /// The distance of the last triplet; a first one without a match has literals, so 1 is valid.
    private var distance: UInt32 = 1

    /// The longest runs that `append` accepts. A block with room for them isn't full.
    static let longestLiterals = 4 * Limit.literalLength
    static let longestMatch = 100 * Limit.matchLength

    var isFull: Bool {
      count > Limit.triplets - 106 || literalCount > Limit.literals - Self.longestLiterals
    }

    init() throws(Damage) {
      let literals = try Memory<UInt8>(repeating: 0, count: Limit.literals + Self.spare)
      let triplets = try Memory(repeating: Triplet(), count: Limit.triplets)
      self.literals = literals
      self.triplets = triplets
    }

    mutating func clear() {
      (literalCount, count, rawSize, distance) = (0, 0, 0, 1)
    }

    /// Replaces the contents by `list`, at most as many triplets and literals as a block may have,
    /// whose output is at the start of `raw`.
    mutating func fill(_ list: Span<Triplet>, _ raw: RawSpan) {
      clear()
      precondition(list.count <= Limit.triplets)
      for index in list.indices {
        let triplet = list[index]
        let length = Int(triplet.literals)
        precondition(length <= Limit.literals - literalCount)
        // SAFETY: There is room for the triplet and its literals, as just checked.
        unsafe triplets.start[index] = triplet
        let target = unsafe UnsafeMutableRawBufferPointer(
          start: literals.start + literalCount, count: length)
        let source = raw.extracting(rawSize..<rawSize + length)
        unsafe source.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
        literalCount += length
        rawSize += length + Int(triplet.match)
      }
      count = list.count
    }

    /// Pads the literals with zero bytes to a multiple of four, as required in a block.
    mutating func fillUp() {
      // The buffer has spare bytes after the literals.
      while !literalCount.isMultiple(of: 4) {
        unsafe literals.start[literalCount] = 0
        literalCount += 1
      }
    }

    /// Appends `length` literals from `source`, at most `longestLiterals`, and a match of at most
    /// `longestMatch` bytes. The block must not be full.
    ///
    /// If `wide`, 64 bytes after the literals may be read too.
    @inline(__always)
    @unsafe mutating func append(
      _ source: UnsafeRawPointer, _ length: Int, match: Int, distance: Int, wide: Bool
    ) {
      // A block that isn't full has room for the longest literals (and what is copied along), and
      // for the 4 + 100 pieces that the longest literals and match are divided into, and the last
      // one.
      let target = unsafe UnsafeMutableRawPointer(literals.start + literalCount)
      if wide, length <= 64 {
        var index = 0
        repeat {
          unsafe (target + index).storeBytes(
            of: (source + index).loadUnaligned(as: SIMD16<UInt8>.self), as: SIMD16<UInt8>.self)
          index &+= 16
        } while index < length
      } else {
        unsafe target.copyMemory(from: source, byteCount: length)
      }
      literalCount &+= length
      rawSize &+= length &+ match
      if wide, length <= Limit.literalLength, match <= Limit.matchLength {
        self.distance = UInt32(truncatingIfNeeded: distance)
        unsafe put(length, match, self.distance)
        return
      }
      var length = length
      var match = match
      if length > Limit.literalLength {
        while length > Limit.literalLength {
          unsafe put(Limit.literalLength, 0, self.distance)
          length &-= Limit.literalLength
        }
      }
      if match > 0 { self.distance = UInt32(truncatingIfNeeded: distance) }
      while match > Limit.matchLength {
        unsafe put(length, Limit.matchLength, self.distance)
        length = 0
        match &-= Limit.matchLength
      }
      unsafe put(length, match, self.distance)
    }

    @inline(__always)
    @unsafe private mutating func put(_ length: Int, _ match: Int, _ distance: UInt32) {
      unsafe triplets.start[count] = Triplet(
        distance: distance, literals: UInt16(truncatingIfNeeded: length),
        match: UInt16(truncatingIfNeeded: match))
      count &+= 1
    }
  }

  struct TripletSymbols: ~Copyable {
    /// The symbol, base and number of extra bits of a value of L or M.
    struct Symbol: BitwiseCopyable {
      var base: UInt16 = 0
      var symbol: UInt8 = 0
      var bits: UInt8 = 0
    }

    /// The symbol of a value of D, and its extra bits, in one number.
    struct Distance {
      let packed: UInt32

      var symbol: UInt32 { packed &>> 24 }
      /// The number of extra bits, the same for four symbols.
      var bits: UInt32 { packed &>> 26 }
      var extra: UInt32 { packed & 0xFFFF }

      @inline(__always)
      init(packed: UInt32) { self.packed = packed }

      // The symbols are in groups of four, with equal numbers of values: powers of two, from 4 on.
      @inline(__always)
      init(_ distance: UInt32) {
        let shifted = distance &+ 4
        let bits = 29 &- UInt32(truncatingIfNeeded: shifted.leadingZeroBitCount)
        let symbol = 4 &* bits &+ (shifted &>> bits) &- 4
        packed = symbol &<< 24 | shifted & ((1 &<< bits) &- 1)
      }
    }

    let literals: Memory<Symbol>
    let matches: Memory<Symbol>
    /// The normalized frequencies of L, M and D, in the order of the header.
    private(set) var frequencies: [UInt16] = []
    private let counts: Memory<UInt32>

    init() throws(Damage) {
      let literals = try Memory(repeating: Symbol(), count: Limit.literalLength + 1)
      let matches = try Memory(repeating: Symbol(), count: Limit.matchLength + 1)
      let counts = try Memory<UInt32>(repeating: 0, count: 20 + 20 + 64)
      self.literals = literals
      self.matches = matches
      self.counts = counts
      Self.fill(self.literals, .literalLength)
      Self.fill(self.matches, .matchLength)
    }

    private static func fill(_ symbols: borrowing Memory<Symbol>, _ alphabet: Alphabet) {
      for (value, symbol) in alphabet.symbols.enumerated() {
        unsafe symbols.start[value] = Symbol(
          base: UInt16(alphabet.base[Int(symbol)]), symbol: symbol,
          bits: alphabet.extraBits[Int(symbol)])
      }
    }

    /// Counts the symbols of a block's triplets, and replaces each distance by its symbol and extra
    /// bits. A distance equal to the previous one is coded as 0.
    mutating func count(_ triplets: inout Triplets, fitting: Bool) {
      // SAFETY: There are at most 10,000 triplets, with L up to 315 and M up to 2,359, for which
      // the tables have entries; the counts of the symbols, fewer than 20, 20 and 64, are
      // consecutive.
      let counts = unsafe self.counts.start
      unsafe counts.update(repeating: 0, count: self.counts.count)
      let start = unsafe triplets.triplets.start
      let lSymbols = unsafe literals.start
      let mSymbols = unsafe matches.start
      var last: UInt32 = 0
      for index in 0..<triplets.count {
        let triplet = unsafe start[index]
        let distance = Distance(triplet.distance == last ? 0 : triplet.distance)
        last = triplet.distance
        unsafe start[index].distance = distance.packed
        unsafe counts[Int(lSymbols[Int(triplet.literals)].symbol)] &+= 1
        unsafe counts[20 &+ Int(mSymbols[Int(triplet.match)].symbol)] &+= 1
        unsafe counts[40 &+ Int(distance.symbol)] &+= 1
      }
      let all = unsafe [UInt32](UnsafeBufferPointer(start: counts, count: self.counts.count))
      frequencies = []
      for alphabet in [Alphabet.literalLength, .matchLength, .distance] {
        frequencies += (fitting ? fitted : normalized)(
          [UInt32](all[alphabet.frequencies]), alphabet)
      }
    }
  }
}
