#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509-ext.h>
#include <gnutls/x509.h>
#include <stdint.h>
#include <string.h>

// Macros that Swift can't import.

/// The value of `bits` for a P-256 key.
static inline unsigned int ba_gnutls_p256(void) {
  return GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1);
}

// What takes several calls. Each returns GnuTLS's code, which is negative for an error.

#define BA_TRY(call) do { int code = (call); if (code < 0) return code; } while (0)

/// Parses the first certificate in a PEM text.
static inline int ba_gnutls_read_certificate(gnutls_x509_crt_t certificate, const uint8_t *pem,
                                             size_t size) {
  gnutls_datum_t datum = { (unsigned char *)pem, (unsigned int)size };
  return gnutls_x509_crt_import(certificate, &datum, GNUTLS_X509_FMT_PEM);
}

/// Parses an unencrypted key in PEM.
static inline int ba_gnutls_read_key(gnutls_x509_privkey_t key, const uint8_t *pem, size_t size) {
  gnutls_datum_t datum = { (unsigned char *)pem, (unsigned int)size };
  return gnutls_x509_privkey_import2(key, &datum, GNUTLS_X509_FMT_PEM, NULL, 0);
}

/// The subject, validity and use of a new certificate. A server's key usage is for signatures only:
/// key encipherment is for RSA cipher suites that are disabled, and Apple's rules don't require it.
static inline int ba_gnutls_describe(gnutls_x509_crt_t certificate, gnutls_x509_privkey_t key,
                                     int is_authority, const uint8_t serial[16],
                                     const char *organization, const char *name, int64_t start,
                                     int64_t end) {
  BA_TRY(gnutls_x509_crt_set_version(certificate, 3));
  BA_TRY(gnutls_x509_crt_set_serial(certificate, serial, 16));
  BA_TRY(gnutls_x509_crt_set_activation_time(certificate, (time_t)start));
  BA_TRY(gnutls_x509_crt_set_expiration_time(certificate, (time_t)end));
  BA_TRY(gnutls_x509_crt_set_dn_by_oid(certificate, GNUTLS_OID_X520_ORGANIZATION_NAME, 0,
                                       organization, (unsigned int)strlen(organization)));
  BA_TRY(gnutls_x509_crt_set_dn_by_oid(certificate, GNUTLS_OID_X520_COMMON_NAME, 0, name,
                                       (unsigned int)strlen(name)));
  BA_TRY(gnutls_x509_crt_set_key(certificate, key));
  BA_TRY(gnutls_x509_crt_set_basic_constraints(certificate, is_authority, is_authority ? 0 : -1));
  BA_TRY(gnutls_x509_crt_set_key_usage(
    certificate, is_authority ? GNUTLS_KEY_KEY_CERT_SIGN | GNUTLS_KEY_CRL_SIGN
                              : GNUTLS_KEY_DIGITAL_SIGNATURE));
  if (is_authority) return 0;
  return gnutls_x509_crt_set_key_purpose_oid(certificate, GNUTLS_KP_TLS_WWW_SERVER, 0);
}

/// Adds a DNS name or the bytes of an address.
static inline int ba_gnutls_add_name(gnutls_x509_crt_t certificate, int is_address,
                                     const uint8_t *bytes, size_t size) {
  return gnutls_x509_crt_set_subject_alt_name(
    certificate, is_address ? GNUTLS_SAN_IPADDRESS : GNUTLS_SAN_DNSNAME, bytes, (unsigned int)size,
    GNUTLS_FSAN_APPEND);
}

/// The name at an index: GNUTLS_SAN_DNSNAME, GNUTLS_SAN_IPADDRESS, or another kind.
static inline int ba_gnutls_name(gnutls_x509_crt_t certificate, unsigned int index, void *buffer,
                                 size_t *size) {
  return gnutls_x509_crt_get_subject_alt_name(certificate, index, buffer, size, NULL);
}

/// Adds the identifiers of the keys, and signs a certificate; an authority is its own issuer.
static inline int ba_gnutls_sign(gnutls_x509_crt_t certificate, gnutls_x509_crt_t issuer,
                                 gnutls_x509_privkey_t issuer_key) {
  unsigned char identifier[64];
  size_t size = sizeof identifier;
  BA_TRY(gnutls_x509_crt_get_key_id(certificate, 0, identifier, &size));
  BA_TRY(gnutls_x509_crt_set_subject_key_id(certificate, identifier, size));
  if (certificate != issuer) {
    size = sizeof identifier;
    BA_TRY(gnutls_x509_crt_get_key_id(issuer, 0, identifier, &size));
    BA_TRY(gnutls_x509_crt_set_authority_key_id(certificate, identifier, size));
  }
  return gnutls_x509_crt_sign2(certificate, issuer, issuer_key, GNUTLS_DIG_SHA256, 0);
}

/// 1 if a key is that of a certificate, otherwise 0.
static inline int ba_gnutls_belong_together(gnutls_x509_crt_t certificate,
                                            gnutls_x509_privkey_t key) {
  unsigned char one[64], other[64];
  size_t size = sizeof one, other_size = sizeof other;
  BA_TRY(gnutls_x509_crt_get_key_id(certificate, 0, one, &size));
  BA_TRY(gnutls_x509_privkey_get_key_id(key, 0, other, &other_size));
  return size == other_size && memcmp(one, other, size) == 0;
}

#undef BA_TRY

/// The P-256 key in PKCS #8 in PEM, to be freed; NULL if it is none.
static inline gnutls_privkey_t ba_gnutls_p256_key(const uint8_t *pem, size_t size) {
  gnutls_datum_t datum = { (unsigned char *)pem, (unsigned int)size };
  gnutls_privkey_t key;
  unsigned int bits = 0;
  if (gnutls_privkey_init(&key) < 0) return NULL;
  // GnuTLS must not be asked for the type of an empty key.
  if (gnutls_privkey_import_x509_raw(key, &datum, GNUTLS_X509_FMT_PEM, NULL, 0) >= 0
      && gnutls_privkey_get_pk_algorithm(key, &bits) == GNUTLS_PK_ECDSA && bits == 256)
    return key;
  gnutls_privkey_deinit(key);
  return NULL;
}

static inline int ba_gnutls_is_p256(const uint8_t *pem, size_t size) {
  gnutls_privkey_t key = ba_gnutls_p256_key(pem, size);
  if (key) gnutls_privkey_deinit(key);
  return key != NULL;
}

/// The ES256 signature of a message (RFC 7518): r and s with 32 bytes each. 0 if signing fails.
static inline int ba_gnutls_sign_es256(const uint8_t *pem, size_t pem_size, const uint8_t *message,
                                       size_t size, uint8_t signature[64]) {
  gnutls_datum_t text = { (unsigned char *)message, (unsigned int)size }, encoded = { NULL, 0 };
  gnutls_datum_t parts[2] = { { NULL, 0 }, { NULL, 0 } };
  gnutls_privkey_t key = ba_gnutls_p256_key(pem, pem_size);
  int is_signed =
    key && gnutls_privkey_sign_data2(key, GNUTLS_SIGN_ECDSA_SHA256, 0, &text, &encoded) >= 0
    && gnutls_decode_rs_value(&encoded, &parts[0], &parts[1]) >= 0;
  for (int i = 0; i < 2; i++) {
    // DER omits leading zeros, and adds one before a set high bit.
    unsigned int extra = parts[i].size > 32 ? parts[i].size - 32 : 0;
    unsigned int count = parts[i].size - extra;
    memset(signature + 32 * i, 0, 32);
    if (is_signed) memcpy(signature + 32 * (i + 1) - count, parts[i].data + extra, count);
    gnutls_free(parts[i].data);
  }
  gnutls_free(encoded.data);
  if (key) gnutls_privkey_deinit(key);
  return is_signed;
}
