#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension FileDescriptor {
  /// The columns of the terminal that this is; nil when it is none, or does not tell. Corresponds
  /// to `ioctl(2)` with `TIOCGWINSZ`.
  public var terminalWidth: Int? {
    var size = winsize()
    let result = unsafe ioctl(rawValue, UInt(TIOCGWINSZ), &size)
    return result == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
  }

  /// Writes all of `bytes`; `name` stands for the stream in an error. Corresponds to `write(2)`.
  public func write(_ bytes: [UInt8], to name: FilePath) throws(SystemError) {
    // SAFETY: bytes have no padding that could be read, and are read within the closure.
    try unsafe bytes.span.bytes.withUnsafeBytes { (buffer) throws(SystemError) in
      try unsafe write(buffer, to: name)
    }
  }
}
