import BAPackCore
import Foundation
import Testing

/// A fixture that says in lines beginning with `//!` what is found in it: carets under the line
/// above (`//!   ^^^ rule`), or lines and columns (`//! 1:2-1:12 rule`).
struct MarkedFixture: CustomTestStringConvertible, Sendable {
  let source: SourceText
  let expected: [String]

  var testDescription: String { source.name }

  init(_ file: URL) throws {
    source = SourceText(name: file.lastPathComponent, bytes: Array(try Data(contentsOf: file)))
    var expected: [String] = []
    var marked = 0
    for (index, line) in String(decoding: source.bytes, as: UTF8.self)
      .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
    {
      guard line.hasPrefix("//!") else {
        marked = index + 1
        continue
      }
      let words = line.dropFirst(3).split(separator: " ")
      if words[0].first == "^" {
        let column = line.distance(from: line.startIndex, to: words[0].startIndex) + 1
        expected.append(
          "\(marked):\(column)-\(marked):\(column + words[0].count) \(words[1])")
      } else {
        expected.append("\(words[0]) \(words[1])")
      }
    }
    self.expected = expected
  }

  /// The findings in the form of the marks.
  static func marks(_ findings: [Finding]) -> [String] {
    findings.map { finding in
      guard let location = finding.location else { return "nowhere \(finding.rule.rawValue)" }
      let (start, end) = (location.start, location.end)
      return "\(start.line):\(start.column)-\(end.line):\(end.column) \(finding.rule.rawValue)"
    }
  }

  /// The folder of all fixtures.
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures")

  /// The scripts of a folder below `Fixtures/`, by name.
  static func all(in folder: String) throws -> [MarkedFixture] {
    try FileManager.default.contentsOfDirectory(
      at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil
    )
    .filter { $0.pathExtension == "vdf" }
    .sorted { $0.lastPathComponent < $1.lastPathComponent }
    .map(MarkedFixture.init)
  }
}
