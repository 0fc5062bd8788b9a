#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <microhttpd.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// Swift can't call variadic functions such as MHD_start_daemon.

#if MHD_VERSION >= 0x01000000
static const enum MHD_OPTION ba_mhd_option_strict = MHD_OPTION_CLIENT_DISCIPLINE_LVL;
#else
static const enum MHD_OPTION ba_mhd_option_strict = MHD_OPTION_STRICT_FOR_CLIENT;
#endif

/// Options for a daemon.
struct ba_mhd_options {
  /// A listening socket, which the daemon owns.
  int socket;
  unsigned int connection_limit;
  /// Seconds without activity after which a connection is closed.
  unsigned int timeout;
  size_t stack_size;
  /// The first argument of each callback.
  void *context;
  MHD_AcceptPolicyCallback accept;
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

/// Starts a daemon with one thread per connection, with the server's key, its certificate chain and
/// GnuTLS's priorities. Without a key it serves plain HTTP. NULL on failure.
static inline struct MHD_Daemon *ba_mhd_start(const struct ba_mhd_options *options, const char *key,
                                              const char *certificate, const char *priorities) {
  unsigned int flags = MHD_USE_POLL_INTERNAL_THREAD | MHD_USE_THREAD_PER_CONNECTION
                       | MHD_USE_ERROR_LOG;
  struct MHD_OptionItem tls[] = {
    { MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)key },
    { MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)certificate },
    { MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)priorities },
    { MHD_OPTION_END, 0, NULL },
  };
  if (key) flags |= MHD_USE_TLS; else tls[0] = tls[3];
  return MHD_start_daemon(
    flags, 0, options->accept, options->context, options->handle, options->context,
    // First, so that messages about the other options are logged too.
    MHD_OPTION_EXTERNAL_LOGGER, options->log, options->context,
    ba_mhd_option_strict, 1,
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

/// Whether `text` is a token (RFC 9110, 5.6.2), as methods and the names of headers must be.
static inline int ba_is_token(const char *text) {
  size_t count = strspn(text, "!#$%&'*+-.^_`|~0123456789"
                              "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
  return count > 0 && text[count] == 0;
}

/// Headers, by what matters for whether a request is well formed.
struct ba_mhd_header_counts {
  int hosts, lengths, malformed;
};

static inline enum MHD_Result ba_mhd_count_header(void *context, enum MHD_ValueKind kind,
                                                  const char *name, const char *value) {
  struct ba_mhd_header_counts *counts = context;
  (void)kind;
  counts->hosts += strcasecmp(name, "Host") == 0;
  counts->lengths += strcasecmp(name, "Content-Length") == 0;
  counts->lengths += strcasecmp(name, "Transfer-Encoding") == 0;
  counts->malformed += !ba_is_token(name) || (value && strchr(value, '\r'));
  return MHD_YES;
}

/// Whether the method and the names of all headers are tokens, so that there is no blank before a
/// colon (RFC 9112, 5.1), no value has a bare CR (2.2), and there are at most one Host (3.2) and one
/// Content-Length or Transfer-Encoding (6.3). Versions of the library differ in what they refuse.
static inline int ba_mhd_is_well_formed(struct MHD_Connection *connection, const char *method) {
  struct ba_mhd_header_counts counts = { 0, 0, 0 };
  MHD_get_connection_values(connection, MHD_HEADER_KIND, ba_mhd_count_header, &counts);
  return ba_is_token(method) && counts.hosts <= 1 && counts.lengths <= 1 && counts.malformed == 0;
}

/// The socket of a connection; -1 if unknown.
static inline int ba_mhd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
    MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
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
static const enum MHD_ConnectionNotificationCode ba_mhd_closed = MHD_CONNECTION_NOTIFY_CLOSED;

/// Returned by a content reader callback to close the connection early.
static const ssize_t ba_mhd_reader_failed = MHD_CONTENT_READER_END_WITH_ERROR;

// Signals.

/// `SIG_IGN` is a macro that Swift can't import.
static inline void ba_ignore(int number) { signal(number, SIG_IGN); }

/// Lets a handler of SIGINT, SIGTERM or SIGHUP handle only the next one, or none any more; after
/// that the signal ends the process. An ignored signal stays ignored.
static inline void ba_limit_handlers(int next) {
  const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
  for (int i = 0; i < 3; i++) {
    struct sigaction action;
    if (sigaction(numbers[i], NULL, &action) != 0 || action.sa_handler == SIG_IGN) continue;
    if (next) action.sa_flags |= SA_RESETHAND; else action.sa_handler = SIG_DFL;
    sigaction(numbers[i], &action, NULL);
  }
}

// Sockets.

/// Opens a socket that listens on a port, or any free one for 0, at all addresses or at loopback
/// ones. Returns the descriptor, or a negated errno.
static inline int ba_listen(int version6, int only_loopback, uint16_t port) {
  const int on = 1, only6 = only_loopback;
  struct sockaddr_in6 six = { .sin6_family = AF_INET6, .sin6_port = htons(port) };
  struct sockaddr_in four = { .sin_family = AF_INET, .sin_port = htons(port) };
  int result, file = socket(version6 ? AF_INET6 : AF_INET, SOCK_STREAM, 0);
  if (file < 0) return -errno;
  fcntl(file, F_SETFD, FD_CLOEXEC);
  // The client may disconnect between poll(2) and accept(2).
  fcntl(file, F_SETFL, O_NONBLOCK);
  setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (only_loopback) six.sin6_addr = in6addr_loopback;
  if (only_loopback) four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (version6) {
    setsockopt(file, IPPROTO_IPV6, IPV6_V6ONLY, &only6, sizeof only6);
    result = bind(file, (struct sockaddr *)&six, sizeof six);
  } else {
    result = bind(file, (struct sockaddr *)&four, sizeof four);
  }
  if (result == 0 && listen(file, 256) == 0) return file;
  result = -errno;
  close(file);
  return result;
}

/// The port of a listening socket; 0 if unknown.
static inline uint16_t ba_port(int file) {
  struct sockaddr_in6 address;
  socklen_t size = sizeof address;
  // The port is at the same offset for both families.
  return getsockname(file, (struct sockaddr *)&address, &size) == 0 ? ntohs(address.sin6_port) : 0;
}

/// Copies the bytes of an address and returns their number: 4, also for an IPv4 address in an IPv6
/// one, 16, or 0 for another family.
static inline int ba_address(const struct sockaddr *address, uint8_t bytes[16]) {
  if (address && address->sa_family == AF_INET) {
    memcpy(bytes, &((const struct sockaddr_in *)address)->sin_addr, 4);
    return 4;
  }
  if (!address || address->sa_family != AF_INET6) return 0;
  const struct in6_addr *six = &((const struct sockaddr_in6 *)address)->sin6_addr;
  int is_mapped = IN6_IS_ADDR_V4MAPPED(six);
  memcpy(bytes, six->s6_addr + (is_mapped ? 12 : 0), is_mapped ? 4 : 16);
  return is_mapped ? 4 : 16;
}

/// The same for the peer of a connected socket.
static inline int ba_peer(int file, uint8_t bytes[16]) {
  struct sockaddr_in6 address;
  socklen_t size = sizeof address;
  if (getpeername(file, (struct sockaddr *)&address, &size) != 0) return 0;
  return ba_address((const struct sockaddr *)&address, bytes);
}
