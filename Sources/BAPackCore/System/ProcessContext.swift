#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the process was started with.
public enum ProcessContext {
  /// The arguments behind the program's name, byte for byte.
  public static var arguments: [[UInt8]] {
    (1..<max(1, Int(CommandLine.argc))).map { index in
      guard let argument = unsafe CommandLine.unsafeArgv[index] else { return [] }
      return unsafe Array(UnsafeRawBufferPointer(start: argument, count: strlen(argument)))
    }
  }

  /// A variable of the environment; nil where it is not set.
  public static func environment(_ name: String) -> [UInt8]? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
  }

  /// Ends the process.
  public static func exit(_ code: CInt) -> Never {
    systemExit(code)
  }
}

private func systemExit(_ code: CInt) -> Never { exit(code) }

extension FileDescriptor {
  /// Calls `body` with the standard input, which stays open.
  public static func withStandardInput<Result, Failure: Error>(
    _ body: (borrowing FileDescriptor) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withBorrowed(STDIN_FILENO, body)
  }

  /// A second descriptor of the standard input, to be closed on its own. Corresponds to `dup(2)`.
  public static func duplicatingStandardInput() throws(SystemError) -> FileDescriptor {
    let descriptor = dup(STDIN_FILENO)
    guard descriptor >= 0 else { throw SystemError(.read, "standard input") }
    return FileDescriptor(rawValue: descriptor)
  }

  /// Calls `body` with the standard output, which stays open.
  public static func withStandardOutput<Result, Failure: Error>(
    _ body: (borrowing FileDescriptor) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withBorrowed(STDOUT_FILENO, body)
  }

  /// Writes all of `bytes` to the standard output.
  public static func writeToStandardOutput(_ bytes: RawSpan) throws(SystemError) {
    try withStandardOutput { (output) throws(SystemError) in
      // SAFETY: the span is read within the closure.
      try unsafe bytes.withUnsafeBytes { (buffer) throws(SystemError) in
        try unsafe output.write(buffer, to: "standard output")
      }
    }
  }

  /// Calls `body` with the standard error, which stays open.
  public static func withStandardError<Result, Failure: Error>(
    _ body: (borrowing FileDescriptor) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withBorrowed(STDERR_FILENO, body)
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

  private consuming func release() { discard self }

  /// Whether this is a terminal. Corresponds to `isatty(3)`.
  public var isTerminal: Bool { isatty(rawValue) == 1 }
}
