import BAPackCore
import Foundation
import Testing

/// A folder of a test's own, removed with all that is in it when its owner goes.
final class TemporaryFolder: Sendable {
  /// Its absolute path, without links.
  let path: String

  init(in place: URL = FileManager.default.temporaryDirectory) throws {
    let folder = place.appendingPathComponent("ba-package-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = "\(try FilePath(folder.path.utf8).resolved())"
  }

  deinit {
    // A failing removal leaves a folder in the system's place for such, and nothing else.
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of `name` in the folder.
  func path(_ name: String) -> FilePath { FilePath("\(path)/\(name)".utf8) }

  /// The path of the folder itself.
  var filePath: FilePath { FilePath(path.utf8) }

  /// Writes a file, with the folders above it; returns its path.
  @discardableResult
  func write(
    _ name: String, _ bytes: some Sequence<UInt8>, executable: Bool = false
  ) throws -> FilePath {
    let file = "\(path)/\(name)"
    try FileManager.default.createDirectory(
      atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    if executable {
      try FileManager.default.setAttributes([.posixPermissions: 0o744], ofItemAtPath: file)
    }
    return path(name)
  }

  /// Writes files that each hold their own name.
  func write(_ names: String...) throws {
    for name in names { try write(name, name.utf8) }
  }

  /// Makes a file of `size` bytes without storing them.
  func writeSparse(_ name: String, size: UInt64) throws {
    try write(name, [])
    try #require(unsafe truncate("\(path)/\(name)", off_t(size)) == 0)
  }

  /// Makes a folder, with those above it.
  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: "\(path)/\(name)", withIntermediateDirectories: true)
  }

  /// Makes a symbolic link to `target`, as written.
  func link(_ name: String, to target: String) throws {
    try FileManager.default.createDirectory(
      atPath: ("\(path)/\(name)" as NSString).deletingLastPathComponent,
      withIntermediateDirectories: true)
    try #require(unsafe symlink(target, "\(path)/\(name)") == 0)
  }

  /// Makes a named pipe.
  func makePipe(_ name: String) throws {
    try #require(unsafe mkfifo("\(path)/\(name)", 0o644) == 0)
  }

  /// Makes a socket.
  func makeSocket(_ name: String) throws {
    try #require(unsafe mknod("\(path)/\(name)", S_IFSOCK | 0o644, 0) == 0)
  }

  /// Makes an empty file whose name may be any bytes.
  func writeNamed(_ name: [UInt8]) throws {
    let descriptor = try FileDescriptor.creating(filePath.appending(name))
    try descriptor.close(filePath)
  }

  /// Sets the permissions of a file or folder.
  func setMode(_ name: String, _ mode: mode_t) throws {
    try #require(unsafe chmod("\(path)/\(name)", mode) == 0)
  }

  /// Removes a file or folder.
  func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: "\(path)/\(name)")
  }

  /// The contents of a file.
  func contents(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")))
  }

  /// Every file below a folder, with its contents, and every folder with nil.
  func tree(_ name: String = ".") -> [String: [UInt8]?] {
    var found: [String: [UInt8]?] = [:]
    for item in FileManager.default.subpaths(atPath: "\(path)/\(name)") ?? [] {
      let full = "\(path)/\(name)/\(item)"
      let isFolder = (try? FileStatus.following(FilePath(full.utf8)))?.kind == .directory
      found[item] =
        isFolder ? .some(nil) : (try? Data(contentsOf: URL(filePath: full))).map(Array.init)
    }
    return found
  }

  /// The names in a folder, sorted.
  func names(in folder: String = ".") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)").sorted()
  }
}

/// Runs `body` without the rights of root, who may read everything. For a process of its own only:
/// all threads lose their rights meanwhile.
func unprivileged<Value>(_ body: () throws -> Value) throws -> Value {
  guard geteuid() == 0 else { return try body() }
  try #require(seteuid(65_534) == 0)
  let result = Result { try body() }
  try #require(seteuid(0) == 0)
  return try result.get()
}
