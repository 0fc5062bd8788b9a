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

  /// Passes the bytes of `file`, which this path names in errors, to `body` in order, with their
  /// offset, in pieces that fill `buffer` except for the last. Returns the number of bytes before
  /// the first piece for which `body` returns false, or before the end.
  package func forEachPiece(
    of file: borrowing FileDescriptor, _ buffer: Buffer,
    _ body: (RawSpan, UInt64) throws(SystemError) -> Bool
  ) throws(SystemError) -> UInt64 {
    var offset: UInt64 = 0
    while true {
      // SAFETY: `read` stays within the buffer.
      let size = unsafe buffer.bytes.count
      let count = try unsafe attempt(
        .read, file.read(into: buffer.bytes, atLeast: size, at: offset))
      if count == 0 { return offset }
      let goesOn = try buffer.withSpan(..<count) { (bytes) throws(SystemError) in
        try body(bytes, offset)
      }
      if !goesOn { return offset }
      offset += UInt64(count)
      if count < size { return offset }
    }
  }
}

extension FileDescriptor {
  /// At most `count` bytes from the current position; fewer at the end of the input.
  package func read(upTo count: Int) throws(Errno) -> [UInt8] {
    // SAFETY: `read` stays within the buffer.
    try unsafe [UInt8](upTo: count) { (buffer) throws(Errno) in try unsafe read(into: buffer) }
  }

  /// `count` bytes from `offset`; fewer only at the end of the file.
  package func read(_ count: Int, at offset: UInt64) throws(Errno) -> [UInt8] {
    // Offsets are signed.
    if offset > UInt64(Int64.max) - UInt64(count) { return [] }
    // SAFETY: `read` stays within the buffer.
    return try unsafe [UInt8](upTo: count) { (buffer) throws(Errno) in
      try unsafe read(into: buffer, atLeast: count, at: offset)
    }
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
