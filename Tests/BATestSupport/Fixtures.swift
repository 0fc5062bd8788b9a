import BADiagnostics
import Foundation

/// The files under `Fixtures/`.
package enum Fixtures {
  /// The folder itself.
  package static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures")

  /// A file as a text with locations, named by its last path component.
  package static func text(_ path: String) throws -> SourceText {
    let file = root.appendingPathComponent(path)
    return SourceText(name: file.lastPathComponent, bytes: Array(try Data(contentsOf: file)))
  }

  /// The names in a folder, sorted.
  package static func names(in path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(path).path)
      .sorted()
  }
}
