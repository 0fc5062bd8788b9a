import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A request from outside to stop: SIGINT, SIGTERM or SIGHUP.
///
/// Between ``postpone()`` and the end of the process such a signal does not kill: it is noted, and
/// long work that asks for ``pending`` ends with an error on its own, with nothing left behind. Calls
/// that wait for a pipe end with ``Errno/interrupted``.
public enum Interruption {
  /// The number of the signal that came in, if any.
  public static var pending: CInt? {
    let number = signalNumber.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  /// The name of a signal that is noted here: `SIGINT`.
  public static func name(of signal: CInt) -> String {
    switch signal {
    case SIGHUP: "SIGHUP"
    case SIGINT: "SIGINT"
    case SIGTERM: "SIGTERM"
    default: "signal \(signal)"
    }
  }

  /// Notes the signals from now on, and keeps what was noted before. One that the parent process had
  /// ignored stays ignored.
  public static func postpone() {
    // A first access here, so that the handler finds the global initialized.
    _ = pending
    for number in [SIGINT, SIGTERM, SIGHUP] {
      var old = sigaction()
      guard unsafe sigaction(number, nil, &old) == 0 else { continue }
      if isIgnored(old) { continue }
      // Without SA_RESTART, so that waiting calls end.
      var new = handling(note)
      unsafe sigaction(number, &new, nil)
    }
  }

  /// Makes a write to a closed pipe fail with ``Errno/brokenPipe``, and one past the largest file
  /// allowed with an error, where the system would kill the process.
  public static func turnWriteSignalsIntoErrors() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }
}

private let signalNumber = Atomic<CInt>(0)

private func note(_ number: CInt) {
  signalNumber.store(number, ordering: .relaxed)
}

private func handling(_ handler: @escaping @convention(c) (CInt) -> Void) -> sigaction {
  var action = sigaction()
  #if canImport(Darwin)
    unsafe action.__sigaction_u.__sa_handler = handler
  #else
    unsafe action.__sigaction_handler.sa_handler = handler
  #endif
  return action
}

private func isIgnored(_ action: sigaction) -> Bool {
  #if canImport(Darwin)
    let handler = unsafe action.__sigaction_u.__sa_handler
  #else
    let handler = unsafe action.__sigaction_handler.sa_handler
  #endif
  return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
}
