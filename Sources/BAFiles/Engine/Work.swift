import Synchronization

/// How a long call works: on how many threads, whom it tells how far it is, and whether to stop.
///
/// Every call that can take more than a moment takes one. In an `async` function, it works on
/// threads of its own, and stops when its task is cancelled.
public struct Work: Sendable {
  /// How far a call is.
  public struct Progress: Hashable, Sendable {
    /// The bytes that are done. They only increase, and end at ``total`` if the call succeeds.
    public let done: UInt64
    /// The bytes of the whole call, which don't change.
    public let total: UInt64
    /// The pack or file that was worked on, if there is one.
    public let item: BytePath?
  }

  /// The number of threads, which affects no result. It is taken for 1 if it is smaller, and for
  /// 1024 if it is larger.
  public var threads: Int
  /// Whether to stop, asked often by any thread. A call that stops throws an error that says so, and
  /// leaves nothing that isn't complete.
  public var isCancelled: @Sendable () -> Bool
  /// Called by any thread, one at a time; it must not make calls of the same work.
  public var progress: @Sendable (Progress) -> Void

  /// Work on `threads` threads, by default one for each processor that the process may use.
  public init(
    threads: Int = Processors.available,
    isCancelled: @escaping @Sendable () -> Bool = { false },
    progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) {
    self.threads = threads
    self.isCancelled = isCancelled
    self.progress = progress
  }
}

extension Work {
  /// Runs `body` on a thread of its own, with this work, which is cancelled with the task.
  package func onThread<Result: Sendable>(
    _ body: @escaping @Sendable (Work) throws -> Result
  ) async throws -> Result {
    let flag = Flag()
    var work = self
    work.isCancelled = { [isCancelled] in flag.isSet.load(ordering: .relaxed) || isCancelled() }
    return try await withTaskCancellationHandler { [work] in
      try await withCheckedThrowingContinuation { continuation in
        let entry = ThreadBody {
          continuation.resume(with: Swift.Result { try body(work) })
        }
        guard let thread = Thread(entry) else { return continuation.resume(throwing: outOfMemory) }
        thread.detach()
      }
    } onCancel: {
      flag.isSet.store(true, ordering: .relaxed)
    }
  }

  private final class Flag: Sendable { let isSet = Atomic(false) }

  /// Counts what is done of a call, and reports it.
  package final class Meter: Sendable {
    private let work: Work
    private let state: Mutex<(done: UInt64, total: UInt64, isReported: Bool)>

    package init(_ work: Work, total: UInt64 = 0) {
      self.work = work
      state = Mutex((0, total, false))
    }

    /// Adds to the total. Call it before anything is reported.
    package func expect(_ bytes: UInt64) {
      state.withLock { $0.total = $0.total.addingReportingOverflow(bytes).partialValue }
    }

    /// More bytes of `item` are done; of more than the total, the rest isn't counted.
    package func add(_ bytes: UInt64, _ item: BytePath? = nil) {
      state.withLock { state in
        state.done += min(bytes, state.total - state.done)
        state.isReported = true
        work.progress(Progress(done: state.done, total: state.total, item: item))
      }
    }

    /// Everything is done.
    package func finish(_ item: BytePath? = nil) {
      let rest = state.withLock { $0.isReported ? $0.total - $0.done : nil }
      if rest != 0 { add(rest ?? .max, item) }
    }
  }
}
