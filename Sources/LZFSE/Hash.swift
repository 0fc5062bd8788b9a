extension LZFSE {
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
