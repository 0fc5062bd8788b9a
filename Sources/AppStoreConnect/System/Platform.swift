import BAPackCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The current time in seconds since 1970.
package func secondsSince1970() -> Int { time(nil) }

/// Sleeps for `duration`, or until SIGINT, SIGTERM or SIGHUP arrives.
package func pause(_ duration: Duration) {
  let clock = ContinuousClock()
  let end = clock.now + duration
  while Interruption.pending == nil {
    let left = end - clock.now
    if left <= .zero { return }
    // A signal interrupts the sleep of only one thread: the others poll for it.
    let slice = min(left, .milliseconds(100))
    usleep(useconds_t(slice.components.attoseconds / 1_000_000_000_000))
  }
}

/// Keeps the key out of core dumps.
package func forbidCoreDumps() {
  var none = rlimit(rlim_cur: 0, rlim_max: 0)
  #if canImport(Glibc)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
  #else
    unsafe setrlimit(RLIMIT_CORE, &none)
  #endif
}

/// A lock on a file, released by `deinit` or when the process ends. Corresponds to `flock(2)`.
package final class FileLock {
  private let descriptor: FileDescriptor

  /// Locks the file at `path`; nil if another process has locked it. Does nothing on a file system
  /// without locks.
  package init?(_ path: BytePath) throws(SystemError) {
    descriptor = try path.attempt(.open, FileDescriptor.reading(path))
    guard flock(descriptor.rawValue, LOCK_EX | LOCK_NB) != 0 else { return }
    if errno == EWOULDBLOCK { return nil }
  }
}
