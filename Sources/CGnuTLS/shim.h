#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509-ext.h>
#include <gnutls/x509.h>

// Macros that Swift can't read.

/// The `bits` that ask for a key on the curve P-256.
static inline unsigned int ba_gnutls_p256(void) {
  return GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1);
}

/// `gnutls_free` is a variable that holds a function.
static inline void ba_gnutls_free(void *memory) { gnutls_free(memory); }
