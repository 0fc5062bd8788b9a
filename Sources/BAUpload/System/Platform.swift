import BAPackCore

#if os(Linux)
  import CBALinux
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

package func secondsSince1970() -> Int { Int(systemTime() / 1_000_000_000) }

/// Sleeps for `duration`; throws when SIGINT, SIGTERM or SIGHUP arrives.
func pause(_ duration: Duration) throws {
  let end = ContinuousClock.now + duration
  while true {
    try Interrupted.check("the same command continues")
    let left = end - .now
    if left <= .zero { return }
    // A signal interrupts the sleep of only one thread: the others poll for it.
    let slice = min(left, .milliseconds(100))
    usleep(useconds_t(slice.components.attoseconds / 1_000_000_000_000))
  }
}

/// Keeps the key out of core dumps. On Linux, the limit doesn't concern dumps that are piped to a
/// program such as systemd-coredump.
package func forbidCoreDumps() {
  #if os(Linux)
    _ = linux_forbid_core_dumps()
  #endif
  var none = rlimit(rlim_cur: 0, rlim_max: 0)
  #if canImport(Glibc)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
  #else
    unsafe setrlimit(RLIMIT_CORE, &none)
  #endif
}
