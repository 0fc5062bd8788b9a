#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A name in a folder.
package struct DirectoryEntry: Sendable {
  /// The bytes of the name.
  package let name: [UInt8]
  /// What it names, where the file system tells without a further look.
  package let kind: FileStatus.Kind?
}

extension FileDescriptor {
  /// The names in this folder but `.` and `..`, sorted by their bytes, whatever order the file
  /// system keeps. Corresponds to `readdir(3)`.
  package consuming func entries(of path: FilePath) throws(SystemError) -> [DirectoryEntry] {
    let descriptor = rawValue
    guard let stream = unsafe fdopendir(descriptor) else {
      let error = SystemError("read folder", path)
      _ = consume self
      throw error
    }
    // The stream closes the descriptor from here on.
    discard self
    defer { unsafe closedir(stream) }
    var entries: [DirectoryEntry] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        guard errno == 0 else { throw SystemError("read folder", path) }
        break
      }
      let name = unsafe nameBytes(entry)
      if name == [UInt8(ascii: ".")] || name == [UInt8(ascii: "."), UInt8(ascii: ".")] { continue }
      entries.append(DirectoryEntry(name: name, kind: unsafe kind(entry)))
    }
    entries.sort { $0.name.lexicographicallyPrecedes($1.name) }
    return entries
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

private func kind(_ entry: UnsafeMutablePointer<dirent>) -> FileStatus.Kind? {
  switch unsafe CInt(entry.pointee.d_type) {
  case CInt(DT_REG): .file
  case CInt(DT_DIR): .directory
  case CInt(DT_LNK): .symbolicLink
  case CInt(DT_FIFO): .fifo
  case CInt(DT_SOCK): .socket
  case CInt(DT_CHR), CInt(DT_BLK): .device
  default: nil
  }
}
