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
    let status = try attempt(.read, input.status())
    // A device may be endless.
    let limit = status.kind == .device ? min(limit, 1 << 20) : limit
    guard status.kind != .file || status.size <= limit else {
      throw SystemError(.read, self, code: .fileTooLarge, limit: limit)
    }
    var bytes: [UInt8] = []
    var step = max(1 << 14, status.kind == .file ? Int(status.size) + 1 : 0)
    while true {
      let received = try attempt(.read, input.read(upTo: step))
      guard received.count <= limit - bytes.count else {
        throw SystemError(.read, self, code: .fileTooLarge, limit: limit)
      }
      if bytes.isEmpty { bytes = received } else { bytes += received }
      // Growing step by step would need twice the memory.
      if bytes.count > 1 << 24 { bytes.reserveCapacity(limit) }
      // A short read means the end. At a terminal, end of file should not have to be typed twice.
      if received.count < step { return bytes }
      step = min(step * 2, 1 << 20)
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

extension BytePath {
  /// Appends `text`, starting on a new line, to the file at this path; creates the file if it is
  /// missing. A pipe or device gets the text as it is.
  package func append(_ text: String) throws(SystemError) {
    let target = try outputTarget()
    if let stream = try target.openStream(self) {
      return try attempt(.write, stream.descriptor.send(Array(text.utf8)))
    }
    let file = try attempt(
      .open, FileDescriptor.opening(workingDirectory, bytes, .appending))
    let size = try attempt(.read, file.status()).size
    let last = size == 0 ? nil : try attempt(.read, file.read(1, at: size - 1)).first
    let isInLine = last != nil && last != UInt8(ascii: "\n")
    try attempt(.write, file.write(Array(((isInLine ? "\n" : "") + text).utf8)))
    try close(file)
  }
}
