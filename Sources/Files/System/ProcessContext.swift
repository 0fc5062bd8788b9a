/// The arguments, environment and standard streams of the process.
package enum ProcessContext {
  /// The arguments after the program's name, byte for byte.
  package static var arguments: [[UInt8]] {
    (1..<max(1, Int(CommandLine.argc))).map { index in
      guard let argument = unsafe CommandLine.unsafeArgv[index] else { return [] }
      return unsafe systemBytes(argument)
    }
  }

  /// An environment variable; nil if it is not set.
  package static func environment(_ name: String) -> [UInt8]? {
    systemEnvironment(name)
  }

  /// Ends the process.
  package static func exit(_ code: CInt) -> Never {
    systemExit(code)
  }
}

extension FileDescriptor {
  /// Calls `body` with the standard input, which stays open.
  package static func withStandardInput<Result, Failure: Error>(
    _ body: (borrowing FileDescriptor) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withBorrowed(standardInput, body)
  }

  /// A second descriptor for the standard input, closed independently. Corresponds to `fcntl(2)`
  /// with `F_DUPFD_CLOEXEC`.
  package static func duplicatingStandardInput() throws(Errno) -> FileDescriptor {
    FileDescriptor(rawValue: try systemDuplicate(standardInput))
  }

  /// A second descriptor for this file, closed independently. Corresponds to `fcntl(2)` with
  /// `F_DUPFD_CLOEXEC`.
  func duplicate() throws(Errno) -> FileDescriptor {
    FileDescriptor(rawValue: try systemDuplicate(rawValue))
  }

  /// Calls `body` with the standard output, which stays open.
  package static func withStandardOutput<Result, Failure: Error>(
    _ body: (borrowing FileDescriptor) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withBorrowed(standardOutput, body)
  }

  package static func writeToStandardOutput(_ bytes: RawSpan) throws(SystemError) {
    try withStandardOutput { (output) throws(SystemError) in
      try BytePath.standardOutput.attempt(.write, output.write(bytes))
    }
  }

  /// Calls `body` with the standard error, which stays open.
  package static func withStandardError<Result, Failure: Error>(
    _ body: (borrowing FileDescriptor) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withBorrowed(standardError, body)
  }

  /// Writes `text` to the standard error, as ``printableLines(_:)``; errors are ignored.
  package static func writeToStandardError(_ text: String) {
    withStandardError { error in _ = try? error.write(printableLines(text)) }
  }

  private static func withBorrowed<Result, Failure: Error>(
    _ number: CInt, _ body: (borrowing FileDescriptor) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let descriptor = FileDescriptor(rawValue: number)
    do {
      let result = try body(descriptor)
      descriptor.release()
      return result
    } catch {
      descriptor.release()
      throw error
    }
  }

  /// Whether this is a terminal. Corresponds to `isatty(3)`.
  package var isTerminal: Bool { systemIsTerminal(rawValue) }

  /// The width of this terminal in columns; nil if it isn't a terminal or doesn't report one.
  /// Corresponds to `ioctl(2)` with `TIOCGWINSZ`.
  package var terminalWidth: Int? { systemTerminalWidth(rawValue) }
}

extension BytePath {
  /// The name of the standard input in errors.
  package static let standardInput: BytePath = "standard input"
  /// The name of the standard output in errors.
  package static let standardOutput: BytePath = "standard output"
}

/// Raises the limit of open files as far as allowed: commands that read many packs keep them open,
/// and the default on macOS is 256. Failure is ignored.
package func allowManyOpenFiles() {
  // The most that macOS accepts, whatever the hard limit.
  systemRaiseOpenFiles(to: 10_240)
}
