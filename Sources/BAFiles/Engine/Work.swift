import Synchronization

/// How a long call works: on how many threads, whom it tells how far it is, and whether to stop.
///
/// Every call that can take more than a moment takes one. In an `async` function, it works on
/// separate threads, and stops when its task is cancelled.
public struct Work: Sendable {
  /// How far a call is.
  public struct Progress: Hashable, Sendable {
    /// The bytes, or for a check the manifests, that are done. They only increase, and end at
    /// ``total`` if the call succeeds.
    public let done: UInt64
    /// Those of the whole call, which don't change.
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
  /// Whether the calls in progress on this thread, or on the one that started it, are to stop.
  static let ofThisThread = ThreadValue<@Sendable () -> Bool>()

  package static var isStopping: Bool { ofThisThread.current?() ?? false }

  /// Throws if the work in progress was cancelled.
  package static func check() throws(Interrupted) { if isStopping { throw Interrupted() } }

  /// Runs `body`, in which ``Interruption/isPending`` asks this work too; once it is cancelled, it
  /// remains so.
  package func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    let (flag, outer) = (Flag(), Self.ofThisThread.current)
    let stop: @Sendable () -> Bool = { [isCancelled] in
      if !flag.isSet.load(ordering: .relaxed), isCancelled() || outer?() == true {
        flag.isSet.store(true, ordering: .relaxed)
      }
      return flag.isSet.load(ordering: .relaxed)
    }
    return try Self.ofThisThread.run(with: stop, body)
  }

  /// Runs `body` on a separate thread, with this work, which is cancelled with the task.
  package func onThread<Result: Sendable>(
    _ body: @escaping @Sendable (Work) throws -> Result
  ) async throws -> Result {
    let flag = Flag()
    var work = self
    work.isCancelled = { [isCancelled] in flag.isSet.load(ordering: .relaxed) || isCancelled() }
    return try await withTaskCancellationHandler { [work] in
      try await withCheckedThrowingContinuation { continuation in
        let entry = ThreadBody { continuation.resume(with: Swift.Result { try body(work) }) }
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
    private typealias State = (done: UInt64, total: UInt64, isReported: Bool)
    private let state: Mutex<State>

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
      state.withLock { add(bytes, item, to: &$0) }
    }

    /// `done` bytes are done now, unless more were already.
    package func reach(_ done: UInt64, _ item: BytePath? = nil) {
      state.withLock { state in
        if done > state.done { add(done - state.done, item, to: &state) }
      }
    }

    private func add(_ bytes: UInt64, _ item: BytePath?, to state: inout State) {
      state.done += min(bytes, state.total - state.done)
      state.isReported = true
      work.progress(Progress(done: state.done, total: state.total, item: item))
    }

    /// Everything is done.
    package func finish(_ item: BytePath? = nil) {
      let rest = state.withLock { $0.isReported ? $0.total - $0.done : nil }
      if rest != 0 { add(rest ?? .max, item) }
    }
  }
}
