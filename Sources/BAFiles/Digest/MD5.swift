/// MD5 (RFC 1321): 16 bytes. Detects accidental changes only; App Store Connect requires it for
/// uploads.
package struct MD5: BlockDigest {
  package var pending = PendingBlock()
  private var state = SIMD4<UInt32>(0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476)

  package init() {}

  package var stateBytes: [UInt8] { state.indices.flatMap { littleEndianBytes(state[$0]) } }

  package static func lengthField(_ bits: UInt64) -> [UInt8] { littleEndianBytes(bits) }

  package mutating func compress(_ blocks: RawSpan) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for start in stride(from: 0, to: blocks.byteCount, by: 64) {
      let block = blocks.extracting(start..<start + 64)
      let before = (a, b, c, d)
      // The variables change places after each step.
      @inline(__always) func step(_ mixed: UInt32, _ index: Int, word: Int, _ shift: UInt32) {
        // SAFETY: the block has 16 words. Checks of the offset would take 10 % longer.
        let word = unsafe block.unsafeLoadUnaligned(
          fromUncheckedByteOffset: 4 * (word & 15), as: UInt32.self)
        let sum = a &+ mixed &+ UInt32(littleEndian: word) &+ constants[index]
        (a, d, c) = (d, c, b)
        b = b &+ (sum &<< shift | sum &>> (32 &- shift))
      }
      for i in stride(from: 0, to: 16, by: 4) {
        step(d ^ (b & (c ^ d)), i, word: i, 7)
        step(d ^ (b & (c ^ d)), i + 1, word: i + 1, 12)
        step(d ^ (b & (c ^ d)), i + 2, word: i + 2, 17)
        step(d ^ (b & (c ^ d)), i + 3, word: i + 3, 22)
      }
      // The two terms have no bits in common, and only the second depends on the previous step.
      for i in stride(from: 16, to: 32, by: 4) {
        step((c & ~d) &+ (b & d), i, word: 5 * i + 1, 5)
        step((c & ~d) &+ (b & d), i + 1, word: 5 * i + 6, 9)
        step((c & ~d) &+ (b & d), i + 2, word: 5 * i + 11, 14)
        step((c & ~d) &+ (b & d), i + 3, word: 5 * i + 16, 20)
      }
      for i in stride(from: 32, to: 48, by: 4) {
        step(b ^ c ^ d, i, word: 3 * i + 5, 4)
        step(b ^ c ^ d, i + 1, word: 3 * i + 8, 11)
        step(b ^ c ^ d, i + 2, word: 3 * i + 11, 16)
        step(b ^ c ^ d, i + 3, word: 3 * i + 14, 23)
      }
      for i in stride(from: 48, to: 64, by: 4) {
        step(c ^ (b | ~d), i, word: 7 * i, 6)
        step(c ^ (b | ~d), i + 1, word: 7 * i + 7, 10)
        step(c ^ (b | ~d), i + 2, word: 7 * i + 14, 15)
        step(c ^ (b | ~d), i + 3, word: 7 * i + 21, 21)
      }
      (a, b, c, d) = (a &+ before.0, b &+ before.1, c &+ before.2, d &+ before.3)
    }
    state = SIMD4(a, b, c, d)
  }
}

/// The integer parts of 2^32 times the sines of 1 to 64.
private let constants: [UInt32] = [
  0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
  0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
  0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
  0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
  0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
  0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
  0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
  0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
]

private func littleEndianBytes(_ number: some FixedWidthInteger) -> [UInt8] {
  stride(from: 0, to: number.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: number >> $0) }
}
