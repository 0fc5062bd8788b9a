extension BytePath {
  /// All bytes of a file, pipe or device. Fails if there are more than `limit`.
  package func contents(limit: Int) throws(SystemError) -> [UInt8] {
    try contents(of: attempt(.open, FileDescriptor.reading(self)), limit: limit)
  }

  /// The same as ``contents(limit:)``; nil if the file doesn't exist.
  package func contentsIfPresent(limit: Int) throws(SystemError) -> [UInt8]? {
    try optional(.noSuchFile, call: contents(limit: limit))
  }

  /// All bytes from the current position to the end of `input`, which this path names in errors.
  /// Fails if there are more than `limit`.
  package func contents(
    of input: borrowing FileDescriptor, limit: Int
  ) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var step = 1 << 14
    while true {
      let received = try attempt(.read, input.read(upTo: step))
      guard received.count <= limit - bytes.count else {
        throw SystemError(tooLarge: self, limit: limit)
      }
      bytes += received
      // A short read means the end. At a terminal, end of file should not have to be typed twice.
      if received.count < step { return bytes }
      step = min(step * 2, 1 << 20)
    }
  }
}

extension FileDescriptor {
  /// At most `count` bytes from the current position; fewer at the end of the input.
  package func read(upTo count: Int) throws(Errno) -> [UInt8] {
    try unsafe [UInt8](upTo: count) { (buffer) throws(Errno) in try unsafe read(into: buffer) }
  }
}

extension [UInt8] {
  /// The bytes that `fill` stores in a buffer of `count` bytes; it returns their number.
  package init<Failure: Error>(
    upTo count: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) {
    var failure: Failure?
    unsafe self.init(unsafeUninitializedCapacity: count) { buffer, initialized in
      do throws(Failure) {
        initialized = try unsafe fill(UnsafeMutableRawBufferPointer(buffer))
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }
}
