/// MD5 (RFC 1321): 16 bytes. Detects accidental changes only; App Store Connect requires it for
/// uploads.
package struct MD5: BlockDigest {
  /// The bytes of an incomplete block.
  package var pending = PendingBlock()
  private var state = State()

  /// The initial state.
  package init() {}

  /// The four words of the state, in little-endian order.
  package var stateBytes: [UInt8] {
    [state.a, state.b, state.c, state.d].flatMap(littleEndianBytes)
  }

  package static func lengthField(_ bits: UInt64) -> [UInt8] { littleEndianBytes(bits) }

  /// The rounds are unrolled, so that words and variables stay in registers.
  package mutating func compress(_ blocks: RawSpan) {
    var s = state
    for start in stride(from: 0, to: blocks.byteCount, by: 64) {
      let block = blocks.extracting(start..<start + 64)
      let w0 = UInt32(littleEndian: block.word(0))
      let w1 = UInt32(littleEndian: block.word(1))
      let w2 = UInt32(littleEndian: block.word(2))
      let w3 = UInt32(littleEndian: block.word(3))
      let w4 = UInt32(littleEndian: block.word(4))
      let w5 = UInt32(littleEndian: block.word(5))
      let w6 = UInt32(littleEndian: block.word(6))
      let w7 = UInt32(littleEndian: block.word(7))
      let w8 = UInt32(littleEndian: block.word(8))
      let w9 = UInt32(littleEndian: block.word(9))
      let w10 = UInt32(littleEndian: block.word(10))
      let w11 = UInt32(littleEndian: block.word(11))
      let w12 = UInt32(littleEndian: block.word(12))
      let w13 = UInt32(littleEndian: block.word(13))
      let w14 = UInt32(littleEndian: block.word(14))
      let w15 = UInt32(littleEndian: block.word(15))
      let before = s
      first(&s.a, s.b, s.c, s.d, w0 &+ 0xd76aa478, 7)
      first(&s.d, s.a, s.b, s.c, w1 &+ 0xe8c7b756, 12)
      first(&s.c, s.d, s.a, s.b, w2 &+ 0x242070db, 17)
      first(&s.b, s.c, s.d, s.a, w3 &+ 0xc1bdceee, 22)
      first(&s.a, s.b, s.c, s.d, w4 &+ 0xf57c0faf, 7)
      first(&s.d, s.a, s.b, s.c, w5 &+ 0x4787c62a, 12)
      first(&s.c, s.d, s.a, s.b, w6 &+ 0xa8304613, 17)
      first(&s.b, s.c, s.d, s.a, w7 &+ 0xfd469501, 22)
      first(&s.a, s.b, s.c, s.d, w8 &+ 0x698098d8, 7)
      first(&s.d, s.a, s.b, s.c, w9 &+ 0x8b44f7af, 12)
      first(&s.c, s.d, s.a, s.b, w10 &+ 0xffff5bb1, 17)
      first(&s.b, s.c, s.d, s.a, w11 &+ 0x895cd7be, 22)
      first(&s.a, s.b, s.c, s.d, w12 &+ 0x6b901122, 7)
      first(&s.d, s.a, s.b, s.c, w13 &+ 0xfd987193, 12)
      first(&s.c, s.d, s.a, s.b, w14 &+ 0xa679438e, 17)
      first(&s.b, s.c, s.d, s.a, w15 &+ 0x49b40821, 22)
      second(&s.a, s.b, s.c, s.d, w1 &+ 0xf61e2562, 5)
      second(&s.d, s.a, s.b, s.c, w6 &+ 0xc040b340, 9)
      second(&s.c, s.d, s.a, s.b, w11 &+ 0x265e5a51, 14)
      second(&s.b, s.c, s.d, s.a, w0 &+ 0xe9b6c7aa, 20)
      second(&s.a, s.b, s.c, s.d, w5 &+ 0xd62f105d, 5)
      second(&s.d, s.a, s.b, s.c, w10 &+ 0x02441453, 9)
      second(&s.c, s.d, s.a, s.b, w15 &+ 0xd8a1e681, 14)
      second(&s.b, s.c, s.d, s.a, w4 &+ 0xe7d3fbc8, 20)
      second(&s.a, s.b, s.c, s.d, w9 &+ 0x21e1cde6, 5)
      second(&s.d, s.a, s.b, s.c, w14 &+ 0xc33707d6, 9)
      second(&s.c, s.d, s.a, s.b, w3 &+ 0xf4d50d87, 14)
      second(&s.b, s.c, s.d, s.a, w8 &+ 0x455a14ed, 20)
      second(&s.a, s.b, s.c, s.d, w13 &+ 0xa9e3e905, 5)
      second(&s.d, s.a, s.b, s.c, w2 &+ 0xfcefa3f8, 9)
      second(&s.c, s.d, s.a, s.b, w7 &+ 0x676f02d9, 14)
      second(&s.b, s.c, s.d, s.a, w12 &+ 0x8d2a4c8a, 20)
      third(&s.a, s.b, s.c, s.d, w5 &+ 0xfffa3942, 4)
      third(&s.d, s.a, s.b, s.c, w8 &+ 0x8771f681, 11)
      third(&s.c, s.d, s.a, s.b, w11 &+ 0x6d9d6122, 16)
      third(&s.b, s.c, s.d, s.a, w14 &+ 0xfde5380c, 23)
      third(&s.a, s.b, s.c, s.d, w1 &+ 0xa4beea44, 4)
      third(&s.d, s.a, s.b, s.c, w4 &+ 0x4bdecfa9, 11)
      third(&s.c, s.d, s.a, s.b, w7 &+ 0xf6bb4b60, 16)
      third(&s.b, s.c, s.d, s.a, w10 &+ 0xbebfbc70, 23)
      third(&s.a, s.b, s.c, s.d, w13 &+ 0x289b7ec6, 4)
      third(&s.d, s.a, s.b, s.c, w0 &+ 0xeaa127fa, 11)
      third(&s.c, s.d, s.a, s.b, w3 &+ 0xd4ef3085, 16)
      third(&s.b, s.c, s.d, s.a, w6 &+ 0x04881d05, 23)
      third(&s.a, s.b, s.c, s.d, w9 &+ 0xd9d4d039, 4)
      third(&s.d, s.a, s.b, s.c, w12 &+ 0xe6db99e5, 11)
      third(&s.c, s.d, s.a, s.b, w15 &+ 0x1fa27cf8, 16)
      third(&s.b, s.c, s.d, s.a, w2 &+ 0xc4ac5665, 23)
      fourth(&s.a, s.b, s.c, s.d, w0 &+ 0xf4292244, 6)
      fourth(&s.d, s.a, s.b, s.c, w7 &+ 0x432aff97, 10)
      fourth(&s.c, s.d, s.a, s.b, w14 &+ 0xab9423a7, 15)
      fourth(&s.b, s.c, s.d, s.a, w5 &+ 0xfc93a039, 21)
      fourth(&s.a, s.b, s.c, s.d, w12 &+ 0x655b59c3, 6)
      fourth(&s.d, s.a, s.b, s.c, w3 &+ 0x8f0ccc92, 10)
      fourth(&s.c, s.d, s.a, s.b, w10 &+ 0xffeff47d, 15)
      fourth(&s.b, s.c, s.d, s.a, w1 &+ 0x85845dd1, 21)
      fourth(&s.a, s.b, s.c, s.d, w8 &+ 0x6fa87e4f, 6)
      fourth(&s.d, s.a, s.b, s.c, w15 &+ 0xfe2ce6e0, 10)
      fourth(&s.c, s.d, s.a, s.b, w6 &+ 0xa3014314, 15)
      fourth(&s.b, s.c, s.d, s.a, w13 &+ 0x4e0811a1, 21)
      fourth(&s.a, s.b, s.c, s.d, w4 &+ 0xf7537e82, 6)
      fourth(&s.d, s.a, s.b, s.c, w11 &+ 0xbd3af235, 10)
      fourth(&s.c, s.d, s.a, s.b, w2 &+ 0x2ad7d2bb, 15)
      fourth(&s.b, s.c, s.d, s.a, w9 &+ 0xeb86d391, 21)
      s.add(before)
    }
    state = s
  }
}

/// The state's four words, named as in the RFC.
private struct State {
  var a: UInt32 = 0x6745_2301
  var b: UInt32 = 0xefcd_ab89
  var c: UInt32 = 0x98ba_dcfe
  var d: UInt32 = 0x1032_5476

  package mutating func add(_ other: State) {
    a &+= other.a
    b &+= other.b
    c &+= other.c
    d &+= other.d
  }
}

@inline(__always)
private func first(
  _ a: inout UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32, _ word: UInt32, _ shift: UInt32
) {
  step(&a, b, (d ^ (b & (c ^ d))) &+ word, shift)
}

@inline(__always)
private func second(
  _ a: inout UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32, _ word: UInt32, _ shift: UInt32
) {
  // The two terms have no bits in common, and only the second depends on the previous step.
  step(&a, b, (c & ~d) &+ word &+ (b & d), shift)
}

@inline(__always)
private func third(
  _ a: inout UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32, _ word: UInt32, _ shift: UInt32
) {
  step(&a, b, (b ^ c ^ d) &+ word, shift)
}

@inline(__always)
private func fourth(
  _ a: inout UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32, _ word: UInt32, _ shift: UInt32
) {
  step(&a, b, (c ^ (b | ~d)) &+ word, shift)
}

@inline(__always)
private func step(_ a: inout UInt32, _ b: UInt32, _ mixed: UInt32, _ shift: UInt32) {
  let sum = a &+ mixed
  a = b &+ (sum &<< shift | sum &>> (32 &- shift))
}

private func littleEndianBytes(_ number: some FixedWidthInteger) -> [UInt8] {
  stride(from: 0, to: number.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: number >> $0) }
}
