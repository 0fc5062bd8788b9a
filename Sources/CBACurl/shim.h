#include <curl/curl.h>
#include <string.h>

// Swift can't call variadic functions such as curl_easy_setopt.

/// A request, and the callbacks of its transfer.
struct ba_curl_request {
  const char *url, *method;
  struct curl_slist *headers;
  /// The size of the body; negative without one.
  curl_off_t size;
  /// Seconds without a byte after which the request has failed.
  long timeout;
  int is_loopback, may_be_repeated;
  /// Room for CURL_ERROR_SIZE bytes.
  char *error;
  /// The argument of each callback.
  void *context;
  curl_write_callback receive_body, receive_header;
  curl_read_callback send_body;
  curl_seek_callback seek_body;
  curl_xferinfo_callback progress;
};

/// Allows only these two protocols, whatever the URL.
static inline CURLcode ba_curl_allow_http(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
  return curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  return curl_easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

#define BA_SET(option, value) do { \
    CURLcode code = curl_easy_setopt(handle, option, value); \
    if (code != CURLE_OK) return code; \
  } while (0)

/// Leaves TLS 1.2 only ciphers with forward secrecy and AEAD, as TLS 1.3 has no others. Nothing
/// happens with backends that don't know OpenSSL's names, such as GnuTLS.
static inline void ba_curl_choose_ciphers(CURL *handle) {
  const char *backend = curl_version_info(CURLVERSION_NOW)->ssl_version;
  if (!backend || !strstr(backend, "SSL")) return;
  curl_easy_setopt(
    handle, CURLOPT_SSL_CIPHER_LIST,
    "ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:"
    "ECDHE-RSA-CHACHA20-POLY1305:ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256");
}

/// Replaces all options of `handle` by those for a request.
static inline CURLcode ba_curl_prepare(CURL *handle, const struct ba_curl_request *request) {
  curl_easy_reset(handle);
  BA_SET(CURLOPT_URL, request->url);
  CURLcode allowed = ba_curl_allow_http(handle);
  if (allowed != CURLE_OK) return allowed;
  BA_SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
  ba_curl_choose_ciphers(handle);
  BA_SET(CURLOPT_NOSIGNAL, 1L);
  BA_SET(CURLOPT_CONNECTTIMEOUT, request->timeout < 30 ? request->timeout : 30L);
  BA_SET(CURLOPT_LOW_SPEED_LIMIT, 1L);
  BA_SET(CURLOPT_LOW_SPEED_TIME, request->timeout);
  BA_SET(CURLOPT_UPLOAD_BUFFERSIZE, 1L << 19);
  // Parts don't share a connection, as they are sent at the same time.
  BA_SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  if (request->is_loopback) BA_SET(CURLOPT_PROXY, "");
  BA_SET(CURLOPT_HTTPHEADER, request->headers);
  BA_SET(CURLOPT_ERRORBUFFER, request->error);
  BA_SET(CURLOPT_WRITEFUNCTION, request->receive_body);
  BA_SET(CURLOPT_WRITEDATA, request->context);
  BA_SET(CURLOPT_HEADERFUNCTION, request->receive_header);
  BA_SET(CURLOPT_HEADERDATA, request->context);
  BA_SET(CURLOPT_XFERINFOFUNCTION, request->progress);
  BA_SET(CURLOPT_XFERINFODATA, request->context);
  BA_SET(CURLOPT_NOPROGRESS, 0L);
  if (request->size >= 0) {
    BA_SET(CURLOPT_UPLOAD, 1L);
    BA_SET(CURLOPT_INFILESIZE_LARGE, request->size);
    BA_SET(CURLOPT_READFUNCTION, request->send_body);
    BA_SET(CURLOPT_READDATA, request->context);
    BA_SET(CURLOPT_SEEKFUNCTION, request->seek_body);
    BA_SET(CURLOPT_SEEKDATA, request->context);
  }
  BA_SET(CURLOPT_CUSTOMREQUEST, request->method);
  // If a persistent connection turns out to be closed, libcurl repeats the request, and it is
  // unknown whether the first one succeeded.
  if (!request->may_be_repeated) BA_SET(CURLOPT_FRESH_CONNECT, 1L);
  return CURLE_OK;
}

#undef BA_SET

/// The status of the response.
static inline long ba_curl_status(CURL *handle) {
  long status = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

static inline CURLcode ba_curl_start(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }
