#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An open file or folder, closed when its owner goes.
///
/// Calls that a signal interrupts are repeated, unless it is an ``Interruption``, and short reads and
/// writes are completed here. Whoever wrote to a file closes it with ``close(_:)``, which reports what
/// `deinit` can't.
public struct FileDescriptor: ~Copyable, Sendable {
  package let rawValue: CInt

  init(rawValue: CInt) { self.rawValue = rawValue }

  deinit { _ = systemClose(rawValue) }

  /// Opens a file for reading. Corresponds to `open(2)`.
  public static func reading(_ path: FilePath) throws(SystemError) -> FileDescriptor {
    try opening(.open, path, AT_FDCWD, path.bytes, O_RDONLY | O_CLOEXEC)
  }

  /// Opens the folder `path`. Corresponds to `open(2)` with `O_DIRECTORY`.
  public static func directory(_ path: FilePath) throws(SystemError) -> FileDescriptor {
    try opening(.openFolder, path, AT_FDCWD, path.bytes, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  }

  /// Opens a file below this folder for reading; a named pipe does not hold the call up.
  /// Corresponds to `openat(2)`.
  public func reading(_ path: RelativePath) throws(SystemError) -> FileDescriptor {
    try Self.opening(
      .open, FilePath(path.bytes), rawValue, path.bytes, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  }

  /// Opens a folder below this one; the root path opens this one anew. Corresponds to `openat(2)`.
  public func directory(_ path: RelativePath) throws(SystemError) -> FileDescriptor {
    try Self.opening(
      .openFolder, FilePath(path.bytes), rawValue,
      path.bytes.isEmpty ? [ASCII.dot] : path.bytes, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  }

  /// Makes a new file with mode 0666 less the umask; fails where one exists. Corresponds to
  /// `open(2)` with `O_CREAT` and `O_EXCL`.
  public static func creating(_ path: FilePath) throws(SystemError) -> FileDescriptor {
    try opening(.create, path, AT_FDCWD, path.bytes, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC)
  }

  private static func opening(
    _ operation: SystemError.Operation, _ shown: FilePath, _ folder: CInt, _ bytes: [UInt8],
    _ flags: CInt
  ) throws(SystemError) -> FileDescriptor {
    let descriptor = unsafe withCBytes(bytes) { path in
      repeatingInterrupted { unsafe openat(folder, path, flags, 0o666) }
    }
    guard descriptor >= 0 else { throw SystemError(operation, shown) }
    return FileDescriptor(rawValue: descriptor)
  }

  /// Reads at `offset` until `buffer` holds at least `count` bytes or the file ends; never more
  /// than fit. Returns the bytes read. Corresponds to `pread(2)`.
  ///
  /// Asking for fewer than fit tells a file that has grown from one that has not, in one call.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, atLeast count: Int, at offset: UInt64,
    of path: FilePath
  ) throws(SystemError) -> Int {
    var done = 0
    while done < count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let received = repeatingInterrupted {
        unsafe pread(rawValue, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
      }
      guard received >= 0 else { throw SystemError(.read, path) }
      if received == 0 { break }
      done += received
    }
    return done
  }

  /// Reads from where the last read stopped until `buffer` is full or the input ends; returns the
  /// bytes read. Corresponds to `read(2)`, after `poll(2)`.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, of path: FilePath
  ) throws(SystemError) -> Int {
    var done = 0
    while done < buffer.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      try waitForInput(path)
      let received = repeatingInterrupted {
        unsafe systemRead(rawValue, rest.baseAddress, rest.count)
      }
      guard received >= 0 else { throw SystemError(.read, path) }
      if received == 0 { break }
      done += received
    }
    return done
  }

  /// Waits until a pipe has something to read, or has ended. A signal interrupts only the thread that
  /// it reaches, so the others look for one now and then.
  private func waitForInput(_ path: FilePath) throws(SystemError) {
    var state = pollfd(fd: rawValue, events: Int16(POLLIN), revents: 0)
    while true {
      let result = unsafe poll(&state, 1, 200)
      // Any other error is the read's to tell.
      if result > 0 || (result < 0 && errno != EINTR) { return }
      if Interruption.pending != nil { throw SystemError(.read, path, code: .interrupted) }
    }
  }

  /// Writes all of `buffer`. Corresponds to `write(2)`.
  package func write(
    _ buffer: UnsafeRawBufferPointer, to path: FilePath
  ) throws(SystemError) {
    var done = 0
    while done < buffer.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
      let sent = repeatingInterrupted {
        unsafe systemWrite(rawValue, rest.baseAddress, rest.count)
      }
      guard sent >= 0 else { throw SystemError(.write, path) }
      done += sent
    }
  }

  /// Closes the file and reports what the system could not keep. Corresponds to `close(2)`.
  public consuming func close(_ path: FilePath) throws(SystemError) {
    let descriptor = rawValue
    discard self
    // An interrupted close has closed the descriptor, and must not be repeated.
    guard systemClose(descriptor) == 0 || errno == EINTR else { throw SystemError(.close, path) }
  }
}

/// Repeats a call while it fails only because a signal came in that asks for nothing.
func repeatingInterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result != -1 || errno != EINTR || Interruption.pending != nil { return result }
  }
}

/// Repeats a call that returns an address, or none where it fails.
func repeatingInterrupted<Address>(_ call: () -> Address?) -> Address? {
  while true {
    if let result = call() { return result }
    if errno != EINTR || Interruption.pending != nil { return nil }
  }
}

private func systemClose(_ descriptor: CInt) -> CInt { close(descriptor) }

private func systemRead(_ descriptor: CInt, _ start: UnsafeMutableRawPointer?, _ count: Int) -> Int
{
  unsafe read(descriptor, start, count)
}

private func systemWrite(_ descriptor: CInt, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(descriptor, start, count)
}
