/// The status that the process ends with.
package enum ExitCode: Int32, Sendable {
  /// Done; there may have been warnings.
  case success = 0
  /// There were errors, and they have been shown.
  case failure = 1
  /// What was uploaded was refused by the store.
  case rejected = 2
  /// The time to wait was over.
  case timedOut = 3
  /// The command line was not understood.
  case usage = 64
  /// Whoever read the output has closed it: as a process ends that SIGPIPE kills.
  case outputClosed = 141
}

/// Why a command could not do its work.
package enum CommandError: Error, Sendable {
  /// Something went wrong; the message is shown behind `error: `.
  case failure(String)
  /// Nobody reads the output any more, and there is nothing to say to anyone.
  case outputClosed
  /// SIGINT, SIGTERM or SIGHUP came in, by its number; the message says what that means.
  case interrupted(Int32, String)

  /// The result of `body`, whose error is described to the user.
  package static func wrapping<Result, Failure: Error & CustomStringConvertible>(
    _ body: () throws(Failure) -> Result
  ) throws(CommandError) -> Result {
    do {
      return try body()
    } catch {
      throw .failure(error.description)
    }
  }
}
