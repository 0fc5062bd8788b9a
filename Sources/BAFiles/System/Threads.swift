/// Runs `body` on up to `count` threads, including the caller's, and returns when all have ended.
///
/// If the system refuses a thread, or memory for its stack and work, the others do its work: `body`
/// must distribute the work itself, independently of the number of threads.
package func onThreads(_ count: Int, _ body: @escaping @Sendable () -> Void) {
  let helpers = HelperThreads(possibleJobs(count) - 1, body)
  body()
  helpers.join()
}

/// Threads that run alongside the one that started them.
package struct HelperThreads {
  private var threads: [Thread] = []

  /// Runs `body` on up to `count` threads: fewer if the system refuses them, or memory for them.
  package init(_ count: Int, _ body: @escaping @Sendable () -> Void) {
    let (plan, stop) = (FailurePlan.ofThisThread.current, Work.ofThisThread.current)
    let entry = ThreadBody {
      FailurePlan.ofThisThread.run(with: plan) { Work.ofThisThread.run(with: stop, body) }
    }
    while threads.count < count, canAllocate(stackSize + roomForAThread),
      let thread = Thread(entry)
    { threads.append(thread) }
  }

  package var count: Int { threads.count }

  /// Waits until all have ended. Call it once.
  package func join() {
    for thread in threads { thread.join() }
  }
}

/// Calls `body` with each number below `count`, on up to `jobs` threads, and returns the results in
/// order. Each thread claims `share` numbers at a time; starting a thread costs about a hundred
/// system calls.
package func mapOnThreads<Element: Sendable>(
  _ count: Int, share: Int = 256, jobs: Int = Processors.available,
  _ body: @escaping @Sendable (Int) -> Element
) -> [Element] {
  mapOnThreads(count, share: share, jobs: jobs, worker: {}) { index, _ in body(index) } ?? []
}

/// The same with a worker for each thread. A thread whose `worker` is nil leaves the work to the
/// others. Nil if all are.
package func mapOnThreads<Worker, Element: Sendable>(
  _ count: Int, share: Int = 256, jobs: Int = Processors.available,
  worker: @escaping @Sendable () -> Worker?,
  _ body: @escaping @Sendable (Int, inout Worker) -> Element
) -> [Element]? {
  let shares = (count + share - 1) / share
  let parts = Monitor((next: 0, results: [[Element]](repeating: [], count: shares)))
  onThreads(shares > 1 ? min(jobs, shares) : 1) {
    func takeNext() -> Int? {
      parts.withLock { parts in
        defer { parts.next += 1 }
        return parts.next < shares ? parts.next : nil
      }
    }
    guard var worker = worker() else { return }
    while let part = takeNext() {
      let results = (part * share..<min((part + 1) * share, count)).map { body($0, &worker) }
      parts.withLock { $0.results[part] = results }
    }
  }
  var results: [Element] = []
  results.reserveCapacity(count)
  // Not joined: unspecialized code would copy one element after another.
  parts.withLock { parts in for part in parts.results { results += part } }
  return results.count == count ? results : nil
}

/// A generous estimate of a thread's memory: its worker, a few buffers, and small allocations by
/// Swift, which can't fail.
let roomForAThread = 16 << 20

/// The stack size of a thread in bytes, unless the process was started with another limit.
private let stackSize = 8 << 20

/// A value shared by threads, with a lock and a way to wait for changes.
package final class Monitor<Value>: @unchecked Sendable {
  private let lock = ConditionLock()
  private var value: Value

  package init(_ value: sending Value) { self.value = value }

  package func withLock<Result: ~Copyable>(
    _ body: (inout Value) throws -> Result
  ) rethrows -> Result {
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

  package func notifyAll() { lock.wakeAll() }
}

/// The work of a thread.
final class ThreadBody: Sendable {
  package let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
