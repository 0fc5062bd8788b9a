extension BytePath {
  /// Appends `text`, which begins on a line of its own, to the file at this path, which is made if it
  /// is missing. Corresponds to `open(2)` with `O_APPEND`.
  package func append(_ text: String) throws(SystemError) {
    let file = try FileDescriptor.opening(.open, self, workingDirectory, bytes, .appending)
    let size = try file.status(self).size
    let isInLine = size > 0 ? try file.byte(at: size - 1, of: self) != UInt8(ascii: "\n") : false
    // SAFETY: bytes have no padding that could be read, and are read within the closure.
    let lines = Array(((isInLine ? "\n" : "") + text).utf8)
    try unsafe lines.span.bytes.withUnsafeBytes { (buffer) throws(SystemError) in
      try unsafe file.write(buffer, to: self)
    }
    try file.close(self)
  }
}

extension FileDescriptor {
  /// The byte at `offset`; nil after the end. Corresponds to `pread(2)`.
  fileprivate func byte(at offset: UInt64, of path: BytePath) throws(SystemError) -> UInt8? {
    let result = unsafe withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) {
      buffer -> Result<UInt8?, SystemError> in
      do throws(SystemError) {
        let count = try unsafe read(into: buffer, atLeast: 1, at: offset, of: path)
        return .success(count == 1 ? unsafe buffer[0] : nil)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
