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
  /// The next bits are always available, at least 56. Those that follow are loaded from an address
  /// that is known before the bits are decoded, so that a code's next step doesn't wait for memory.
  /// Beyond the start of the payload, bits are those of the bytes before it, which `checkEnd`
  /// detects.
  @safe struct DescendingBits {
    /// The next bits, from the highest one on.
    private var bits: UInt64
    /// The number of unread bits; negative if more were read than there are.
    private var unread: Int
    private let first: UnsafeRawPointer
    /// The offset of the payload in the stream.
    let start: Int

    /// The `range` must be within `input`, with at least 16 bytes before it.
    @inline(__always)
    @unsafe init(_ input: UnsafeRawPointer, _ range: Range<Int>, padding: Int) {
      start = range.lowerBound
      unsafe first = input + range.lowerBound
      unread = 8 &* range.count &- padding
      let word = unsafe (input + (range.upperBound - 8)).loadUnaligned(as: UInt64.self)
      bits = UInt64(littleEndian: word) &<< UInt64(truncatingIfNeeded: padding)
    }

    /// True if no more bits were read than there are, so that more may be read and dropped.
    var isValid: Bool { @inline(__always) get { unread >= 0 } }

    /// The bits before the first `end` ones, in the lowest bits; others above them.
    @inline(__always)
    func rotated(_ end: UInt64) -> UInt32 {
      UInt32(truncatingIfNeeded: (bits &<< end) | (bits &>> (0 &- end)))
    }

    /// Consumes `length` bits, at most 56, of a valid reader.
    @inline(__always)
    @unsafe mutating func drop(_ length: UInt64) {
      // 8 bytes that begin with whole bytes after 56 to 63 of the unread bits, down to at most 15
      // bytes before the payload. Bits that are there already are combined with the same bits.
      let word = unsafe (first + ((unread &>> 3) &- 15)).loadUnaligned(as: UInt64.self)
      let offset = UInt64(truncatingIfNeeded: unread) & 7 | 56
      bits = (bits &<< length) | (UInt64(littleEndian: word) &>> (offset &- length))
      unread &-= Int(truncatingIfNeeded: length)
    }

    /// The offset in the stream of the byte being read.
    var position: Int { start + max(0, unread) / 8 }

    /// Throws unless exactly the first `lead` bits of the payload are left.
    @inline(__always)
    func checkEnd(at lead: Int) throws(Damage) {
      guard unread != lead else { return }
      throw Damage(unread < lead ? .bitsRunOut : .finalState, at: position)
    }
  }
}
