import BAPackCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Seconds since 1970 by this machine's clock.
package func secondsSince1970() -> Int { time(nil) }

/// Sleeps for that long, or until SIGINT, SIGTERM or SIGHUP comes in.
package func pause(_ duration: Duration) {
  let clock = ContinuousClock()
  let end = clock.now + duration
  while Interruption.pending == nil {
    let left = end - clock.now
    if left <= .zero { return }
    // A signal interrupts the sleep of one thread only: the others look for it now and then.
    let slice = min(left, .milliseconds(100))
    usleep(useconds_t(slice.components.attoseconds / 1_000_000_000_000))
  }
}

/// Keeps the key out of the files that the system writes when a process crashes.
package func forbidCoreDumps() {
  var none = rlimit(rlim_cur: 0, rlim_max: 0)
  #if canImport(Glibc)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
  #else
    unsafe setrlimit(RLIMIT_CORE, &none)
  #endif
}

/// A lock on a file that goes with its owner, or with the process however it ends. Corresponds to
/// `flock(2)`.
package final class FileLock {
  private let descriptor: FileDescriptor

  /// Locks the file at `path`; nil where another process has it locked. A file system that knows no
  /// locks locks nothing.
  package init?(_ path: BytePath) throws(SystemError) {
    descriptor = try path.attempt(.open, FileDescriptor.reading(path))
    guard flock(descriptor.rawValue, LOCK_EX | LOCK_NB) != 0 else { return }
    if errno == EWOULDBLOCK { return nil }
  }
}
