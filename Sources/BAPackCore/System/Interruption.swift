import Synchronization

/// A request from outside to stop: SIGINT, SIGTERM or SIGHUP.
///
/// Between ``postpone()`` and the end of the process such a signal does not kill: it is noted, and
/// long work that asks for ``pending`` ends with an error on its own, with nothing left behind. Calls
/// that wait for a pipe end with ``Errno/interrupted``.
package enum Interruption {
  /// The number of the signal that came in, if any.
  package static var pending: CInt? {
    let number = signalNumber.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  /// The name of a signal that is noted here: `SIGINT`.
  package static func name(of signal: CInt) -> String {
    stoppingSignals.first { $0.number == signal }?.name ?? "signal \(signal)"
  }

  /// Notes the signals from now on, and keeps what was noted before. One that the parent process had
  /// ignored stays ignored.
  package static func postpone() {
    // A first access here, so that the handler finds the global initialized.
    _ = pending
    for (number, _) in stoppingSignals { systemHandle(number, note) }
  }

  /// Makes a write to a closed pipe fail with ``Errno/brokenPipe``, and one past the largest file
  /// allowed with an error, where the system would kill the process.
  package static func turnWriteSignalsIntoErrors() {
    writeSignals.forEach(systemIgnore)
  }
}

private let signalNumber = Atomic<CInt>(0)

private func note(_ number: CInt) {
  signalNumber.store(number, ordering: .relaxed)
}
