extension BytePath {
  /// Appends `text`, starting on a new line, to the file at this path; creates the file if it is
  /// missing. A pipe or device gets the text as it is. Corresponds to `open(2)` with `O_APPEND`.
  package func append(_ text: String) throws(SystemError) {
    let place = try outputPlace()
    if let stream = try place.openStream(self) {
      let bytes = Array(text.utf8)
      // SAFETY: bytes have no padding that could be read.
      return try unsafe attempt(.write, stream.descriptor.send(bytes.span.bytes))
    }
    let file = try attempt(
      .open, FileDescriptor.opening(workingDirectory, bytes, .appending))
    let last = try attempt(.read, file.lastByte())
    let isInLine = last != nil && last != UInt8(ascii: "\n")
    try attempt(.write, file.write(Array(((isInLine ? "\n" : "") + text).utf8)))
    try close(file)
  }
}

extension FileDescriptor {
  /// The last byte of the file; nil if it is empty. Corresponds to `pread(2)`.
  fileprivate func lastByte() throws(Errno) -> UInt8? {
    let size = try status().size
    if size == 0 { return nil }
    return try read(1, at: size - 1).first
  }
}
