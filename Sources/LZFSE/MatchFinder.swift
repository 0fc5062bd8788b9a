extension LZFSE {
  /// Finds repetitions in the input and outputs triplets.
  ///
  /// A table contains the last position for each hash of four bytes: one candidate for each
  /// position, which is faster than the rows of four in Apple's open-source encoder. Stored with
  /// the position is the part of the four bytes that the hash doesn't determine, so that most
  /// mismatches are detected without loading the earlier bytes, a likely cache miss. The previous
  /// distance is a second candidate, which is cheap to encode and so worthwhile from two bytes on.
  /// A short match is compared with one at the next position. The longer nothing is found, the
  /// larger the steps of the search.
  struct MatchFinder: ~Copyable {
    /// The number of bytes after the last searched position, for comparing and copying words.
    private static let margin = 80
    /// A match of this length is used without trying the next position.
    private static let patience = 10
    /// Every 256 bytes without a match increase the step by one, up to 64.
    private static let stepShift = 8
    private static let longestStep = 64

    private let table: Memory<UInt32>
    private var position = 0
    /// The offset of the first byte that isn't in a triplet yet.
    private var literals = 0
    private var distance = 1

    /// A possible match, and roughly what it saves in quarters of a byte; 0 for no match.
    private struct Candidate {
      var length = 0
      var distance = 0
      var gain = 0
    }

    init() throws(Damage) {
      table = try Memory(repeating: 0, count: 1 << Int(Hash.placeBits))
    }

    /// Starts a new input.
    mutating func begin() {
      // The first byte can't match anything. A distance of 1 is valid from there on.
      (position, literals, distance) = (1, 0, 1)
      // The memory has this number of elements.
      unsafe table.start.update(repeating: 0, count: table.count)
    }

    /// Fills a block with the next part of `raw`, the same input of at most 1 GiB since `begin`.
    mutating func find(_ raw: UnsafeRawBufferPointer, _ triplets: inout Triplets) {
      guard let input = raw.baseAddress else { return }
      // SAFETY: All positions that are searched or added to the table are below `limit`; a match
      // ends at most 16 bytes after it, as whole words are compared; the literals before a match
      // are copied with up to 15 additional bytes. So every access is before `limit + margin`, the
      // end. A candidate isn't before the start, and neither is a position minus the last distance.
      // Each place is an index of the table.
      let limit = raw.count - Self.margin
      let table = unsafe self.table.start
      var position = self.position
      var literals = self.literals
      var distance = self.distance
      var anchor = literals
      while position < limit, !triplets.isFull {
        // Searches until the step increases or there are too many literals.
        let step = min(Self.longestStep, 1 &+ (position &- anchor) &>> Self.stepShift)
        let stop = min(
          limit, max(position &+ 1, anchor &+ step &<< Self.stepShift),
          literals &+ (Triplets.longestLiterals &- Self.longestStep))
        let earlier = unsafe input - distance
        var offered: UInt32
        repeat {
          let bytes = unsafe four(input, position)
          let hash = Hash(bytes, position)
          offered = unsafe hash.entry &- table[hash.place]
          unsafe table[hash.place] = hash.entry
          if unsafe Hash.isDistance(offered)
            || UInt16(truncatingIfNeeded: bytes)
              == UInt16(
                littleEndian: earlier.loadUnaligned(fromByteOffset: position, as: UInt16.self))
          {
            break
          }
          position &+= step
        } while position < stop
        if position >= stop {
          if position &- literals >= Triplets.longestLiterals - Self.longestStep {
            position = min(position, limit)
            unsafe triplets.append(
              input + literals, position &- literals, match: 0, distance: 0, wide: false)
            literals = position
          }
          continue
        }
        var match = unsafe Self.best(at: position, input, limit, offered, distance)
        if match.gain == 0 {
          position &+= 1
          continue
        }
        while match.length < Self.patience, position &+ 1 < limit {
          let hash = unsafe Hash(input, position &+ 1)
          let offered = unsafe hash.entry &- table[hash.place]
          unsafe table[hash.place] = hash.entry
          let next = unsafe Self.best(at: position &+ 1, input, limit, offered, distance)
          guard next.gain > match.gain &+ 3 else { break }
          match = next
          position &+= 1
        }
        distance = match.distance
        let end = min(position &+ match.length, literals &+ Triplets.longestMatch)
        var start = position
        if position &- distance >= 8 {
          let difference =
            unsafe word(input, position &- 8)
            ^ word(input, position &- 8 &- distance)
          start &-= min(difference.leadingZeroBitCount &>> 3, position &- literals)
        }
        unsafe triplets.append(
          input + literals, start &- literals, match: end &- start, distance: distance, wide: true)
        // Adding some positions of the match is enough for later ones to find it; an odd step
        // covers all alignments.
        var inside = position &+ 3
        while inside < min(end, limit) {
          let hash = unsafe Hash(input, inside)
          unsafe table[hash.place] = hash.entry
          inside &+= 5
        }
        position = end
        literals = end
        anchor = end
      }
      self.distance = distance
      self.position = position
      self.literals = literals
      if position >= limit { unsafe finish(input, raw.count, &triplets) }
    }

    /// Appends the literals after the last match, as far as the block has room.
    private mutating func finish(
      _ input: UnsafeRawPointer, _ count: Int, _ triplets: inout Triplets
    ) {
      while literals < count, !triplets.isFull {
        let length = min(count - literals, Triplets.longestLiterals)
        unsafe triplets.append(input + literals, length, match: 0, distance: 0, wide: false)
        literals += length
      }
    }

    /// The better match at `position`: at the distance that the table offered, if valid, or at the
    /// last one. Avoids branches, which would often be mispredicted.
    @inline(__always)
    private static func best(
      at position: Int, _ input: UnsafeRawPointer, _ limit: Int, _ offered: UInt32, _ last: Int
    ) -> Candidate {
      let distance = Hash.isDistance(offered) ? Int(truncatingIfNeeded: offered) : last
      let first = unsafe word(input, position)
      let second = unsafe word(input, position &+ 8)
      var length = unsafe same(
        first ^ word(input, position &- distance), second ^ word(input, position &+ 8 &- distance))
      var repeated = unsafe same(
        first ^ word(input, position &- last), second ^ word(input, position &+ 8 &- last))
      if max(length, repeated) == 16 {
        if length == 16 {
          length = unsafe Self.length(input, position, position &- distance, limit)
        }
        if repeated == 16 {
          repeated = unsafe Self.length(input, position, position &- last, limit)
        }
      }
      let log2 =
        UInt32.bitWidth &- 1 &- UInt32(truncatingIfNeeded: distance).leadingZeroBitCount
      let gain = length < 4 ? 0 : 4 &* length &- log2
      let repeatedGain = repeated < 2 ? 0 : 4 &* repeated
      return gain > repeatedGain
        ? Candidate(length: length, distance: distance, gain: gain)
        : Candidate(length: repeated, distance: last, gain: repeatedGain)
    }

    /// The number of equal bytes, up to 16, from the XOR of two pairs of words.
    @inline(__always)
    private static func same(_ first: UInt64, _ second: UInt64) -> Int {
      let more = second.trailingZeroBitCount &>> 3
      return first.trailingZeroBitCount &>> 3 &+ (first == 0 ? more : 0)
    }

    /// The number of equal bytes at two positions, which is at least 16; up to 7 beyond `limit`.
    @inline(__always)
    private static func length(
      _ input: UnsafeRawPointer, _ position: Int, _ earlier: Int, _ limit: Int
    ) -> Int {
      var length = 16
      while position &+ length < limit {
        let difference = unsafe word(input, position &+ length) ^ word(input, earlier &+ length)
        guard difference == 0 else {
          return length &+ difference.trailingZeroBitCount &>> 3
        }
        length &+= 8
      }
      return length
    }
  }

  /// The four bytes at a position as stored in the table (multiplicative hashing).
  struct Hash {
    static let placeBits: UInt32 = 16
    /// The lowest bit of the rest of the hash in an entry: enough for twice the largest distance.
    private static let positionBits: UInt32 = 19

    /// The index in the table.
    let place: Int
    /// The entry: the position plus the rest of the hash in the upper bits. No two numbers have the
    /// same product, so four bytes with the same place and rest are nearly always the same.
    ///
    /// The difference of an entry and an earlier one is their distance if the rests are equal.
    /// Otherwise it is too large for a distance, or smaller than the actual one: a candidate like
    /// any other.
    let entry: UInt32

    @inline(__always)
    @unsafe init(_ input: UnsafeRawPointer, _ position: Int) {
      unsafe self.init(four(input, position), position)
    }

    @inline(__always)
    init(_ bytes: UInt32, _ position: Int) {
      let product = bytes &* 2_654_435_761
      place = Int(truncatingIfNeeded: product &>> (32 &- Self.placeBits))
      entry = product &<< Self.positionBits &+ UInt32(truncatingIfNeeded: position)
    }

    /// Whether the difference of two entries is a valid distance for a triplet.
    @inline(__always)
    static func isDistance(_ difference: UInt32) -> Bool {
      difference &- 1 < UInt32(Limit.distance)
    }
  }
}

/// The eight bytes at `position`, the first in the lowest bits.
@inline(__always)
@unsafe func word(_ input: UnsafeRawPointer, _ position: Int) -> UInt64 {
  unsafe UInt64(littleEndian: input.loadUnaligned(fromByteOffset: position, as: UInt64.self))
}

/// The four bytes at `position`, the first in the lowest bits.
@inline(__always)
@unsafe func four(_ input: UnsafeRawPointer, _ position: Int) -> UInt32 {
  unsafe UInt32(littleEndian: input.loadUnaligned(fromByteOffset: position, as: UInt32.self))
}
