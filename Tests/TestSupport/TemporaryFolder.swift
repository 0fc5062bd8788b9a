import Files
import Foundation

/// A temporary folder for a test, removed with its contents by `deinit`.
package final class TemporaryFolder: Sendable {
  /// Its absolute path, without links.
  package let path: String

  package init(in place: URL = FileManager.default.temporaryDirectory) throws {
    let folder = place.appendingPathComponent("ba-package-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = "\(try BytePath(folder.path.utf8).resolved())"
  }

  deinit {
    // If the removal fails, the folder stays in the system's temporary folder.
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of `name` in the folder.
  package func path(_ name: String) -> BytePath { BytePath("\(path)/\(name)".utf8) }

  /// The path of the folder itself.
  package var filePath: BytePath { BytePath(path.utf8) }

  /// Writes a file, and creates its parent folders; returns its path.
  @discardableResult
  package func write(
    _ name: String, _ bytes: some Sequence<UInt8>, executable: Bool = false
  ) throws -> BytePath {
    let file = "\(path)/\(name)"
    try FileManager.default.createDirectory(
      atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    if executable {
      try FileManager.default.setAttributes([.posixPermissions: 0o744], ofItemAtPath: file)
    }
    return path(name)
  }

  /// Writes files that each contain their own name.
  package func write(_ names: String...) throws {
    for name in names { try write(name, name.utf8) }
  }

  /// Creates a sparse file of `size` bytes.
  package func writeSparse(_ name: String, size: UInt64) throws {
    try write(name, [])
    try truncate(name, to: size)
  }

  /// Changes the size of a file.
  package func truncate(_ name: String, to size: UInt64) throws {
    try check(setSize("\(path)/\(name)", off_t(size)))
  }

  /// Creates a folder, and its parents.
  package func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: "\(path)/\(name)", withIntermediateDirectories: true)
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

  /// Creates an empty file whose name may be any bytes.
  package func writeNamed(_ name: [UInt8]) throws {
    let descriptor = try FileDescriptor.creating(filePath.appending(name))
    try descriptor.close()
  }

  /// Sets the permissions of a file or folder.
  package func setMode(_ name: String, _ mode: mode_t) throws {
    try check(unsafe chmod("\(path)/\(name)", mode))
  }

  /// Removes a file or folder.
  package func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: "\(path)/\(name)")
  }

  /// The contents of a file.
  package func contents(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")))
  }

  /// Every file in a folder with its contents, and every subfolder with nil.
  package func tree(_ name: String = ".") -> [String: [UInt8]?] {
    var found: [String: [UInt8]?] = [:]
    for item in FileManager.default.subpaths(atPath: "\(path)/\(name)") ?? [] {
      let full = "\(path)/\(name)/\(item)"
      let isFolder = (try? FileStatus.following(BytePath(full.utf8)))?.kind == .directory
      found[item] =
        isFolder ? .some(nil) : (try? Data(contentsOf: URL(filePath: full))).map(Array.init)
    }
    return found
  }

  /// The names in a folder, sorted.
  package func names(in folder: String = ".") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)").sorted()
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
