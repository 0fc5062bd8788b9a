#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Lets this process open as many files at once as it may: commands that take any number of packs
/// keep them open, and on macOS the limit is 256 unless it is raised. Where that fails, it stays.
public func allowManyOpenFiles() {
  #if canImport(Glibc)
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    let resource = RLIMIT_NOFILE
  #endif
  var limit = rlimit()
  guard unsafe getrlimit(resource, &limit) == 0 else { return }
  // The most that macOS takes, whatever the hard limit says.
  limit.rlim_cur = min(max(limit.rlim_cur, 10_240), limit.rlim_max)
  unsafe setrlimit(resource, &limit)
}
