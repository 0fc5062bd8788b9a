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

/// Why a command stopped, in words; errors of the library and of the system are thrown as they are.
package struct CommandError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
