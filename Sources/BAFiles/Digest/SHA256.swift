import CBAProcessor

/// SHA-256 (FIPS 180-4): 32 bytes.
package struct SHA256: BlockDigest {
  package var pending = PendingBlock()
  private var state = State()

  package init() {}

  package var stateBytes: [UInt8] {
    let words = [state.a, state.b, state.c, state.d, state.e, state.f, state.g, state.h]
    return words.flatMap(bigEndianBytes)
  }

  package static func lengthField(_ bits: UInt64) -> [UInt8] { bigEndianBytes(bits) }

  package mutating func compress(_ blocks: RawSpan) {
    if hasInstructions { compressByInstructions(blocks) } else { compressBySoftware(blocks) }
  }

  private mutating func compressByInstructions(_ blocks: RawSpan) {
    // SAFETY: the state is eight consecutive words, and the span's size a multiple of 64.
    unsafe withUnsafeMutableBytes(of: &state) { state in
      unsafe blocks.withUnsafeBytes { blocks in
        unsafe processor_sha256(
          state.baseAddress?.assumingMemoryBound(to: UInt32.self), blocks.baseAddress,
          blocks.count / 64)
      }
    }
  }

  /// The portable version of ``compress(_:)``.
  ///
  /// Sixteen rounds are unrolled, so the schedule stays in registers and the eight variables are
  /// renamed instead of moved.
  package mutating func compressBySoftware(_ blocks: RawSpan) {
    var s = state
    for start in stride(from: 0, to: blocks.byteCount, by: 64) {
      let block = blocks.extracting(start..<start + 64)
      var w0 = UInt32(bigEndian: block.word(0))
      var w1 = UInt32(bigEndian: block.word(1))
      var w2 = UInt32(bigEndian: block.word(2))
      var w3 = UInt32(bigEndian: block.word(3))
      var w4 = UInt32(bigEndian: block.word(4))
      var w5 = UInt32(bigEndian: block.word(5))
      var w6 = UInt32(bigEndian: block.word(6))
      var w7 = UInt32(bigEndian: block.word(7))
      var w8 = UInt32(bigEndian: block.word(8))
      var w9 = UInt32(bigEndian: block.word(9))
      var w10 = UInt32(bigEndian: block.word(10))
      var w11 = UInt32(bigEndian: block.word(11))
      var w12 = UInt32(bigEndian: block.word(12))
      var w13 = UInt32(bigEndian: block.word(13))
      var w14 = UInt32(bigEndian: block.word(14))
      var w15 = UInt32(bigEndian: block.word(15))
      let before = s
      for i in stride(from: 0, to: 64, by: 16) {
        if i > 0 {
          w0 = schedule(w0, w1, w9, w14)
          w1 = schedule(w1, w2, w10, w15)
          w2 = schedule(w2, w3, w11, w0)
          w3 = schedule(w3, w4, w12, w1)
          w4 = schedule(w4, w5, w13, w2)
          w5 = schedule(w5, w6, w14, w3)
          w6 = schedule(w6, w7, w15, w4)
          w7 = schedule(w7, w8, w0, w5)
          w8 = schedule(w8, w9, w1, w6)
          w9 = schedule(w9, w10, w2, w7)
          w10 = schedule(w10, w11, w3, w8)
          w11 = schedule(w11, w12, w4, w9)
          w12 = schedule(w12, w13, w5, w10)
          w13 = schedule(w13, w14, w6, w11)
          w14 = schedule(w14, w15, w7, w12)
          w15 = schedule(w15, w0, w8, w13)
        }
        round(s.a, s.b, s.c, &s.d, s.e, s.f, s.g, &s.h, w0 &+ constants[i])
        round(s.h, s.a, s.b, &s.c, s.d, s.e, s.f, &s.g, w1 &+ constants[i + 1])
        round(s.g, s.h, s.a, &s.b, s.c, s.d, s.e, &s.f, w2 &+ constants[i + 2])
        round(s.f, s.g, s.h, &s.a, s.b, s.c, s.d, &s.e, w3 &+ constants[i + 3])
        round(s.e, s.f, s.g, &s.h, s.a, s.b, s.c, &s.d, w4 &+ constants[i + 4])
        round(s.d, s.e, s.f, &s.g, s.h, s.a, s.b, &s.c, w5 &+ constants[i + 5])
        round(s.c, s.d, s.e, &s.f, s.g, s.h, s.a, &s.b, w6 &+ constants[i + 6])
        round(s.b, s.c, s.d, &s.e, s.f, s.g, s.h, &s.a, w7 &+ constants[i + 7])
        round(s.a, s.b, s.c, &s.d, s.e, s.f, s.g, &s.h, w8 &+ constants[i + 8])
        round(s.h, s.a, s.b, &s.c, s.d, s.e, s.f, &s.g, w9 &+ constants[i + 9])
        round(s.g, s.h, s.a, &s.b, s.c, s.d, s.e, &s.f, w10 &+ constants[i + 10])
        round(s.f, s.g, s.h, &s.a, s.b, s.c, s.d, &s.e, w11 &+ constants[i + 11])
        round(s.e, s.f, s.g, &s.h, s.a, s.b, s.c, &s.d, w12 &+ constants[i + 12])
        round(s.d, s.e, s.f, &s.g, s.h, s.a, s.b, &s.c, w13 &+ constants[i + 13])
        round(s.c, s.d, s.e, &s.f, s.g, s.h, s.a, &s.b, w14 &+ constants[i + 14])
        round(s.b, s.c, s.d, &s.e, s.f, s.g, s.h, &s.a, w15 &+ constants[i + 15])
      }
      s.add(before)
    }
    state = s
  }
}

private let hasInstructions = processor_has_sha256() != 0

/// The state's eight words, named as in the standard.
private struct State {
  var a: UInt32 = 0x6a09_e667
  var b: UInt32 = 0xbb67_ae85
  var c: UInt32 = 0x3c6e_f372
  var d: UInt32 = 0xa54f_f53a
  var e: UInt32 = 0x510e_527f
  var f: UInt32 = 0x9b05_688c
  var g: UInt32 = 0x1f83_d9ab
  var h: UInt32 = 0x5be0_cd19

  mutating func add(_ other: State) {
    a &+= other.a
    b &+= other.b
    c &+= other.c
    d &+= other.d
    e &+= other.e
    f &+= other.f
    g &+= other.g
    h &+= other.h
  }
}

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
private let constants: [UInt32] = [
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
]

@inline(__always)
private func round(
  _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32,
  _ e: UInt32, _ f: UInt32, _ g: UInt32, _ h: inout UInt32, _ word: UInt32
) {
  let sum = h &+ word &+ (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) &+ (g ^ (e & (f ^ g)))
  d &+= sum
  h = sum &+ (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ ((a & b) | (c & (a | b)))
}

@inline(__always)
private func schedule(_ w0: UInt32, _ w1: UInt32, _ w9: UInt32, _ w14: UInt32) -> UInt32 {
  let low = rotated(w1, 7) ^ rotated(w1, 18) ^ (w1 &>> 3)
  let high = rotated(w14, 17) ^ rotated(w14, 19) ^ (w14 &>> 10)
  return w0 &+ low &+ w9 &+ high
}

@inline(__always)
private func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
  word &>> count | word &<< (32 &- count)
}

private func bigEndianBytes(_ number: some FixedWidthInteger) -> [UInt8] {
  stride(from: number.bitWidth - 8, through: 0, by: -8).map {
    UInt8(truncatingIfNeeded: number >> $0)
  }
}
