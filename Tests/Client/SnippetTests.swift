import Foundation
import Testing

/// The code in the guide's articles on the library is cut from these tests, which compile and run.
@Test(arguments: ["ReadingFromAnywhere", "PlayerSizes", "HandlingErrors"])
func theCodeOfArticlesIsThatOfTests(article: String) throws {
  let folder = URL(filePath: #filePath).deletingLastPathComponent()
  let root = folder.deletingLastPathComponent().deletingLastPathComponent()
  func squeezed(_ text: String) -> String {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .joined(separator: "\n")
  }
  let tests = try FileManager.default.contentsOfDirectory(
    at: folder, includingPropertiesForKeys: nil
  ).filter { $0.pathExtension == "swift" }
    .map { squeezed(try String(contentsOf: $0, encoding: .utf8)) }
  let page = try String(
    contentsOf: root.appending(path: "Sources/BAPackCore/BAPackCore.docc/\(article).md"),
    encoding: .utf8)
  let snippets = page.components(separatedBy: "```swift\n").dropFirst()
    .map { $0.components(separatedBy: "```\n")[0] }
  #expect(!snippets.isEmpty)
  for snippet in snippets {
    let code = squeezed(snippet)
    #expect(tests.contains { $0.contains(code) }, "not in a test: \(snippet)")
  }
}
