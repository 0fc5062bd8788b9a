import BATestSupport
import Foundation
import Testing

/// What packages that depend on the library can use is listed in `api.txt`, so that it changes only
/// on purpose: `WRITE_API=1` writes the list.
@Suite struct PublicAPITests {
  private static let modules = ["BAArchive", "BADiagnostics", "BAFiles", "BALZFSE", "BAPackCore"]
  private static let sources = Fixtures.root.deletingLastPathComponent()
    .appending(path: "Sources")
  private static let list = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "api.txt")

  @Test func isTheListedOne() throws {
    var found: [String] = []
    for module in Self.modules {
      let folder = Self.sources.appending(path: module)
      let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
      while let file = files?.nextObject() as? URL {
        guard file.pathExtension == "swift" else { continue }
        let text = try String(contentsOf: file, encoding: .utf8)
        found += declarations(text).map { module + $0 }
      }
    }
    let text = found.sorted().joined(separator: "\n") + "\n"
    if ProcessInfo.processInfo.environment["WRITE_API"] != nil {
      try text.write(to: Self.list, atomically: true, encoding: .utf8)
    }
    let listed = try String(contentsOf: Self.list, encoding: .utf8)
    for change in text.split(separator: "\n").difference(from: listed.split(separator: "\n")) {
      switch change {
      case .insert(_, let line, _): Issue.record("new: \(line)")
      case .remove(_, let line, _): Issue.record("gone: \(line)")
      }
    }
  }

  /// The public declarations of a file, and the cases of its public enumerations, without bodies.
  private func declarations(_ text: String) -> [String] {
    var found: [String] = []
    var types: [(indentation: Int, name: String, hasCases: Bool)] = []
    var lines = text.split(separator: "\n")[...]
    while let line = lines.popFirst() {
      var words = line.drop { $0 == " " }
      let indentation = line.count - words.count
      if words.hasPrefix("//") { continue }
      types.removeAll { $0.indentation >= indentation }
      if let type = words.firstMatch(of: /\b(?:class|enum|extension|protocol|struct) ([\w.]+)/) {
        let hasCases = words.contains(/\bpublic (indirect )?enum\b/)
        types.append((indentation, String(type.1), hasCases))
      }
      let isCase =
        words.hasPrefix("case ") && types.last?.hasCases == true
        && types.last?.indentation == indentation - 2
      guard isCase || words.contains(/^(@\S+ )*public\b/) else { continue }
      while words.count(where: { $0 == "(" }) > words.count(where: { $0 == ")" }),
        let next = lines.popFirst()
      {
        let part = next.drop { $0 == " " }
        words += (words.hasSuffix("(") || part.hasPrefix(")") ? "" : " ") + part
      }
      let owner = types.filter { $0.indentation < indentation }.map { ".\($0.name)" }.joined()
      var declaration = words
      for mark in words.contains(/\b(let|var)\b/) ? [" =", " {"] : [" {"] {
        declaration =
          declaration[..<(declaration.firstRange(of: mark)?.lowerBound ?? declaration.endIndex)]
      }
      found.append("\(owner): \(declaration.replacing("public ", with: ""))")
    }
    return found
  }
}
