// Preloaded into ba-package (LD_PRELOAD), this makes one call to the system fail, ends the process
// in front of one, exchanges two folders, or notes all calls. Built by harness.py; Linux only.
//
// FAULT_MODE and FAULT_AT say what happens at which call, counted from 1 among those that the mode
// applies to: an errno name (EIO), its sticky form (ENOSPC+: that call and all later ones), short,
// zero, memory, thread, swap (FAULT_A, which may be a pattern, with FAULT_B), or kill and a signal's number (kill9).
// FAULT_LACKS lists what the file system does not have: tmpfile (O_TMPFILE), rename2 (the flags of
// renameat2), link, case (of names in calls that give their folder). FAULT_COUNTS names a file for the
// number of calls of each mode, and until the first rename; FAULT_LOG one for all calls.

#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// What a call can fail for, which is what counts as "any call of that kind".
enum {
  IO = 1, SPACE = 2, INTERRUPT = 4, FILES = 8, ACCESS = 16, SHORT = 32, ZERO = 64, MEMORY = 128,
  THREAD = 256, KILL = 512, SWAP = 1024, SYNC = 2048,
};

static const struct { const char *name; int kinds, error; } modes[] = {
  {"EIO", IO, EIO},       {"ENOSPC", SPACE, ENOSPC},     {"EINTR", INTERRUPT, EINTR},
  {"EMFILE", FILES, EMFILE}, {"EACCES", ACCESS, EACCES}, {"short", SHORT, 0},
  {"zero", ZERO, 0},      {"memory", MEMORY, ENOMEM},    {"thread", THREAD, EAGAIN},
  {"sync", SYNC, EIO},    {"kill", KILL, 0},     {"swap", SWAP, 0},
};
enum { MODES = sizeof modes / sizeof *modes };

// The kernel, without a way through the functions below.
static long raw(long number, ...) {
  static long (*real)(long, ...);
  if (!real) real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  va_list list;
  va_start(list, number);
  long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
  long d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
  va_end(list);
  return real(number, a, b, c, d, e, f);
}

static atomic_long counts[MODES];
static long first_rename;
static int mode = -1, sticky, signal_number;
static long at;
static int log_file = -1;
static const char *counts_path, *lacks = "";

__attribute__((constructor)) static void start(void) {
  const char *name = getenv("FAULT_MODE"), *number = getenv("FAULT_AT"), *log = getenv("FAULT_LOG");
  counts_path = getenv("FAULT_COUNTS");
  if (getenv("FAULT_LACKS")) lacks = getenv("FAULT_LACKS");
  if (log) log_file = raw(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  for (int i = 0; name && i < MODES; i++) {
    size_t length = strlen(modes[i].name);
    if (strncmp(name, modes[i].name, length)) continue;
    mode = i;
    sticky = name[length] == '+';
    signal_number = atoi(name + length);
  }
  at = number ? atol(number) : 0;
  // What the program runs, such as Git, is left alone.
  unsetenv("LD_PRELOAD");
}

__attribute__((destructor)) static void finish(void) {
  if (!counts_path) return;
  int file = raw(SYS_openat, AT_FDCWD, counts_path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  for (int i = 0; i < MODES; i++) dprintf(file, "%s %ld\n", modes[i].name, atomic_load(&counts[i]));
  dprintf(file, "first-rename %ld\n", first_rename);
  raw(SYS_close, file);
}

// Counts a call that can fail for what is in `mask`; returns whether its turn has come.
static int is_hit(int mask) {
  mask |= KILL | SWAP;
  if (mask & (MEMORY | THREAD)) mask &= ~(KILL | SWAP);
  int hit = 0;
  for (int i = 0; i < MODES; i++) {
    if (!(modes[i].kinds & mask)) continue;
    long number = atomic_fetch_add(&counts[i], 1) + 1;
    long last = modes[i].kinds == SWAP && signal_number ? at + signal_number - 1 : at;
    if (i == mode && at > 0 && number >= at && (sticky || number <= last)) hit = 1;
  }
  if (!hit) return 0;
  if (modes[mode].kinds == KILL) {
    raw(SYS_kill, getpid(), signal_number);
    return 0;
  }
  if (modes[mode].kinds == SWAP) {
    glob_t found;
    if (glob(getenv("FAULT_A"), GLOB_NOCHECK, NULL, &found)) return 0;
    raw(SYS_renameat2, AT_FDCWD, found.gl_pathv[0], AT_FDCWD, getenv("FAULT_B"), 2 /* exchange */);
    return 0;
  }
  return 1;
}

static long identity(int file, const char *path, unsigned long *device) {
  struct stat status;
  *device = 0;
  if (raw(SYS_newfstatat, file, path, &status, path[0] ? 0 : AT_EMPTY_PATH)) return 0;
  *device = status.st_dev;
  return status.st_ino;
}

// Notes a call: its name, the file it is about (device:inode) and, for a new name, that name with
// the folder it is in.
static void note_name(const char *call, int file, const char *path, int to, const char *name) {
  if (log_file < 0) return;
  char line[9000], folder[4096];
  unsigned long device, folder_device;
  long inode = identity(file, path, &device);
  snprintf(folder, sizeof folder, "%s", name);
  char *slash = strrchr(folder, '/');
  strcpy(slash ? slash + (slash == folder) : folder, slash ? "" : ".");
  long folder_inode = identity(to, folder, &folder_device);
  int count = snprintf(line, sizeof line, "%s\t%lu:%ld\t%s\t%lu:%ld\n", call, device, inode, name,
                       folder_device, folder_inode);
  raw(SYS_write, log_file, line, count);
}

static void note(const char *call, int file) { note_name(call, file, "", AT_FDCWD, ""); }

#define REAL(type, name, ...) \
  static type (*real)(__VA_ARGS__); \
  if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

static int fails(int mask) {
  if (!is_hit(mask)) return 0;
  errno = modes[mode].error;
  return 1;
}

// The name that a file has which was created with this one, in upper and lower case.
static const char *folded(int folder, const char *name) {
  static __thread char lower[2][4096];
  static __thread int next;
  if (folder == AT_FDCWD || !strstr(lacks, "case") || strlen(name) >= sizeof *lower) return name;
  char *result = lower[next = !next];
  for (int i = 0; (result[i] = tolower(name[i])); i++) {}
  return result;
}

// Opening

static int creates(int flags) { return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE; }

static int open_any(int folder, const char *path, int flags, mode_t mode) {
  path = folded(folder, path);
  if (fails(IO | INTERRUPT | FILES | ACCESS | (creates(flags) ? SPACE : 0))) return -1;
  if ((flags & O_TMPFILE) == O_TMPFILE && strstr(lacks, "tmpfile")) {
    errno = EOPNOTSUPP;
    return -1;
  }
  int file = raw(SYS_openat, folder, path, flags, mode);
  if (file >= 0) note_name(creates(flags) ? "create" : "open", file, "", folder, path);
  return file;
}

#define MODE_ARGUMENT() \
  mode_t mode = 0; \
  if (creates(flags)) { va_list list; va_start(list, flags); mode = va_arg(list, mode_t); va_end(list); }

int open(const char *path, int flags, ...) { MODE_ARGUMENT(); return open_any(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE_ARGUMENT(); return open_any(AT_FDCWD, path, flags, mode); }
int openat(int folder, const char *path, int flags, ...) { MODE_ARGUMENT(); return open_any(folder, path, flags, mode); }
int openat64(int folder, const char *path, int flags, ...) { MODE_ARGUMENT(); return open_any(folder, path, flags, mode); }

int close(int file) {
  int failed = fails(IO | INTERRUPT), error = errno;
  int result = raw(SYS_close, file);
  if (!failed) return result;
  errno = error;
  return -1;
}

// Reading and writing. A short call moves half of what it could, and a "zero" read is an early end.

#define TRANSFER(mask) \
  if (is_hit(mask)) { \
    if (modes[mode].kinds == ZERO) return 0; \
    if (modes[mode].kinds != SHORT) { errno = modes[mode].error; return -1; } \
    if (count > 1) count /= 2; \
  }

ssize_t read(int file, void *bytes, size_t count) {
  TRANSFER(IO | INTERRUPT | SHORT | ZERO);
  return raw(SYS_read, file, bytes, count);
}
ssize_t pread(int file, void *bytes, size_t count, off_t offset) {
  TRANSFER(IO | INTERRUPT | SHORT | ZERO);
  return raw(SYS_pread64, file, bytes, count, offset);
}
ssize_t pread64(int file, void *bytes, size_t count, off_t offset) { return pread(file, bytes, count, offset); }
ssize_t write(int file, const void *bytes, size_t count) {
  // Reasons are read from there.
  if (file == STDERR_FILENO) return raw(SYS_write, file, bytes, count);
  TRANSFER(IO | SPACE | INTERRUPT | SHORT);
  note("write", file);
  return raw(SYS_write, file, bytes, count);
}
ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  TRANSFER(IO | SPACE | INTERRUPT | SHORT);
  note("write", file);
  return raw(SYS_pwrite64, file, bytes, count, offset);
}
ssize_t pwrite64(int file, const void *bytes, size_t count, off_t offset) { return pwrite(file, bytes, count, offset); }

int fsync(int file) {
  if (fails(IO | SPACE | INTERRUPT | SYNC)) return -1;
  note("fsync", file);
  return raw(SYS_fsync, file);
}
int fdatasync(int file) {
  if (fails(IO | SPACE | INTERRUPT | SYNC)) return -1;
  note("fsync", file);
  return raw(SYS_fdatasync, file);
}
int syncfs(int file) {
  if (fails(IO | SPACE | INTERRUPT | SYNC)) return -1;
  note("syncfs", file);
  return raw(SYS_syncfs, file);
}
int ftruncate(int file, off_t size) {
  if (fails(IO | SPACE | INTERRUPT)) return -1;
  return raw(SYS_ftruncate, file, size);
}
int flock(int file, int operation) {
  if (fails(IO | INTERRUPT)) return -1;
  note("flock", file);
  return raw(SYS_flock, file, operation);
}
int fchmod(int file, mode_t mode) {
  if (fails(IO | INTERRUPT)) return -1;
  return raw(SYS_fchmod, file, mode);
}

// Names

static int rename_any(int from, const char *old, int to, const char *new, unsigned flags) {
  if (!first_rename) first_rename = atomic_load(&counts[MODES - 1]) + 1;
  old = folded(from, old);
  new = folded(to, new);
  if (fails(IO | SPACE | INTERRUPT | ACCESS)) return -1;
  if (flags && strstr(lacks, "rename2")) {
    errno = EINVAL;
    return -1;
  }
  note_name("rename", from, old, to, new);
  return raw(SYS_renameat2, from, old, to, new, flags);
}
int rename(const char *old, const char *new) { return rename_any(AT_FDCWD, old, AT_FDCWD, new, 0); }
int renameat(int from, const char *old, int to, const char *new) { return rename_any(from, old, to, new, 0); }
int renameat2(int from, const char *old, int to, const char *new, unsigned flags) { return rename_any(from, old, to, new, flags); }

int linkat(int from, const char *old, int to, const char *new, int flags) {
  if (fails(IO | SPACE | INTERRUPT | ACCESS)) return -1;
  if (strstr(lacks, "link")) {
    errno = EPERM;
    return -1;
  }
  note_name("link", from, old, to, new);
  return raw(SYS_linkat, from, old, to, new, flags);
}
int link(const char *old, const char *new) { return linkat(AT_FDCWD, old, AT_FDCWD, new, 0); }
int unlinkat(int folder, const char *path, int flags) {
  path = folded(folder, path);
  if (fails(IO | INTERRUPT | ACCESS)) return -1;
  note_name("unlink", folder, path, folder, path);
  return raw(SYS_unlinkat, folder, path, flags);
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }
int mkdirat(int folder, const char *path, mode_t mode) {
  path = folded(folder, path);
  if (fails(IO | SPACE | INTERRUPT | ACCESS)) return -1;
  note_name("mkdir", folder, ".", folder, path);
  return raw(SYS_mkdirat, folder, path, mode);
}
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

// Looking

int fstat(int file, struct stat *status) {
  if (fails(IO | INTERRUPT)) return -1;
  return raw(SYS_newfstatat, file, "", status, AT_EMPTY_PATH);
}
int fstatat(int folder, const char *path, struct stat *status, int flags) {
  path = folded(folder, path);
  if (fails(IO | INTERRUPT | ACCESS)) return -1;
  return raw(SYS_newfstatat, folder, path, status, flags);
}
int stat(const char *path, struct stat *status) { return fstatat(AT_FDCWD, path, status, 0); }
int lstat(const char *path, struct stat *status) { return fstatat(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW); }
int fstat64(int file, struct stat64 *status) { return fstat(file, (struct stat *)status); }
int fstatat64(int folder, const char *path, struct stat64 *status, int flags) { return fstatat(folder, path, (struct stat *)status, flags); }
int stat64(const char *path, struct stat64 *status) { return stat(path, (struct stat *)status); }
int lstat64(const char *path, struct stat64 *status) { return lstat(path, (struct stat *)status); }
int faccessat(int folder, const char *path, int access, int flags) {
  if (fails(IO | INTERRUPT | ACCESS)) return -1;
  REAL(int, faccessat, int, const char *, int, int);
  return real(folder, path, access, flags);
}
char *realpath(const char *path, char *resolved) {
  if (fails(IO | INTERRUPT | ACCESS)) return NULL;
  REAL(char *, realpath, const char *, char *);
  return real(path, resolved);
}
ssize_t readlink(const char *path, char *target, size_t size) {
  if (fails(IO | INTERRUPT | ACCESS)) return -1;
  return raw(SYS_readlinkat, AT_FDCWD, path, target, size);
}
DIR *fdopendir(int file) {
  if (fails(IO | INTERRUPT)) return NULL;
  REAL(DIR *, fdopendir, int);
  return real(file);
}
struct dirent *readdir(DIR *folder) {
  if (fails(IO | INTERRUPT)) return NULL;
  REAL(struct dirent *, readdir, DIR *);
  return real(folder);
}
struct dirent64 *readdir64(DIR *folder) { return (struct dirent64 *)readdir(folder); }
int dup(int file) {
  if (fails(IO | INTERRUPT | FILES)) return -1;
  return raw(SYS_dup, file);
}
int fcntl(int file, int command, ...) {
  va_list list;
  va_start(list, command);
  long argument = va_arg(list, long);
  va_end(list);
  if (command == F_DUPFD_CLOEXEC && fails(IO | INTERRUPT | FILES)) return -1;
  return raw(SYS_fcntl, file, command, argument);
}
int fcntl64(int file, int command, ...) {
  va_list list;
  va_start(list, command);
  long argument = va_arg(list, long);
  va_end(list);
  return fcntl(file, command, argument);
}

// Calls that have no function of their own in every libc
long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
  long d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
  va_end(list);
  if (number == SYS_syncfs) return syncfs(a);
  if (number == SYS_renameat2) return rename_any(a, (const char *)b, c, (const char *)d, e);
  if (number == SYS_openat2) {
    if (fails(IO | INTERRUPT | FILES | ACCESS)) return -1;
    return raw(number, a, b, c, d);
  }
  return raw(number, a, b, c, d, e, f);
}

// Memory and threads. Only blocks that the program and zlib ask for themselves count: what
// Swift's runtime allocates can't be refused without ending the process.

// Whether a function of the program itself or of zlib calls.
static int is_own(void *caller) {
  Dl_info info;
  if (!dladdr(caller, &info) || !info.dli_fname) return 0;
  return strstr(info.dli_fname, "libz.") || !strstr(info.dli_fname, ".so");
}

extern void *__libc_malloc(size_t size);
void *malloc(size_t size) {
  static __thread int busy;
  if (size >= 4096 && !busy) {
    busy = 1;
    int refused = is_own(__builtin_return_address(0)) && is_hit(MEMORY);
    busy = 0;
    if (refused) { errno = ENOMEM; return NULL; }
  }
  return __libc_malloc(size);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
  REAL(int, pthread_create, pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  if (is_hit(THREAD)) return EAGAIN;
  return real(thread, attributes, body, argument);
}
