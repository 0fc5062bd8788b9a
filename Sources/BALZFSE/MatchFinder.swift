extension LZFSE {
  /// Finds repetitions in the input and outputs triplets.
  ///
  /// A table contains the last position for each hash of four bytes: one candidate for each
  /// position, which is faster than the rows of four in Apple's open-source encoder. Where that
  /// saves much, earlier positions are candidates, too, if the effort says so. Stored with
  /// the position is the part of the four bytes that the hash doesn't determine, so that most
  /// mismatches are detected without loading the earlier bytes, a likely cache miss. The previous
  /// distance is a second candidate, which is cheap to encode and so worthwhile from two bytes on.
  /// A short match is compared with one at the next position. The longer nothing is found, the
  /// larger the steps of the search.
  struct MatchFinder<Effort: SearchEffort>: ~Copyable {
    /// The number of bytes after the last searched position, for comparing and copying words.
    private static var margin: Int { 80 }
    /// Every 256 bytes without a match increase the step by one, up to 64.
    private static var stepShift: Int { 8 }
    private static var longestStep: Int { 64 }

    private let table: Memory<UInt32>
    /// For each of the last positions, the entry that was in its place in the table before: the
    /// next older one with the same hash.
    private let chain: Memory<UInt32>
    /// The price of a literal in eighths of a bit.
    private var literalPrice = 0
    private var position = 0
    /// The offset of the first byte that isn't in a triplet yet.
    private var literals = 0
    private var distance = 1
    /// Whether the last block shrank so much that a long search may pay in the next.
    private var shrinks = true
    /// The number of trials that may still fail, of anything but text.
    private var trials = 2
    /// Whether the chain has all places of this input, or was cleared.
    private var isChained = true

    /// The number of bytes at the start of a block after which it's decided how to search.
    private static var trial: Int { 1 << 12 }
    /// The number of positions in the chain: half the largest distance, since twice as many leave less
    /// room in the caches, take up to a tenth of the time of a game, and save 0.1 %.
    private static var chained: Int { 1 << 17 }

    /// A possible match, and roughly what it saves in eighths of a bit; and how much less that would
    /// be without a long search.
    private struct Candidate {
      var length = 0
      var distance = 0
      var gain = 0
      var deeper = 0
    }

    init() throws(Damage) {
      let table = try Memory<UInt32>(repeating: 0, count: 1 << Int(Effort.placeBits))
      let chain = try Memory<UInt32>(repeating: 0, count: Effort.depth > 1 ? Self.chained : 0)
      self.table = table
      self.chain = chain
    }

    /// Starts a new input.
    mutating func begin() {
      // The first byte can't match anything. A distance of 1 is valid from there on.
      (position, literals, distance, literalPrice) = (1, 0, 1, Effort.literalPrice)
      (shrinks, isChained, trials) = (true, true, 2)
      // The memory has this number of elements.
      unsafe table.start.update(repeating: 0, count: table.count)
      // Where chains of this input end. Other places are set before they are reached, or cleared.
      if Effort.depth > 1 { unsafe chain.start[0] = 0 }
    }

    /// Whether a long search pays that makes matches cheaper by `saved`, in eighths of a bit, in
    /// `count` bytes, which become `size`. For textures and models it would take too much time.
    private static func pays(_ saved: Int, _ size: Int, _ count: Int, isText: Bool) -> Bool {
      6 * size < count || (isText ? 2 : 16) * size < saved
    }

    /// Whether few bytes at the start are control characters.
    private static func isText(_ input: UnsafeRawBufferPointer) -> Bool {
      let part = unsafe input.prefix(trial)
      return unsafe part.reduce(0) { $0 &+ ($1 &- 14 < 18 || $1 < 9 ? 1 : 0) } < part.count / 16
    }

    /// Adapts the search to the last block: to the price of its literals, because a short match
    /// doesn't pay where they are cheap, as in text.
    mutating func adapt(to block: FSEHeader, size: Int) {
      shrinks = 5 * size < 2 * block.rawSize
      guard block.literals > 0 else { return }
      // A little less than the mean of noise is best there.
      literalPrice = min(52, max(8, 64 * block.literalPayload / block.literals))
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
      let price = literalPrice
      // A block begins with the long search where it may pay, and soon decides whether to go on
      // with it.
      let isText = unsafe Self.isText(.init(rebasing: raw.dropFirst(self.position)))
      var chains = Effort.depth > 1 && (isText || shrinks && trials > 0)
      if chains, !isChained { unsafe chain.start.update(repeating: 0, count: chain.count) }
      isChained = chains
      var depth = chains ? Effort.depth : 1
      var decision = depth > 1 ? self.position &+ Self.trial : Int.max
      var saved = 0
      var position = self.position
      var literals = self.literals
      var distance = self.distance
      var anchor = literals
      while position < limit, !triplets.isFull {
        // Searches until the step increases or there are too many literals.
        let step = min(Self.longestStep, 1 &+ ((position &- anchor) &>> Self.stepShift))
        let stop = min(
          limit, max(position &+ 1, anchor &+ (step &<< Self.stepShift)),
          literals &+ (Triplets.longestLiterals &- Self.longestStep))
        let earlier = unsafe input - distance
        var offered: UInt32
        repeat {
          let bytes = unsafe four(input, position)
          offered = add(Hash(bytes, position, Effort.placeBits), position, chains)
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
        var match = unsafe best(at: position, input, limit, offered, distance, price, depth)
        if match.gain <= 0 {
          position &+= 1
          continue
        }
        var added = position
        let patience = depth > 1 ? 2 &* Effort.patience : Effort.patience
        while match.length < patience, position &+ 1 < limit {
          added = position &+ 1
          let offered = unsafe add(
            Hash(four(input, added), added, Effort.placeBits), added, chains)
          let next = unsafe best(
            at: added, input, limit, offered, distance, price,
            match.length < 16 ? depth : min(2, depth))
          guard next.gain > match.gain &+ Effort.advantage else { break }
          match = next
          position = added
        }
        distance = match.distance
        saved &+= match.deeper
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
        // Adding some positions of the match is enough for later ones to find it, if the search is
        // fast; an odd step covers all alignments. None is added twice: that would end its chain.
        var inside = max(added &+ 1, position &+ Effort.firstInside)
        while inside < min(end, limit) {
          _ = unsafe add(Hash(four(input, inside), inside, Effort.placeBits), inside, chains)
          inside &+= Effort.stepInside
        }
        if end >= decision {
          decision = Int.max
          // 24 bits for a triplet.
          let size = triplets.count &* 3 &+ (triplets.literalCount &* price) / 64
          if !Self.pays(saved, size, end &- self.position, isText: isText) {
            depth = 1
            trials -= 1
            chains = isText || trials > 0
            isChained = chains
          }
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

    /// Adds a position to the table; returns the difference of its entry and the one before.
    @inline(__always)
    private func add(_ hash: Hash, _ position: Int, _ chains: Bool) -> UInt32 {
      // Each place is an index of the table.
      let last = unsafe table.start[hash.place]
      unsafe table.start[hash.place] = hash.entry
      if chains { unsafe chain.start[position & (Self.chained &- 1)] = last }
      return hash.entry &- last
    }

    /// The best match at `position`: at the distance that the table offered, if valid, at one of
    /// `depth` - 1 earlier ones, or at the last one. Avoids branches, which would often be
    /// mispredicted.
    @inline(__always)
    private func best(
      at position: Int, _ input: UnsafeRawPointer, _ limit: Int, _ offered: UInt32, _ last: Int,
      _ price: Int, _ depth: Int
    ) -> Candidate {
      let distance = Hash.isDistance(offered) ? Int(truncatingIfNeeded: offered) : last
      let first = unsafe word(input, position)
      let second = unsafe word(input, position &+ 8)
      var length = unsafe Self.same(
        first ^ word(input, position &- distance), second ^ word(input, position &+ 8 &- distance))
      var repeated = unsafe Self.same(
        first ^ word(input, position &- last), second ^ word(input, position &+ 8 &- last))
      if max(length, repeated) == 16 {
        if length == 16 {
          length = unsafe Self.length(input, position, position &- distance, limit)
        }
        if repeated == 16 {
          repeated = unsafe Self.length(input, position, position &- last, limit)
        }
      }
      let gain = length < 4 ? 0 : gain(length, distance, price)
      let repeatedGain = repeated < 2 ? 0 : price &* repeated &- Effort.repeatPrice
      let best =
        gain > repeatedGain
        ? Candidate(length: length, distance: distance, gain: gain)
        : Candidate(length: repeated, distance: last, gain: repeatedGain)
      guard depth > 1, best.length < 4 &* Effort.patience else { return best }
      return unsafe deeper(at: position, input, limit, offered, price, depth, best)
    }

    /// The best match at `position` among `best` and earlier ones. Not inlined, as it would slow down
    /// the search without it.
    @inline(never)
    private func deeper(
      at position: Int, _ input: UnsafeRawPointer, _ limit: Int, _ offered: UInt32, _ price: Int,
      _ depth: Int, _ best: Candidate
    ) -> Candidate {
      var best = best
      let first = unsafe word(input, position)
      let second = unsafe word(input, position &+ 8)
      let shallow = max(0, best.gain)
      let entry = unsafe Hash(four(input, position), position, Effort.placeBits).entry
      var earlier = entry &- offered
      var age = Hash.age(offered)
      for _ in 1..<depth {
        earlier = unsafe chain.start[Int(earlier) & (Self.chained &- 1)]
        // A chain goes back, until its place is a newer position's or it is too far away.
        let before = age
        age = Hash.age(entry &- earlier)
        guard age > before, age <= Limit.distance else { break }
        // SAFETY: as for the table, see `Hash.entry`.
        guard Hash.isDistance(entry &- earlier) else { continue }
        let distance = Int(entry &- earlier)
        // Only a longer match can be better.
        let last = position &+ max(best.length, 3) &- 3
        guard unsafe four(input, last) == four(input, last &- distance) else { continue }
        var length = unsafe Self.same(
          first ^ word(input, position &- distance),
          second ^ word(input, position &+ 8 &- distance))
        if length == 16 {
          length = unsafe Self.length(input, position, position &- distance, limit)
        }
        guard length >= 4 else { continue }
        let gain = self.gain(length, distance, price)
        if gain > best.gain {
          best = Candidate(
            length: length, distance: distance, gain: gain, deeper: gain &- shallow)
        }
      }
      return best
    }

    @inline(__always)
    private func gain(_ length: Int, _ distance: Int, _ price: Int) -> Int {
      let log2 =
        UInt32.bitWidth &- 1 &- UInt32(truncatingIfNeeded: distance).leadingZeroBitCount
      return price &* length &- 8 &* log2 &- Effort.matchPrice
    }

    /// The number of equal bytes, up to 16, from the XOR of two pairs of words.
    @inline(__always)
    private static func same(_ first: UInt64, _ second: UInt64) -> Int {
      let more = second.trailingZeroBitCount &>> 3
      return (first.trailingZeroBitCount &>> 3) &+ (first == 0 ? more : 0)
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
          return length &+ (difference.trailingZeroBitCount &>> 3)
        }
        length &+= 8
      }
      return length
    }
  }

  /// The four bytes at a position as stored in the table (multiplicative hashing).
  struct Hash {
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
    init(_ bytes: UInt32, _ position: Int, _ placeBits: UInt32) {
      let product = bytes &* 2_654_435_761
      place = Int(truncatingIfNeeded: product &>> (32 &- placeBits))
      entry = (product &<< Self.positionBits) &+ UInt32(truncatingIfNeeded: position)
    }

    /// The distance of two entries from their difference, whatever their rests are, modulo its limit.
    @inline(__always)
    static func age(_ difference: UInt32) -> UInt32 { difference & ((1 &<< positionBits) &- 1) }

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

extension LZFSE {
  /// How a match finder searches. Prices are in eighths of a bit, and those of matches without the
  /// logarithm of the distance.
  protocol SearchEffort {
    /// The binary logarithm of the size of the table.
    static var placeBits: UInt32 { get }
    /// A match of this length is used without trying the next position.
    static var patience: Int { get }
    /// The first position inside a match that is added to the table, and the distance of the next.
    static var firstInside: Int { get }
    static var stepInside: Int { get }
    /// At the start of an input.
    static var literalPrice: Int { get }
    static var matchPrice: Int { get }
    static var repeatPrice: Int { get }
    /// What a match at the next position must save more.
    static var advantage: Int { get }
    /// The number of candidates where much is found.
    static var depth: Int { get }
  }

  enum FastSearch: SearchEffort {
    static var placeBits: UInt32 { 16 }
    static var patience: Int { 10 }
    static var firstInside: Int { 3 }
    static var stepInside: Int { 5 }
    static var literalPrice: Int { 32 }
    static var matchPrice: Int { 0 }
    static var repeatPrice: Int { 0 }
    static var advantage: Int { 24 }
    static var depth: Int { 1 }
  }

  enum BetterSearch: SearchEffort {
    static var placeBits: UInt32 { 17 }
    static var patience: Int { 24 }
    static var firstInside: Int { 1 }
    static var stepInside: Int { 1 }
    static var literalPrice: Int { 40 }
    static var matchPrice: Int { 64 }
    static var repeatPrice: Int { 64 }
    static var advantage: Int { 8 }
    static var depth: Int { 8 }
  }
}
