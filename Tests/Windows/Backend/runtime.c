// What Swift's embedded runtime needs from a system, and the toolchain has only for others.

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <windows.h>
#include <ntsecapi.h>

// What is allocated is released by 'free'.
int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment > 16) return EINVAL;
  *result = malloc(size);
  return *result ? 0 : ENOMEM;
}

void arc4random_buf(void *buffer, size_t size) {
  if (!RtlGenRandom(buffer, (ULONG)size)) abort();
}

void *__stack_chk_guard = (void *)0x595e9fbd94fda766;

void __stack_chk_fail(void) { abort(); }

// Unicode's tables: as if there were nothing but letters without case.
const uint8_t *const _swift_stdlib_nfd_decompositions = NULL;
uint16_t _swift_stdlib_getNormData(uint32_t scalar) { return 0; }
uint32_t _swift_stdlib_getDecompositionEntry(uint32_t scalar) { return 0; }
uint32_t _swift_stdlib_getComposition(uint32_t x, uint32_t y) { return UINT32_MAX; }
uint64_t _swift_stdlib_getBinaryProperties(uint32_t scalar) { return 0; }
uint8_t _swift_stdlib_getGeneralCategory(uint32_t scalar) { return 4; }
uint8_t _swift_stdlib_getGraphemeBreakProperty(uint32_t scalar) { return UINT8_MAX; }
uint8_t _swift_stdlib_getNumericType(uint32_t scalar) { return UINT8_MAX; }
int32_t _swift_stdlib_getMapping(uint32_t scalar, uint8_t mapping) { return 0; }
const uint8_t *_swift_stdlib_getSpecialMapping(uint32_t scalar, uint8_t mapping, intptr_t *size) {
  *size = 0;
  return NULL;
}
bool _swift_stdlib_isExtendedPictographic(uint32_t scalar) { return false; }
bool _swift_stdlib_isInCB_Consonant(uint32_t scalar) { return false; }
