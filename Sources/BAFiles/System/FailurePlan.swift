import Synchronization

/// A plan to make a system call fail, once or from then on, so that tests can reach every error.
///
/// A plan applies to the thread that calls ``run(_:)`` and to the threads that ``onThreads(_:_:)``
/// starts from it. Without a plan, the cost is one relaxed load per call.
package final class FailurePlan: Sendable {
  private let call: SystemCall
  private let number: Int
  private let error: Errno
  private let isLasting: Bool
  private let seen = Atomic<Int>(0)

  /// Call `number` of this kind fails; if `isLasting`, so do all after it.
  package init(_ call: SystemCall, number: Int, _ error: Errno, isLasting: Bool = false) {
    self.call = call
    self.number = number
    self.error = error
    self.isLasting = isLasting
  }

  /// Whether the call was made, and so failed.
  package var hasFailed: Bool { seen.load(ordering: .relaxed) >= number }

  /// The number of calls of this kind after the one that failed.
  package var callsAfterFailure: Int { max(0, seen.load(ordering: .relaxed) - number) }

  package func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    try Self.ofThisThread.run(with: self, body)
  }

  static let ofThisThread = ThreadValue<FailurePlan>()

  fileprivate func failure(of call: SystemCall) -> Errno? {
    guard call == self.call else { return nil }
    let count = seen.add(1, ordering: .relaxed).newValue
    return count == number || isLasting && count > number ? error : nil
  }
}

/// The error that this call must fail with, if any.
func plannedFailure(of call: SystemCall) -> Errno? {
  FailurePlan.ofThisThread.current?.failure(of: call)
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
