import Synchronization

/// A call of the system that is to fail: the seam by which tests see every error.
///
/// A plan is followed by the thread that calls ``run(_:)``, and by those that ``onThreads(_:_:)``
/// starts there. Without a plan a call costs one relaxed load more.
package final class FailurePlan: Sendable {
  private let call: SystemCall
  private let number: Int
  private let error: Errno
  private let seen = Atomic<Int>(0)

  /// Lets the call of that `number`, from 1, among those of one kind fail with `error`.
  package init(_ call: SystemCall, number: Int, _ error: Errno) {
    self.call = call
    self.number = number
    self.error = error
  }

  /// Whether the call has come, and has failed.
  package var hasFailed: Bool { seen.load(ordering: .relaxed) >= number }

  /// Calls `body` under this plan.
  package func run<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let previous = unsafe current.pointer
    unsafe current.pointer = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    running.add(1, ordering: .relaxed)
    defer {
      running.subtract(1, ordering: .relaxed)
      unsafe current.pointer = previous
    }
    return try body()
  }

  /// The plan of this thread.
  static var ofThisThread: FailurePlan? {
    guard running.load(ordering: .relaxed) > 0, let plan = unsafe current.pointer else {
      return nil
    }
    // SAFETY: whoever called `run` holds the plan until the pointer is taken back.
    return unsafe Unmanaged<FailurePlan>.fromOpaque(plan).takeUnretainedValue()
  }

  fileprivate func failure(of call: SystemCall) -> Errno? {
    guard call == self.call else { return nil }
    return seen.add(1, ordering: .relaxed).newValue == number ? error : nil
  }
}

/// How many calls of ``FailurePlan/run(_:)`` are under way in the process.
private let running = Atomic<Int>(0)
private let current = ThreadValue()

/// The error that a call of this kind has to fail with now.
func plannedFailure(of call: SystemCall) -> Errno? {
  guard running.load(ordering: .relaxed) > 0 else { return nil }
  return FailurePlan.ofThisThread?.failure(of: call)
}

/// The kinds of calls that can be made to fail.
package enum SystemCall: CaseIterable, Sendable {
  case allocate
  case open
  case close
  case duplicate
  case read
  case write
  /// Everything that looks at a path.
  case status
  case list
  case makeFolder
  case remove
  case rename
  case link
  case lock
  case setMode
  case sync
  case thread
}
