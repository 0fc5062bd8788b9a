import BAPackCore

/// The exit status of the process.
package enum ExitCode: Int32, Sendable {
  /// Success; there may have been warnings.
  case success = 0
  /// There were errors, which were reported.
  case failure = 1
  /// The store rejected the upload.
  case rejected = 2
  /// The wait timed out.
  case timedOut = 3
  /// The command line is invalid.
  case usage = 64
  /// The reader of the output closed the pipe: the status of a process killed by SIGPIPE.
  case outputClosed = 141
}

/// Why a command failed.
package enum CommandError: Error, Sendable {
  /// The message is shown after `error: `.
  case failure(String)
  /// The reader of the output closed the pipe; nothing is shown.
  case outputClosed
  /// Stopped by SIGINT, SIGTERM or SIGHUP, given by number; the message says what is unfinished.
  case interrupted(Int32, String)

  /// The message; empty if it can't be displayed.
  package var message: String {
    switch self {
    case .failure(let message), .interrupted(_, let message): message
    case .outputClosed: ""
    }
  }

  /// The result of `body`. Converts its error to a message.
  package static func wrapping<Result: ~Copyable, Failure: Error & CustomStringConvertible>(
    _ type: Failure.Type, _ body: @autoclosure () throws(Failure) -> Result
  ) throws(CommandError) -> Result {
    try mapping({ (error: Failure) in CommandError.failure(error.description) }, body())
  }
}
