/// Why the contents of a file could not be had.
public enum FileContentsError: Error, Hashable, Sendable {
  /// The system refused.
  case system(SystemError)
  /// The file has more than this many bytes.
  case tooLarge(BytePath, limit: Int)
}

extension FileContentsError: CustomStringConvertible {
  /// For example `'a.json' is larger than 16.8 MB, the maximum`.
  public var description: String {
    switch self {
    case .system(let error): error.description
    case .tooLarge(let path, let limit):
      "'\(path)' is larger than \(byteCount(UInt64(limit))), the maximum"
    }
  }
}

extension BytePath {
  /// All bytes of a file, a pipe or a device, but no more than `limit`.
  package func contents(limit: Int) throws(FileContentsError) -> [UInt8] {
    let descriptor: FileDescriptor
    do { descriptor = try FileDescriptor.reading(self) } catch { throw .system(error) }
    return try descriptor.contents(of: self, limit: limit)
  }
}

extension FileDescriptor {
  /// All bytes from here to the end of the input, but no more than `limit`.
  package func contents(
    of path: BytePath, limit: Int
  ) throws(FileContentsError) -> [UInt8] {
    var bytes: [UInt8] = []
    var step = 1 << 14
    while true {
      let received = try mapping(FileContentsError.system, read(upTo: step, of: path))
      guard received.count <= limit - bytes.count else { throw .tooLarge(path, limit: limit) }
      bytes += received
      // Less than asked for is the end. Whoever types on a terminal should not have to say it twice.
      if received.count < step { return bytes }
      step = min(step * 2, 1 << 20)
    }
  }

  /// At most `count` bytes from where the last read stopped; fewer at the end of the input.
  package func read(
    upTo count: Int, of path: BytePath
  ) throws(SystemError) -> [UInt8] {
    var failure: SystemError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      do throws(SystemError) {
        initialized = try unsafe read(into: UnsafeMutableRawBufferPointer(buffer), of: path)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }
}
