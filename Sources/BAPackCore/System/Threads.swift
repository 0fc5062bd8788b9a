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
  var threads: [Thread] = []
  let plan = FailurePlan.ofThisThread
  let entry = ThreadBody { if let plan { plan.run(body) } else { body() } }
  for _ in 1..<max(1, count) {
    guard let thread = Thread(entry) else { break }
    threads.append(thread)
  }
  body()
  for thread in threads { thread.join() }
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

#if canImport(Darwin)
  /// A thread that runs; whoever started it joins it, once.
  @safe private struct Thread {
    private let handle: pthread_t

    init?(_ body: ThreadBody) {
      let context = unsafe Unmanaged.passRetained(body)
      var handle: pthread_t?
      let result = unsafe pthread_create(&handle, nil, runThread, context.toOpaque())
      guard result == 0, let handle = unsafe handle else {
        unsafe context.release()
        return nil
      }
      unsafe self.handle = handle
    }

    func join() {
      let result = unsafe pthread_join(handle, nil)
      precondition(result == 0, "pthread_join: \(result)")
    }
  }

  private func runThread(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
    return nil
  }
#else
  /// A thread that runs; whoever started it joins it, once.
  private struct Thread {
    private let handle: pthread_t

    init?(_ body: ThreadBody) {
      let context = unsafe Unmanaged.passRetained(body)
      var handle = pthread_t()
      guard unsafe pthread_create(&handle, nil, runThread, context.toOpaque()) == 0 else {
        unsafe context.release()
        return nil
      }
      self.handle = handle
    }

    func join() {
      let result = pthread_join(handle, nil)
      precondition(result == 0, "pthread_join: \(result)")
    }
  }

  private func runThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
    return nil
  }
#endif
