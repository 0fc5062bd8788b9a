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

/// A value that threads share, with a lock around it and a way to wait for it to change.
package final class Monitor<Value>: @unchecked Sendable {
  private let lock = ConditionLock()
  private var value: Value

  /// Guards `value`.
  package init(_ value: sending Value) { self.value = value }

  /// Calls `body` with the value while no other thread has it.
  package func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }

  /// Calls `body` with the value, again after each ``notifyAll()``, until it returns a result.
  package func wait<Result>(for body: (inout Value) -> Result?) -> Result {
    lock.lock()
    defer { lock.unlock() }
    while true {
      if let result = body(&value) { return result }
      lock.wait()
    }
  }

  /// Wakes every thread that waits.
  package func notifyAll() { lock.wakeAll() }
}
