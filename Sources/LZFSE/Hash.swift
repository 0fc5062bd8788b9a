extension LZFSE {
  /// The four bytes at a position as the table knows them (multiplicative hashing).
  struct Hash {
    static let placeBits: UInt32 = 16
    /// Bits of an entry below the rest of the hash: enough for twice the largest distance.
    private static let positionBits: UInt32 = 19

    /// The place in the table.
    let place: Int
    /// What stands there: the position, to which the rest of the hash is added further up. No two
    /// numbers have the same product, so that four bytes with the same place and rest are nearly
    /// always the same.
    ///
    /// An entry less an earlier one is the distance between them if the rests are the same. If not, it
    /// is too large for one, or less than the distance: a candidate like any other.
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

    /// Whether the difference of two entries is a distance that a triplet can have.
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
