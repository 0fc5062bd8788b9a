extension LZFSE {
  /// Looks for repetitions in the input and hands them out as triplets.
  ///
  /// A table holds, for each hash of four bytes, the last position that has it: one candidate for
  /// each position, leaner than the rows of four that Apple's open encoder keeps. With the position
  /// goes the part of the four bytes that the hash leaves open: bytes that differ are not even
  /// loaded, which would mostly mean waiting for memory. The distance of the match before is a
  /// second candidate, cheap to code and so worthwhile from two bytes on. A short match waits for
  /// what the next position offers. Where nothing is found for long, the search takes longer and
  /// longer steps.
  struct MatchFinder: ~Copyable {
    static let hashBits: UInt32 = 16
    /// Behind the last position that is searched there are bytes to compare and copy in words.
    private static let margin = 80
    /// A match of this length is taken without a look at the next position.
    private static let patience = 32
    /// Every 256 bytes without a match make the step longer by one, up to 64.
    private static let stepShift = 8
    private static let longestStep = 64

    private let table: Memory<UInt32>
    private var position = 0
    /// The first byte that is not in a triplet yet.
    private var literals = 0
    private var distance = 1

    /// Something to repeat, and what it saves in quarters of a byte, roughly; 0 for nothing.
    private struct Candidate {
      var length = 0
      var distance = 0
      var gain = 0
    }

    init() throws(OutOfMemory) {
      table = try Memory(repeating: 0, count: 1 << Int(Self.hashBits))
    }

    /// Begins with another input.
    mutating func begin() {
      // The first byte has nothing to repeat. A distance of 1 is within reach from there on.
      (position, literals, distance) = (1, 0, 1)
      // The memory has as many elements.
      unsafe table.start.update(repeating: 0, count: table.count)
    }

    /// Fills a block with what follows in `raw`, the same input of at most 1 GiB since `begin`.
    mutating func find(_ raw: UnsafeRawBufferPointer, _ triplets: inout Triplets) {
      guard let input = raw.baseAddress else { return }
      // Bounds. All positions that are looked at or put into the table are below `limit`; a match
      // ends at most 7 bytes behind it, as words are compared as a whole; the literals before a
      // match are copied with up to 15 bytes more. So every access is before `limit + margin`, the
      // end. A candidate is not before the start, and neither is a position less the last distance.
      // Places have `hashBits` bits, as the table does.
      let limit = raw.count - Self.margin
      let table = unsafe self.table.start
      var position = self.position
      var literals = self.literals
      var distance = self.distance
      var anchor = literals
      while position < limit, !triplets.isFull {
        var match = unsafe Self.look(at: position, input, limit, table, distance)
        if match.length == 0 {
          position &+= min(
            Self.longestStep, 1 &+ (position &- anchor) &>> Self.stepShift)
          if position &- literals >= Triplets.longestLiterals - Self.longestStep {
            position = min(position, limit)
            unsafe triplets.append(
              input + literals, position &- literals, match: 0, distance: 0, wide: false)
            literals = position
          }
          continue
        }
        while match.length < Self.patience, position &+ 1 < limit {
          let next = unsafe Self.look(at: position &+ 1, input, limit, table, distance)
          guard next.gain > match.gain &+ 3 else { break }
          match = next
          position &+= 1
        }
        distance = match.distance
        let end = min(position &+ match.length, literals &+ Triplets.longestMatch)
        var start = position
        while start > literals, start > distance,
          unsafe input.load(fromByteOffset: start &- 1, as: UInt8.self)
            == input.load(fromByteOffset: start &- 1 &- distance, as: UInt8.self)
        { start &-= 1 }
        unsafe triplets.append(
          input + literals, start &- literals, match: end &- start, distance: distance, wide: true)
        // Every second position of the match is enough for later ones to find it.
        var inside = position &+ 2
        while inside < min(end, limit) {
          let hash = unsafe Hash(input, inside)
          unsafe table[hash.place] = hash.entry
          inside &+= 2
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

    /// Appends the literals behind the last match, as far as the block has room.
    private mutating func finish(
      _ input: UnsafeRawPointer, _ count: Int, _ triplets: inout Triplets
    ) {
      while literals < count, !triplets.isFull {
        let length = min(count - literals, Triplets.longestLiterals)
        unsafe triplets.append(input + literals, length, match: 0, distance: 0, wide: false)
        literals += length
      }
    }

    /// The best to repeat at `position`, which is put into the table.
    @inline(__always)
    private static func look(
      at position: Int, _ input: UnsafeRawPointer, _ limit: Int,
      _ table: UnsafeMutablePointer<UInt32>, _ last: Int
    ) -> Candidate {
      var best = Candidate()
      let hash = unsafe Hash(input, position)
      let found = unsafe table[hash.place]
      unsafe table[hash.place] = hash.entry
      let repeated = unsafe length(input, position, position &- last, limit)
      if repeated >= 2 { best = Candidate(length: repeated, distance: last, gain: 4 &* repeated) }
      guard let distance = hash.distance(to: found), distance <= min(position, Limit.distance)
      else { return best }
      let length = unsafe length(input, position, position &- distance, limit)
      let log2 =
        UInt32.bitWidth &- 1 &- UInt32(truncatingIfNeeded: distance).leadingZeroBitCount
      let gain = 4 &* length &- log2
      if length >= 4, best.length == 0 || gain > best.gain {
        best = Candidate(length: length, distance: distance, gain: gain)
      }
      return best
    }

    /// How many bytes are the same at two positions; up to 7 beyond `limit`.
    @inline(__always)
    private static func length(
      _ input: UnsafeRawPointer, _ position: Int, _ earlier: Int, _ limit: Int
    ) -> Int {
      var length = 0
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
}

/// The eight bytes at `position`, the first in the lowest bits.
@inline(__always)
private func word(_ input: UnsafeRawPointer, _ position: Int) -> UInt64 {
  UInt64(littleEndian: unsafe input.loadUnaligned(fromByteOffset: position, as: UInt64.self))
}

/// The four bytes at a position as the table knows them (multiplicative hashing).
private struct Hash {
  /// Bits of an entry for the position: enough for twice the largest distance.
  private static let positionBits: UInt32 = 19
  private static let positionMask: UInt32 = (1 << positionBits) - 1

  /// The place in the table.
  let place: Int
  /// What stands there: the position, and above it the rest of the hash. No two numbers have the
  /// same product, so that four bytes with the same place and rest are nearly always the same.
  let entry: UInt32

  @inline(__always)
  @unsafe init(_ input: UnsafeRawPointer, _ position: Int) {
    let bits = LZFSE.MatchFinder.hashBits
    let bytes = unsafe UInt32(
      littleEndian: input.loadUnaligned(fromByteOffset: position, as: UInt32.self))
    let product = bytes &* 2_654_435_761
    place = Int(truncatingIfNeeded: product &>> (32 &- bits))
    entry =
      (product &<< bits) & ~Self.positionMask
      | UInt32(truncatingIfNeeded: position) & Self.positionMask
  }

  /// The distance to the position in an earlier entry at this place; nil if the bytes there differ,
  /// or for this position itself. A position that is twice as far or more may look like a close one.
  @inline(__always)
  func distance(to found: UInt32) -> Int? {
    guard (found ^ entry) &>> Self.positionBits == 0 else { return nil }
    let distance = Int(truncatingIfNeeded: (entry &- found) & Self.positionMask)
    return distance == 0 ? nil : distance
  }
}
