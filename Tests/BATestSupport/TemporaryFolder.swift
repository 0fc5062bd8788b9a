import BAFiles
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

  /// Creates a folder, and its parents.
  package func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: "\(path)/\(name)", withIntermediateDirectories: true)
  }

  /// Creates an empty file whose name may be any bytes.
  package func writeNamed(_ name: [UInt8]) throws {
    let descriptor = try FileDescriptor.creating(filePath.appending(name))
    try descriptor.close()
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
