// Instructions that Swift can't express: SHA-256 on x86-64 and ARM.

#include <stddef.h>
#include <stdint.h>

// The constants of FIPS 180-4.
static const uint32_t processor_sha256_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

static inline int processor_has_sha256(void) {
  unsigned a, b, c, d;
  const unsigned needed = bit_SSSE3 | bit_SSE4_1;
  if (!__get_cpuid(1, &a, &b, &c, &d) || (c & needed) != needed) return 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & (1u << 29)) != 0;
}

// Processes `count` blocks of 64 bytes. Each group of four rounds consumes four words of the
// schedule, and replaces them with those for four groups later.
__attribute__((target("sha,sse4.1,ssse3")))
static inline void processor_sha256(uint32_t *state, const void *blocks, size_t count) {
  const __m128i *next = (const __m128i *)blocks;
  const __m128i *constants = (const __m128i *)processor_sha256_constants;
  const __m128i order = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
  // The instructions order the words as f e b a and h g d c.
  __m128i low = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xb1);
  __m128i high = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1b);
  __m128i abef = _mm_alignr_epi8(low, high, 8);
  __m128i cdgh = _mm_blend_epi16(high, low, 0xf0);
  for (; count > 0; count--, next += 4) {
    const __m128i old_abef = abef, old_cdgh = cdgh;
    __m128i w[4];
    for (int i = 0; i < 4; i++) w[i] = _mm_shuffle_epi8(_mm_loadu_si128(next + i), order);
#pragma clang loop unroll(full)
    for (int i = 0; i < 16; i++) {
      const __m128i sum = _mm_add_epi32(w[i & 3], _mm_loadu_si128(constants + i));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
      if (i >= 12) continue;
      const __m128i last = w[(i + 3) & 3];
      const __m128i part = _mm_add_epi32(
          _mm_sha256msg1_epu32(w[i & 3], w[(i + 1) & 3]),
          _mm_alignr_epi8(last, w[(i + 2) & 3], 4));
      w[i & 3] = _mm_sha256msg2_epu32(part, last);
    }
    abef = _mm_add_epi32(abef, old_abef);
    cdgh = _mm_add_epi32(cdgh, old_cdgh);
  }
  low = _mm_shuffle_epi32(abef, 0x1b);
  high = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(low, high, 0xf0));
  _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(high, low, 8));
}

#elif defined(__aarch64__)

#include <arm_neon.h>
#if defined(__linux__)
#include <sys/auxv.h>
#endif

static inline int processor_has_sha256(void) {
#if defined(__APPLE__)
  return 1;
#elif defined(__linux__)
  const unsigned long sha2 = 1ul << 6;  // HWCAP_SHA2
  return (getauxval(AT_HWCAP) & sha2) != 0;
#else
  return 0;
#endif
}

__attribute__((target("sha2")))
static inline void processor_sha256(uint32_t *state, const void *blocks, size_t count) {
  const uint8_t *next = (const uint8_t *)blocks;
  uint32x4_t abcd = vld1q_u32(state), efgh = vld1q_u32(state + 4);
  for (; count > 0; count--, next += 64) {
    const uint32x4_t old_abcd = abcd, old_efgh = efgh;
    uint32x4_t w[4];
    for (int i = 0; i < 4; i++) w[i] = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(next + 16 * i)));
#pragma clang loop unroll(full)
    for (int i = 0; i < 16; i++) {
      const uint32x4_t sum = vaddq_u32(w[i & 3], vld1q_u32(processor_sha256_constants + 4 * i));
      const uint32x4_t before = abcd;
      abcd = vsha256hq_u32(abcd, efgh, sum);
      efgh = vsha256h2q_u32(efgh, before, sum);
      if (i >= 12) continue;
      w[i & 3] = vsha256su1q_u32(
          vsha256su0q_u32(w[i & 3], w[(i + 1) & 3]), w[(i + 2) & 3], w[(i + 3) & 3]);
    }
    abcd = vaddq_u32(abcd, old_abcd);
    efgh = vaddq_u32(efgh, old_efgh);
  }
  vst1q_u32(state, abcd);
  vst1q_u32(state + 4, efgh);
}

#else

static inline int processor_has_sha256(void) { return 0; }

static inline void processor_sha256(uint32_t *state, const void *blocks, size_t count) {
  (void)state, (void)blocks, (void)count;
}

#endif
