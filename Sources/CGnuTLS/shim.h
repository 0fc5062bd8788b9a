#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509-ext.h>
#include <gnutls/x509.h>

// Macros that Swift can't import.

/// The value of `bits` for a P-256 key.
static inline unsigned int ba_gnutls_p256(void) {
  return GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1);
}

/// `gnutls_free` is a function pointer variable.
static inline void ba_gnutls_free(void *memory) { gnutls_free(memory); }
