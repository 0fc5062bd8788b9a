/// Runs `body` on up to `count` threads, the caller's among them, and returns when all have ended.
///
/// Where the system refuses a thread, or memory for its stack and its work, the rest do its work:
/// `body` must share its work out by itself, not by the number of threads.
package func onThreads(_ count: Int, _ body: @escaping @Sendable () -> Void) {
  let helpers = HelperThreads(count - 1, body)
  body()
  helpers.join()
}

/// Threads that run beside the one that started them.
struct HelperThreads {
  private var threads: [Thread] = []

  /// Runs `body` on up to `count` threads: fewer if the system refuses them, or memory for them.
  init(_ count: Int, _ body: @escaping @Sendable () -> Void) {
    let plan = FailurePlan.ofThisThread
    let entry = ThreadBody { if let plan { plan.run(body) } else { body() } }
    while threads.count < count, canAllocate(stackSize + roomForAThread),
      let thread = Thread(entry)
    { threads.append(thread) }
  }

  /// Waits until all have ended; to be called once.
  func join() {
    for thread in threads { thread.join() }
  }
}

/// Calls `body` with each number below `count`, and returns the results in order. A thread takes
/// `share` of them at a time; it is started in the time of about a hundred system calls.
package func mapOnThreads<Element: Sendable>(
  _ count: Int, share: Int = 256, _ body: @escaping @Sendable (Int) -> Element
) -> [Element] {
  let shares = (count + share - 1) / share
  let parts = Monitor((next: 0, results: [[Element]](repeating: [], count: shares)))
  onThreads(shares > 1 ? min(Processors.available, shares) : 1) {
    func takeNext() -> Int? {
      parts.withLock { parts in
        defer { parts.next += 1 }
        return parts.next < shares ? parts.next : nil
      }
    }
    while let part = takeNext() {
      let results = (part * share..<min((part + 1) * share, count)).map(body)
      parts.withLock { $0.results[part] = results }
    }
  }
  return parts.withLock { Array($0.results.joined()) }
}

/// Bytes that a thread needs, with room to spare: its worker, a few buffers, and small things, which
/// Swift allocates and which can't be refused.
let roomForAThread = 16 << 20

/// Bytes of a thread's stack, unless the process was started with another limit.
private let stackSize = 8 << 20

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
