/// An open file or folder, closed by `deinit`.
///
/// Calls that a signal interrupts are repeated, unless it is an ``Interruption``. Short reads and
/// writes are completed here. After writing to a file, close it with ``close()``, which reports
/// errors that `deinit` can't.
package struct FileDescriptor: ~Copyable, Sendable {
  package let rawValue: CInt
  private let isBorrowed: Bool

  init(rawValue: CInt) {
    self.rawValue = rawValue
    isBorrowed = false
  }

  /// A descriptor that stays open.
  init(borrowing number: CInt) {
    rawValue = number
    isBorrowed = true
  }

  // A file that was written to has been closed by `close()`, which reports errors.
  deinit { if !isBorrowed { try? systemClose(rawValue) } }

  /// Opens a file for reading. A named pipe fails with ``Errno/namedPipe``, as it may never get a
  /// writer; a pipe that this process inherited (`/dev/fd/63`) is allowed.
  package static func reading(_ path: BytePath) throws(Errno) -> FileDescriptor {
    let file = try opening(workingDirectory, path.bytes, .nonBlocking)
    if !path.isOpenDescriptor, try file.status().kind == .fifo { throw .namedPipe }
    return file
  }

  /// Opens the folder `path`.
  package static func directory(_ path: BytePath) throws(Errno) -> FileDescriptor {
    try opening(workingDirectory, path.bytes, .directory)
  }

  /// Opens a file below this folder for reading at offsets. Reading from a named pipe fails with
  /// ``Errno/illegalSeek``.
  package func reading(_ path: RelativePath) throws(Errno) -> FileDescriptor {
    try Self.opening(rawValue, path.bytes, .nonBlocking)
  }

  /// Opens a folder below this one, or this one again for the root path.
  package func directory(_ path: RelativePath) throws(Errno) -> FileDescriptor {
    try Self.opening(rawValue, path.bytes.isEmpty ? [ASCII.dot] : path.bytes, .directory)
  }

  /// Creates a file with `mode` minus the umask; fails if it exists.
  package static func creating(
    _ path: BytePath, mode: UInt32 = 0o666
  ) throws(Errno) -> FileDescriptor {
    try opening(workingDirectory, path.bytes, [.readingAndWriting, .creating], mode: mode)
  }

  /// Reads at `offset` until `buffer` contains at least `count` bytes or the file ends, and never
  /// past the end of `buffer`. Returns the number of bytes read.
  ///
  /// A `count` less than the size of `buffer` detects a file that has grown, in one call.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, atLeast count: Int, at offset: UInt64
  ) throws(Errno) -> Int {
    var done = 0
    while done < count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let received = try unsafe systemRead(rawValue, rest, at: offset + UInt64(done))
      if received == 0 { break }
      done += received
    }
    return done
  }

  /// Reads from the current position until `buffer` is full or the input ends; returns the number
  /// of bytes read.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
    var done = 0
    while done < buffer.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      try wait()
      let received = try unsafe systemRead(rawValue, rest)
      if received == 0 { break }
      done += received
    }
    return done
  }

  /// Waits until a pipe has data, or room, or has ended. A signal interrupts only the thread that
  /// receives it, so the others poll for one. Any other error is reported by the next call.
  func wait(toWrite: Bool = false) throws(Errno) {
    while !isReady(toWrite: toWrite, milliseconds: 200) {
      if Interruption.isPending { throw .interrupted }
    }
  }

  /// Writes all of `bytes`, at `offset` if there is one.
  package func write(_ bytes: RawSpan, at offset: UInt64? = nil) throws(Errno) {
    // SAFETY: the span is read within the closure.
    try unsafe bytes.withUnsafeBytes { (buffer) throws(Errno) in
      var done = 0
      while done < buffer.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
        done += try unsafe systemWrite(rawValue, rest, at: offset.map { $0 + UInt64(done) })
      }
    }
  }

  package func write(_ bytes: [UInt8]) throws(Errno) {
    try bytes.withRawSpan { bytes throws(Errno) in try write(bytes) }
  }

  /// Closes the file and reports errors of delayed writes.
  package consuming func close() throws(Errno) {
    let descriptor = rawValue
    discard self
    try systemClose(descriptor)
  }

  consuming func release() { discard self }
}

extension BytePath {
  /// Closes `file`, which this path names.
  package func close(_ file: consuming FileDescriptor) throws(SystemError) {
    do { try file.close() } catch { throw SystemError(.close, self, code: error) }
  }
}

extension FileDescriptor {
  /// The standard streams, which stay open.
  package static var standardInput: FileDescriptor { FileDescriptor(borrowing: 0) }
  package static var standardOutput: FileDescriptor { FileDescriptor(borrowing: 1) }
  package static var standardError: FileDescriptor { FileDescriptor(borrowing: 2) }

  package static func writeToStandardOutput(_ bytes: RawSpan) throws(SystemError) {
    try BytePath.standardOutput.attempt(.write, standardOutput.write(bytes))
  }

  /// Writes `text` to the standard error, as ``printableLines(_:)``; errors are ignored.
  package static func writeToStandardError(_ text: String) {
    _ = try? standardError.write(printableLines(text))
  }
}

extension BytePath {
  /// The name of the standard input in errors.
  package static let standardInput: BytePath = "standard input"
  /// The name of the standard output in errors.
  package static let standardOutput: BytePath = "standard output"
}
