#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Runs `body` on up to `count` threads, the caller's among them, and returns when all have ended.
///
/// Where the system refuses a thread the rest do its work: `body` must share its work out by
/// itself, not by the number of threads.
package func onThreads(_ count: Int, _ body: @escaping @Sendable () -> Void) {
  var threads: [pthread_t] = []
  let entry = ThreadBody(body)
  for _ in 1..<max(1, count) {
    guard let thread = start(entry) else { break }
    threads.append(thread)
  }
  body()
  for thread in threads {
    let result = pthread_join(thread, nil)
    precondition(result == 0, "pthread_join: \(result)")
  }
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func start(_ body: ThreadBody) -> pthread_t? {
  let context = unsafe Unmanaged.passRetained(body)
  #if canImport(Darwin)
    var thread: pthread_t?
    let result = unsafe pthread_create(&thread, nil, threadEntry, context.toOpaque())
  #else
    var thread = pthread_t()
    let result = unsafe pthread_create(&thread, nil, threadEntry, context.toOpaque())
  #endif
  guard result == 0 else {
    unsafe context.release()
    return nil
  }
  return thread
}

#if canImport(Darwin)
  private func threadEntry(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
    return nil
  }
#else
  private func threadEntry(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
    return nil
  }
#endif
