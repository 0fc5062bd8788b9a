extension LZFSE {
  /// Writes bits from the lowest of the first byte upwards.
  @safe struct AscendingBits {
    /// Where the next whole byte goes.
    private(set) var target: UnsafeMutablePointer<UInt8>
    private var bits: UInt64 = 0
    private var count: UInt64 = 0

    /// Writes from `target` on, where there must be 8 bytes more than are written.
    @unsafe init(_ target: UnsafeMutablePointer<UInt8>) { unsafe self.target = target }

    /// Appends the lowest `length` bits of `value`, which has no others.
    @inline(__always)
    mutating func put(_ value: UInt16, _ length: UInt8) {
      bits |= UInt64(value) &<< count
      count &+= UInt64(length)
    }

    /// Appends the bits that `state` gives away for a symbol.
    /// - Returns: the state that follows.
    @inline(__always)
    mutating func put(_ state: UInt32, _ transition: Transition) -> UInt32 {
      let length = (state &+ transition.bits) >> 16
      bits |= UInt64(state & ((1 &<< length) &- 1)) &<< count
      count &+= UInt64(length)
      return (state &>> length) &+ transition.next
    }

    /// Stores whole bytes, which must be fewer than 8: at most 63 bits may wait, 7 remain.
    @inline(__always)
    @unsafe mutating func flush() {
      unsafe UnsafeMutableRawPointer(target).storeBytes(of: bits.littleEndian, as: UInt64.self)
      unsafe target += Int(count &>> 3)
      bits &>>= count & 56
      count &= 7
    }

    /// Stores the last byte.
    /// - Returns: how many of its bits are padding.
    @unsafe mutating func finish() -> Int {
      unsafe flush()
      guard count > 0 else { return 0 }
      unsafe target += 1
      return Int(8 - count)
    }
  }
}
