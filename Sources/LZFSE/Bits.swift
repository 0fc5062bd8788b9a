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
    mutating func put(_ value: UInt32, _ length: UInt32) {
      bits |= UInt64(value) &<< count
      count &+= UInt64(length)
    }

    /// Appends the bits that `state` gives away for a symbol: at most 10, for each number of which
    /// there is one of `masks`.
    /// - Returns: the state that follows.
    @inline(__always)
    @unsafe mutating func put(
      _ state: UInt32, _ transition: UnsafePointer<Transition>, _ masks: UnsafePointer<UInt32>
    ) -> UInt32 {
      let length = unsafe (state &+ transition.pointee.bits) &>> 16
      unsafe bits |= UInt64(state & masks[Int(length)]) &<< count
      count &+= UInt64(length)
      return unsafe (state &>> length) &+ transition.pointee.next
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

extension LZFSE {
  /// Reads the bits of a payload from its end down to its beginning, as FSE codes are read.
  ///
  /// The next unread bit is the highest of `bits`. `refill` leaves at least 56 bits to read; behind
  /// the beginning of the payload these are whatever lies before it, and `checkEnd` finds out.
  @safe struct DescendingBits {
    private var bits: UInt64 = 0
    private var count: UInt64 = 0
    /// The bytes from here on are in `bits` already, or were.
    private var cursor: UnsafeRawPointer
    private let first: UnsafeRawPointer
    /// Where the payload begins in the stream.
    let start: Int

    /// The `range` must be inside `input` and have 16 bytes before it there.
    @inline(__always)
    @unsafe init(_ input: UnsafeRawPointer, _ range: Range<Int>, padding: Int) {
      start = range.lowerBound
      unsafe first = input + range.lowerBound
      unsafe cursor = input + range.upperBound
      // With nothing read yet, a refill is always possible.
      _ = unsafe refill()
      drop(UInt64(truncatingIfNeeded: padding))
    }

    /// False when the payload has run out long ago and nothing more may be loaded.
    @inline(__always)
    @unsafe mutating func refill() -> Bool {
      // The load begins 8 bytes below the cursor, so at most 16 below the payload. A valid code has
      // at most 63 bits waiting and has not read beyond the payload: it is never turned away.
      guard unsafe cursor >= first - 8 else { return false }
      let word = unsafe (cursor - 8).loadUnaligned(as: UInt64.self)
      // Bits that are there already are met by the same bits. Whole bytes are counted as taken.
      bits |= UInt64(littleEndian: word) &>> count
      unsafe cursor = cursor - 7 + Int(truncatingIfNeeded: count &>> 3)
      count |= 56
      return true
    }

    /// The bits before the first `end` bits that are next, as far as `mask` goes.
    @inline(__always)
    func next(_ end: UInt64, _ mask: UInt32) -> Int {
      let bits = (bits &<< end) | (bits &>> (0 &- end))
      return Int(truncatingIfNeeded: UInt32(truncatingIfNeeded: bits) & mask)
    }

    /// Goes on by `length` bits: fewer than 64, and no more than are there.
    @inline(__always)
    mutating func drop(_ length: UInt64) {
      bits &<<= length
      count &-= length
    }

    /// The offset in the stream of the byte that is being read.
    var position: Int { start + max(0, remaining) / 8 }

    /// Bits of the payload not yet read; negative when more were read than it has.
    private var remaining: Int { unsafe 8 * (cursor - first) + Int(count) }

    /// Nothing but the first `lead` bits of the payload may be left, and no more have been read.
    @inline(__always)
    func checkEnd(at lead: Int) throws(Damage) {
      guard remaining != lead else { return }
      throw Damage(remaining < lead ? .bitsRunOut : .finalState, at: position)
    }
  }
}
