import BADiagnostics
import Foundation

/// A fixture that states its expected findings in lines beginning with `//!`: carets under the
/// previous line (`//!   ^^^ rule`), or lines and columns (`//! 1:2-1:12 rule`). If such lines
/// would change the findings, they are in a file next to it whose name ends with `.marks`.
package struct MarkedFixture: CustomStringConvertible, Sendable {
  package let source: SourceText
  /// The folder and name below `Fixtures/`.
  package let path: String
  package let expected: [String]

  package var description: String { path }

  /// The folder of all fixtures.
  package static let root = Fixtures.root

  /// Reads the fixture at `path` below `Fixtures/`.
  package init(_ path: String) throws {
    self.path = path
    source = try Fixtures.text(path)
    let marks = try? Fixtures.text(path + ".marks")
    expected = (Self.marks(in: source) + (marks.map(Self.marks) ?? [])).sorted()
  }

  private static func marks(in text: SourceText) -> [String] {
    var marks: [String] = []
    var marked = 0
    for (index, line) in String(decoding: text.bytes, as: UTF8.self)
      .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
    {
      guard line.hasPrefix("//!") else {
        marked = index + 1
        continue
      }
      let words = line.dropFirst(3).split(separator: " ")
      if words[0].first == "^" {
        let column =
          line.unicodeScalars.distance(from: line.startIndex, to: words[0].startIndex) + 1
        marks.append("\(marked):\(column)-\(marked):\(column + words[0].count) \(words[1])")
      } else {
        marks.append("\(words[0]) \(words[1])")
      }
    }
    return marks
  }

  /// The findings in the form of the marks.
  package static func marks(_ findings: [Finding]) -> [String] {
    findings.map { finding in
      guard let location = finding.location else { return "nowhere \(finding.rule.id)" }
      let (start, end) = (location.start, location.end)
      return "\(start.line):\(start.column)-\(end.line):\(end.column) \(finding.rule.id)"
    }.sorted()
  }

  /// The IDs of the rules in the fixture's marks.
  package var rules: Set<String> {
    Set(expected.compactMap { $0.split(separator: " ").last.map(String.init) })
  }

  /// The fixtures in a folder of `Fixtures/` with the extension `ending`, by name.
  package static func all(in folder: String, ending: String = "vdf") throws -> [MarkedFixture] {
    try Fixtures.names(in: folder).filter { $0.hasSuffix("." + ending) }
      .map { try MarkedFixture("\(folder)/\($0)") }
  }
}
