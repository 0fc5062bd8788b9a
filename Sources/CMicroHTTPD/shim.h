#include <microhttpd.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

// Swift can't call variadic functions such as MHD_start_daemon.

/// Options for a daemon. Without a key it serves plain HTTP.
struct ba_mhd_options {
  /// A listening socket, which the daemon owns.
  int socket;
  /// The server's key, its certificate chain, and GnuTLS's priorities, each as a C string.
  const char *key;
  const char *certificate;
  const char *priorities;
  unsigned int connection_limit;
  /// Seconds without activity after which a connection is closed.
  unsigned int timeout;
  size_t stack_size;
  /// The first argument of each callback.
  void *context;
  MHD_AccessHandlerCallback handle;
  MHD_RequestCompletedCallback completed;
  MHD_NotifyConnectionCallback connection;
  MHD_LogCallback log;
};

/// Keeps the percent-encoding of targets and arguments.
static inline size_t ba_mhd_keep_escapes(void *context, struct MHD_Connection *connection,
                                         char *text) {
  size_t count = 0;
  (void)context, (void)connection;
  while (text[count]) count++;
  return count;
}

/// Starts a daemon with one thread per connection; NULL on failure.
static inline struct MHD_Daemon *ba_mhd_start(const struct ba_mhd_options *options) {
  unsigned int flags = MHD_USE_POLL_INTERNAL_THREAD | MHD_USE_THREAD_PER_CONNECTION
                       | MHD_USE_ERROR_LOG;
  struct MHD_OptionItem tls[] = {
    { MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)options->key },
    { MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)options->certificate },
    { MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)options->priorities },
    { MHD_OPTION_END, 0, NULL },
  };
  if (options->key) flags |= MHD_USE_TLS; else tls[0] = tls[3];
  return MHD_start_daemon(
    flags, 0, NULL, NULL, options->handle, options->context,
    // First, so that messages about the other options are logged too.
    MHD_OPTION_EXTERNAL_LOGGER, options->log, options->context,
    MHD_OPTION_LISTEN_SOCKET, options->socket,
    MHD_OPTION_CONNECTION_LIMIT, options->connection_limit,
    MHD_OPTION_CONNECTION_TIMEOUT, options->timeout,
    MHD_OPTION_THREAD_STACK_SIZE, options->stack_size,
    MHD_OPTION_NOTIFY_COMPLETED, options->completed, options->context,
    MHD_OPTION_NOTIFY_CONNECTION, options->connection, options->context,
    MHD_OPTION_UNESCAPE_CALLBACK, ba_mhd_keep_escapes, NULL,
    MHD_OPTION_ARRAY, tls,
    MHD_OPTION_END);
}

/// The peer's address; NULL if unknown.
static inline const struct sockaddr *ba_mhd_peer(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
    MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info ? info->client_addr : NULL;
}

/// The `gnutls_session_t` of a connection; NULL if it has none.
static inline void *ba_mhd_tls_session(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
    MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
  return info ? info->tls_session : NULL;
}

/// The value of a request's header; NULL if it is missing.
static inline const char *ba_mhd_header(struct MHD_Connection *connection, const char *name) {
  return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/// The value of an argument in a request's query; NULL if it is missing.
static inline const char *ba_mhd_argument(struct MHD_Connection *connection, const char *name) {
  return MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, name);
}

// Imported as cases or as constants, depending on how a version declares its enumerations.
static const enum MHD_Result ba_mhd_yes = MHD_YES;
static const enum MHD_Result ba_mhd_no = MHD_NO;
static const enum MHD_ResponseMemoryMode ba_mhd_copy = MHD_RESPMEM_MUST_COPY;
static const enum MHD_RequestTerminationCode ba_mhd_completed = MHD_REQUEST_TERMINATED_COMPLETED_OK;
static const enum MHD_ConnectionNotificationCode ba_mhd_started = MHD_CONNECTION_NOTIFY_STARTED;

/// Returned by a content reader callback to close the connection early.
static const ssize_t ba_mhd_reader_failed = MHD_CONTENT_READER_END_WITH_ERROR;
