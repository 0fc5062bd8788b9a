#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Whether two names are the same only when their bytes are. Macs' volumes mostly find a name in
/// another case too, and all of Apple's one in another normalization.
package var namesAreBytes: Bool {
  #if canImport(Darwin)
    return false
  #else
    return true
  #endif
}

extension FileDescriptor {
  /// The names in this folder that may be `only`: that name itself, whether it is there or not,
  /// where names are their bytes; else all of them.
  package func names(of path: FilePath, only: [UInt8]?) throws(SystemError) -> [[UInt8]] {
    if let only, namesAreBytes { return [only] }
    return try names(of: path)
  }

  /// The names in this folder but `.` and `..` that `takes` wants, sorted by their bytes, whatever
  /// order the file system keeps. Corresponds to `readdir(3)`.
  package func names(
    of path: FilePath, where takes: ([UInt8]) -> Bool = { _ in true }
  ) throws(SystemError) -> [[UInt8]] {
    // The stream closes the descriptor it is given.
    let duplicate = repeatingInterrupted { fcntl(rawValue, F_DUPFD_CLOEXEC, 0) }
    guard duplicate >= 0 else { throw SystemError(.readFolder, path) }
    guard
      let stream = unsafe repeatingInterrupted({ unsafe fdopendir(duplicate) })
    else {
      let error = SystemError(.readFolder, path)
      _ = FileDescriptor(rawValue: duplicate)
      throw error
    }
    defer { unsafe closedir(stream) }
    var names: [[UInt8]] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        if errno == EINTR, Interruption.pending == nil { continue }
        guard errno == 0 else { throw SystemError(.readFolder, path) }
        break
      }
      if let name = unsafe nameBytes(entry), takes(name) { names.append(name) }
    }
    names.sort(by: precedes)
    return names
  }
}

/// The name of a record; nil for `.` and `..`. A record is shorter in memory than the type of its
/// last member claims: that may only be read through a pointer, up to its NUL.
private func nameBytes(_ entry: UnsafeMutablePointer<dirent>) -> [UInt8]? {
  guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return nil }
  let start = unsafe UnsafeRawPointer(entry).advanced(by: offset)
  let count = unsafe strlen(start.assumingMemoryBound(to: CChar.self))
  let dots = unsafe UnsafeRawBufferPointer(start: start, count: min(count, 2))
  if count <= 2, unsafe dots.allSatisfy({ $0 == ASCII.dot }) { return nil }
  return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
}

/// Whether `a` sorts before `b` by its bytes.
private func precedes(_ a: [UInt8], _ b: [UInt8]) -> Bool {
  let common = min(a.count, b.count)
  let order = unsafe memcmp(a, b, common)
  return order == 0 ? a.count < b.count : order < 0
}
