import Synchronization

/// A plan to make one system call fail, so that tests can reach every error.
///
/// A plan applies to the thread that calls ``run(_:)`` and to the threads that ``onThreads(_:_:)``
/// starts from it. Without a plan, the cost is one relaxed load per call.
package final class FailurePlan: Sendable {
  private let call: SystemCall
  private let number: Int
  private let error: Errno
  private let seen = Atomic<Int>(0)

  package init(_ call: SystemCall, number: Int, _ error: Errno) {
    self.call = call
    self.number = number
    self.error = error
  }

  /// Whether the call was made, and so failed.
  package var hasFailed: Bool { seen.load(ordering: .relaxed) >= number }

  /// The number of calls of this kind after the one that failed.
  package var callsAfterFailure: Int { max(0, seen.load(ordering: .relaxed) - number) }

  package func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    let previous = unsafe current.pointer
    unsafe current.pointer = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    running.add(1, ordering: .relaxed)
    defer {
      running.subtract(1, ordering: .relaxed)
      unsafe current.pointer = previous
    }
    return try body()
  }

  static var ofThisThread: FailurePlan? {
    guard running.load(ordering: .relaxed) > 0, let plan = unsafe current.pointer else {
      return nil
    }
    // SAFETY: the caller of `run` keeps the plan alive until the pointer is reset.
    return unsafe Unmanaged<FailurePlan>.fromOpaque(plan).takeUnretainedValue()
  }

  fileprivate func failure(of call: SystemCall) -> Errno? {
    guard call == self.call else { return nil }
    return seen.add(1, ordering: .relaxed).newValue == number ? error : nil
  }
}

/// The number of calls of ``FailurePlan/run(_:)`` in progress in the process.
private let running = Atomic<Int>(0)
private let current = ThreadValue()

/// The error that this call must fail with, if any.
func plannedFailure(of call: SystemCall) -> Errno? {
  guard running.load(ordering: .relaxed) > 0 else { return nil }
  return FailurePlan.ofThisThread?.failure(of: call)
}

package enum SystemCall: CaseIterable, Sendable {
  case allocate
  case open
  case close
  case duplicate
  case read
  case write
  /// Every call that looks up a path.
  case status
  case list
  case makeFolder
  case remove
  case rename
  case link
  case lock
  case setMode
  case touch
  case sync
  case thread
}
