extension LZFSE {
  /// Literals that go out as they are, then a match.
  struct Triplet: BitwiseCopyable {
    /// 1 to 262,139, also for a match of length 0.
    var distance: UInt32 = 0
    /// At most 315.
    var literals: UInt16 = 0
    /// At most 2,359.
    var match: UInt16 = 0
  }

  /// What the match finder makes and the entropy coder takes: the triplets of one block and their
  /// literals.
  @safe struct Triplets: ~Copyable {
    /// Bytes behind the literals that the match finder may copy along.
    static let spare = 64

    let literals = Memory<UInt8>(repeating: 0, count: Limit.literals + spare)
    let triplets = Memory(repeating: Triplet(), count: Limit.triplets)
    var literalCount = 0
    var count = 0
    /// Bytes that the triplets make.
    var rawSize = 0
    /// The distance of the last triplet; a first one without a match has literals, so 1 is in reach.
    private var distance: UInt32 = 1

    /// The longest runs that `append` takes. A block in which they have room is not full.
    static let longestLiterals = 4 * Limit.literalLength
    static let longestMatch = 100 * Limit.matchLength

    var isFull: Bool {
      count > Limit.triplets - 106 || literalCount > Limit.literals - Self.longestLiterals
    }

    mutating func clear() {
      (literalCount, count, rawSize, distance) = (0, 0, 0, 1)
    }

    /// Adds zero bytes to the literals up to a multiple of four, as a block has them.
    mutating func fillUp() {
      // The buffer has spare bytes behind the literals.
      while !literalCount.isMultiple(of: 4) {
        unsafe literals.start[literalCount] = 0
        literalCount += 1
      }
    }

    /// Appends `length` literals that begin at `source`, at most `longestLiterals`, and a match of at
    /// most `longestMatch` bytes. The block must not be full.
    ///
    /// When `wide`, 64 bytes behind the literals may be read too.
    @inline(__always)
    @unsafe mutating func append(
      _ source: UnsafeRawPointer, _ length: Int, match: Int, distance: Int, wide: Bool
    ) {
      // A block that is not full has room for the longest literals (and what is copied along), and
      // for the 4 + 100 pieces that the longest literals and match are cut into and the last one.
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
}
