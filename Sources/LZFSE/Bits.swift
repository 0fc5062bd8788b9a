extension LZFSE {
  /// Writes bits, starting with the lowest bit of the first byte.
  @safe struct AscendingBits {
    /// The address of the next whole byte.
    private(set) var target: UnsafeMutablePointer<UInt8>
    private var bits: UInt64 = 0
    private var count: UInt64 = 0

    /// Writes to `target`, where there must be room for 8 bytes more than are written.
    @unsafe init(_ target: UnsafeMutablePointer<UInt8>) { unsafe self.target = target }

    /// Appends the lowest `length` bits of `value`, whose other bits must be 0.
    @inline(__always)
    mutating func put(_ value: UInt32, _ length: UInt32) {
      bits |= UInt64(value) &<< count
      count &+= UInt64(length)
    }

    /// Appends the bits that `state` emits for a symbol, at most 10. `masks` has an element for
    /// each number of bits.
    /// - Returns: The next state.
    @inline(__always)
    @unsafe mutating func put(
      _ state: UInt32, _ transition: UnsafePointer<Transition>, _ masks: UnsafePointer<UInt32>
    ) -> UInt32 {
      let length = unsafe (state &+ transition.pointee.bits) &>> 16
      unsafe bits |= UInt64(state & masks[Int(length)]) &<< count
      count &+= UInt64(length)
      return unsafe (state &>> length) &+ transition.pointee.next
    }

    /// Stores whole bytes, of which there must be fewer than 8: at most 63 bits may be pending, and
    /// 7 remain.
    @inline(__always)
    @unsafe mutating func flush() {
      unsafe UnsafeMutableRawPointer(target).storeBytes(of: bits.littleEndian, as: UInt64.self)
      unsafe target += Int(count &>> 3)
      bits &>>= count & 56
      count &= 7
    }

    /// Stores the last byte.
    /// - Returns: the number of padding bits in it.
    @unsafe mutating func finish() -> Int {
      unsafe flush()
      guard count > 0 else { return 0 }
      unsafe target += 1
      return Int(8 - count)
    }
  }
}

extension LZFSE {
  /// Reads the bits of a payload from its end to its start, in the order of FSE codes.
  ///
  /// The next unread bit is the highest one of `bits`. `refill` makes at least 56 bits available;
  /// beyond the start of the payload, these are the bytes before it, which `checkEnd` detects.
  @safe struct DescendingBits {
    private var bits: UInt64 = 0
    private var count: UInt64 = 0
    /// The bytes from here on were loaded into `bits`.
    private var cursor: UnsafeRawPointer
    private let first: UnsafeRawPointer
    /// The offset of the payload in the stream.
    let start: Int

    /// The `range` must be within `input`, with at least 16 bytes before it.
    @inline(__always)
    @unsafe init(_ input: UnsafeRawPointer, _ range: Range<Int>, padding: Int) {
      start = range.lowerBound
      unsafe first = input + range.lowerBound
      unsafe cursor = input + range.upperBound
      // The first refill never fails.
      _ = unsafe refill()
      drop(UInt64(truncatingIfNeeded: padding))
    }

    /// False if the payload was exhausted before and no more may be loaded.
    @inline(__always)
    @unsafe mutating func refill() -> Bool {
      // Loads from 8 bytes below the cursor, so at most 16 below the payload. A valid code has at
      // most 63 pending bits and has not read beyond the payload, so this never fails for it.
      guard unsafe cursor >= first - 8 else { return false }
      let word = unsafe (cursor - 8).loadUnaligned(as: UInt64.self)
      // Bits that are already there are combined with the same bits. Only whole bytes are consumed.
      bits |= UInt64(littleEndian: word) &>> count
      unsafe cursor = cursor - 7 + Int(truncatingIfNeeded: count &>> 3)
      count |= 56
      return true
    }

    /// The next `end` bits, up to `mask`.
    @inline(__always)
    func next(_ end: UInt64, _ mask: UInt32) -> Int {
      let bits = (bits &<< end) | (bits &>> (0 &- end))
      return Int(truncatingIfNeeded: UInt32(truncatingIfNeeded: bits) & mask)
    }

    /// Consumes `length` bits: fewer than 64, and no more than are available.
    @inline(__always)
    mutating func drop(_ length: UInt64) {
      bits &<<= length
      count &-= length
    }

    /// The offset in the stream of the byte being read.
    var position: Int { start + max(0, remaining) / 8 }

    /// The number of unread bits; negative if more were read than there are.
    private var remaining: Int { unsafe 8 * (cursor - first) + Int(count) }

    /// Throws unless exactly the first `lead` bits of the payload are left.
    @inline(__always)
    func checkEnd(at lead: Int) throws(Damage) {
      guard remaining != lead else { return }
      throw Damage(remaining < lead ? .bitsRunOut : .finalState, at: position)
    }
  }
}
