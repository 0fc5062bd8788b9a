import BAPackCore
import Foundation

/// A temporary folder, removed with its contents by `deinit`.
final class Scratch: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "client-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of `name` in the folder.
  func path(_ name: String) -> BytePath {
    BytePath(url.appending(path: name).path(percentEncoded: false).utf8)
  }

  /// Writes a file, and creates its parent folders; returns its path.
  @discardableResult func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> BytePath {
    let file = url.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
    return path(name)
  }

  func contents(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: url.appending(path: name)))
  }
}
