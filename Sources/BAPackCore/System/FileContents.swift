extension BytePath {
  /// All bytes of a file, a pipe or a device; more than `limit` bytes are an error.
  package func contents(limit: Int) throws(SystemError) -> [UInt8] {
    try contents(of: attempt(.open, FileDescriptor.reading(self)), limit: limit)
  }

  /// The same as ``contents(limit:)``; nil where there is no file.
  package func contentsIfPresent(limit: Int) throws(SystemError) -> [UInt8]? {
    do throws(SystemError) {
      return try contents(limit: limit)
    } catch {
      if error.code == .noSuchFile { return nil }
      throw error
    }
  }

  /// All bytes from here to the end of `input`, which this path names; more than `limit` are an error.
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
      // Less than asked for is the end. Whoever types on a terminal should not have to say it twice.
      if received.count < step { return bytes }
      step = min(step * 2, 1 << 20)
    }
  }
}

extension FileDescriptor {
  /// At most `count` bytes from where the last read stopped; fewer at the end of the input.
  package func read(upTo count: Int) throws(Errno) -> [UInt8] {
    var failure: Errno?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      do throws(Errno) {
        initialized = try unsafe read(into: UnsafeMutableRawBufferPointer(buffer))
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }
}
