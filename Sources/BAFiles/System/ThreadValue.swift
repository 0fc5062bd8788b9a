import Synchronization

/// A value that holds for the thread that calls ``run(with:_:)``, until that returns, and for the
/// threads that ``HelperThreads`` starts from it. Without any, ``current`` costs one relaxed load.
///
/// Not a task-local value: on threads that no task started, these crashed optimized code.
final class ThreadValue<Value: Sendable>: Sendable {
  private let running = Atomic(0)
  private let values = Mutex<[UInt: Value]>([:])

  var current: Value? {
    guard running.load(ordering: .relaxed) > 0 else { return nil }
    return values.withLock { $0[threadNumber] }
  }

  /// Runs `body` with `value`, or as it is if there is none.
  func run<Result>(with value: Value?, _ body: () throws -> Result) rethrows -> Result {
    guard let value else { return try body() }
    let thread = threadNumber
    let previous = values.withLock { $0.updateValue(value, forKey: thread) }
    running.add(1, ordering: .relaxed)
    defer {
      running.subtract(1, ordering: .relaxed)
      values.withLock { $0[thread] = previous }
    }
    return try body()
  }
}
