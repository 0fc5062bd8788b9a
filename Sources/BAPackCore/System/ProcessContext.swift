/// What the process was started with.
package enum ProcessContext {
  /// The arguments behind the program's name, byte for byte.
  package static var arguments: [[UInt8]] {
    (1..<max(1, Int(CommandLine.argc))).map { index in
      guard let argument = unsafe CommandLine.unsafeArgv[index] else { return [] }
      return unsafe systemBytes(argument)
    }
  }

  /// A variable of the environment; nil where it is not set.
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

  /// A second descriptor of the standard input, to be closed on its own. Corresponds to `fcntl(2)` with
  /// `F_DUPFD_CLOEXEC`.
  package static func duplicatingStandardInput() throws(SystemError) -> FileDescriptor {
    do throws(Errno) {
      return FileDescriptor(rawValue: try systemDuplicate(standardInput))
    } catch {
      throw SystemError(.read, "standard input", code: error)
    }
  }

  /// Calls `body` with the standard output, which stays open.
  package static func withStandardOutput<Result, Failure: Error>(
    _ body: (borrowing FileDescriptor) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withBorrowed(standardOutput, body)
  }

  /// Writes all of `bytes` to the standard output.
  package static func writeToStandardOutput(_ bytes: RawSpan) throws(SystemError) {
    try withStandardOutput { (output) throws(SystemError) in
      // SAFETY: the span is read within the closure.
      try unsafe bytes.withUnsafeBytes { (buffer) throws(SystemError) in
        try unsafe output.write(buffer, to: "standard output")
      }
    }
  }

  /// Calls `body` with the standard error, which stays open.
  package static func withStandardError<Result, Failure: Error>(
    _ body: (borrowing FileDescriptor) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withBorrowed(standardError, body)
  }

  private static func withBorrowed<Result, Failure: Error>(
    _ number: CInt, _ body: (borrowing FileDescriptor) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let descriptor = FileDescriptor(rawValue: number)
    do throws(Failure) {
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

  /// The columns of the terminal that this is; nil when it is none, or does not tell. Corresponds
  /// to `ioctl(2)` with `TIOCGWINSZ`.
  package var terminalWidth: Int? { systemTerminalWidth(rawValue) }

  /// Writes all of `bytes`; `name` stands for the stream in an error. Corresponds to `write(2)`.
  package func write(_ bytes: [UInt8], to name: BytePath) throws(SystemError) {
    // SAFETY: bytes have no padding that could be read, and are read within the closure.
    try unsafe bytes.span.bytes.withUnsafeBytes { (buffer) throws(SystemError) in
      try unsafe write(buffer, to: name)
    }
  }
}

/// Lets this process open as many files at once as it may: commands that take any number of packs
/// keep them open, and on macOS the limit is 256 unless it is raised. Where that fails, it stays.
package func allowManyOpenFiles() {
  // The most that macOS takes, whatever the hard limit says.
  systemRaiseOpenFiles(to: 10_240)
}
