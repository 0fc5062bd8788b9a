import Foundation

// What tests do with the calls of POSIX.

extension TemporaryFolder {
  /// Creates a sparse file of `size` bytes.
  package func writeSparse(_ name: String, size: UInt64) throws {
    try write(name, [])
    try truncate(name, to: size)
  }

  /// Changes the size of a file.
  package func truncate(_ name: String, to size: UInt64) throws {
    try check(setSize("\(path)/\(name)", off_t(size)))
  }

  /// Makes a symbolic link to `target`, as written.
  package func link(_ name: String, to target: String) throws {
    try FileManager.default.createDirectory(
      atPath: ("\(path)/\(name)" as NSString).deletingLastPathComponent,
      withIntermediateDirectories: true)
    try check(unsafe symlink(target, "\(path)/\(name)"))
  }

  /// Makes a named pipe.
  package func makePipe(_ name: String) throws {
    try check(unsafe mkfifo("\(path)/\(name)", 0o644))
  }

  /// Makes a socket.
  package func makeSocket(_ name: String) throws {
    #if canImport(Darwin)
      // Only binding creates a socket there, and its path is limited to 103 bytes.
      let short = "/tmp/ba-package-\(UUID().uuidString)"
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      unsafe withUnsafeMutableBytes(of: &address.sun_path) { bytes in
        unsafe bytes.copyBytes(from: short.utf8)
      }
      let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
      defer { close(descriptor) }
      let size = socklen_t(MemoryLayout<sockaddr_un>.size)
      let result = unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe bind(descriptor, $0, size)
        }
      }
      try check(result)
      try FileManager.default.moveItem(atPath: short, toPath: "\(path)/\(name)")
    #else
      try check(unsafe mknod("\(path)/\(name)", S_IFSOCK | 0o644, 0))
    #endif
  }

  /// Sets the permissions of a file or folder.
  package func setMode(_ name: String, _ mode: mode_t) throws {
    try check(unsafe chmod("\(path)/\(name)", mode))
  }
}

/// Runs `body` without root's privileges, which bypass permissions. Only for a separate process:
/// all of its threads lose the privileges meanwhile. The files that `body` reads must be readable
/// by all, whatever the umask of the user who runs the tests.
package func unprivileged<Value>(_ body: () throws -> Value) throws -> Value {
  guard geteuid() == 0 else { return try body() }
  try check(seteuid(65_534))
  let result = Result { try body() }
  try check(seteuid(0))
  return try result.get()
}

/// Throws the error of a system call that did not return 0.
private func check(_ result: Int32) throws {
  if result != 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EINVAL) }
}

private func setSize(_ path: String, _ size: off_t) -> Int32 { unsafe truncate(path, size) }
