#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension FileDescriptor {
  /// The names in this folder but `.` and `..`, sorted by their bytes, whatever order the file
  /// system keeps. Corresponds to `readdir(3)`.
  package func names(of path: FilePath) throws(SystemError) -> [[UInt8]] {
    // The stream closes the descriptor it is given.
    let duplicate = fcntl(rawValue, F_DUPFD_CLOEXEC, 0)
    guard duplicate >= 0 else { throw SystemError("read folder", path) }
    guard let stream = unsafe fdopendir(duplicate) else {
      let error = SystemError("read folder", path)
      _ = FileDescriptor(rawValue: duplicate)
      throw error
    }
    defer { unsafe closedir(stream) }
    var names: [[UInt8]] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        guard errno == 0 else { throw SystemError("read folder", path) }
        break
      }
      let name = unsafe nameBytes(entry)
      if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
    }
    names.sort { $0.lexicographicallyPrecedes($1) }
    return names
  }
}

/// The name of a record, which is shorter in memory than the type of its last member claims: it may
/// only be read through a pointer, up to its NUL.
private func nameBytes(_ entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
  guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return [] }
  let start = unsafe UnsafeRawPointer(entry).advanced(by: offset)
  let count = unsafe strlen(start.assumingMemoryBound(to: CChar.self))
  return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
}
