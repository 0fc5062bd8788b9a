import Synchronization

/// A request to stop: SIGINT, SIGTERM or SIGHUP.
///
/// After ``postpone()`` such a signal no longer kills the process: it is recorded, and long
/// operations check ``pending`` and end with an error, leaving nothing behind. Calls that wait for
/// a pipe fail with ``Errno/interrupted``.
package enum Interruption {
  /// The number of the signal that arrived, if any.
  package static var pending: CInt? {
    let number = signalNumber.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  /// Whether a signal arrived, or the ``Work`` in progress on this thread was cancelled.
  package static var isPending: Bool { pending != nil || Work.isStopping }

  /// The name of a signal that is handled here: `SIGINT`.
  package static func name(of signal: CInt) -> String {
    stoppingSignals.first { $0.number == signal }?.name ?? "signal \(signal)"
  }

  /// Records the signals from now on; a pending one is kept. A signal that the parent process
  /// ignored stays ignored.
  package static func postpone() {
    // Initializes the global before the handler can access it.
    _ = pending
    for (number, _) in stoppingSignals { systemHandle(number, remember) }
  }
}

/// The work was cancelled, or a signal asked the process to stop.
package struct Interrupted: Error, Hashable, Sendable, CustomStringConvertible {
  private let signal: CInt?
  private let outcome: String?

  /// An interruption by `signal`, or by who asked for the work if it is nil; `outcome` tells what is
  /// left behind, for people.
  package init(signal: CInt? = Interruption.pending, _ outcome: String? = nil) {
    self.signal = signal
    self.outcome = outcome
  }

  package static func check(_ outcome: String? = nil) throws(Interrupted) {
    if Interruption.isPending { throw Interrupted(outcome) }
  }

  /// Whether the work was cancelled, rather than stopped by a signal.
  package var isCancellation: Bool { signal == nil }

  /// For example `stopped by SIGINT; nothing was written`.
  package var description: String {
    (signal.map { "stopped by \(Interruption.name(of: $0))" } ?? "cancelled")
      + (outcome.map { "; \($0)" } ?? "")
  }
}

extension SystemError {
  /// The interruption that caused this error, or else the error itself.
  package var cause: any Error {
    code == .interrupted && Interruption.isPending ? Interrupted() : self
  }
}

private let signalNumber = Atomic<CInt>(0)

func remember(_ number: CInt) {
  signalNumber.store(number, ordering: .relaxed)
}
