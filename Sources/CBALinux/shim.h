// Linux calls that are missing from the modules of its C libraries. Empty elsewhere.

#if defined(__linux__)

#include <fcntl.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// O_TMPFILE, whose value is the same on all processors except for O_DIRECTORY.
static const int linux_unnamed_file = 020000000 | O_DIRECTORY;

// Flags of renameat2(2).
static const unsigned int linux_rename_exclusive = 1;
static const unsigned int linux_rename_exchange = 2;

static inline int linux_renameat2(
    int from, const char *old_name, int to, const char *new_name, unsigned int flags) {
  return (int)syscall(SYS_renameat2, from, old_name, to, new_name, flags);
}

// Also keeps other processes of the user from reading the memory of this one.
static inline int linux_forbid_core_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

static inline int linux_syncfs(int file) { return (int)syscall(SYS_syncfs, file); }

// Zero if that is unknown. 8,192 processors are the maximum of any kernel.
static inline int linux_usable_processors(void) {
  unsigned long mask[1024 / sizeof(unsigned long)] = {0};
  long size = syscall(SYS_sched_getaffinity, 0, sizeof(mask), mask);
  int count = 0;
  for (long i = 0; i < size / (long)sizeof(unsigned long); i++) {
    count += __builtin_popcountl(mask[i]);
  }
  return count;
}

// Limits the memory that a process may have besides files that it maps.
static inline int linux_limit_memory(int process, unsigned long bytes) {
  const struct rlimit limit = {bytes, bytes};
  return (int)syscall(SYS_prlimit64, process, RLIMIT_DATA, &limit, 0);
}

#endif
