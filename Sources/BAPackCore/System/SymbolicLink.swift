#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension FilePath {
  /// Where the symbolic link at this path points, as written in it. Corresponds to `readlink(2)`.
  package func linkTarget() throws(SystemError) -> FilePath {
    // The longest target that Linux (PATH_MAX) or macOS stores.
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let capacity = buffer.count
    let count = unsafe withCString { path in
      repeatingInterrupted { unsafe readlink(path, &buffer, capacity) }
    }
    guard count >= 0 else { throw SystemError(.readLink, self) }
    return FilePath(buffer.prefix(count).map { UInt8(bitPattern: $0) })
  }

  /// The absolute path without links, `.` or `..`; every part must exist. Corresponds to
  /// `realpath(3)`.
  package func resolved() throws(SystemError) -> FilePath {
    let result = unsafe withCString { path in
      unsafe repeatingInterrupted { unsafe realpath(path, nil) }
    }
    guard let result = unsafe result else { throw SystemError(.lookUp, self) }
    defer { unsafe free(result) }
    let count = unsafe strlen(result)
    return unsafe FilePath(UnsafeRawBufferPointer(start: result, count: count))
  }
}
