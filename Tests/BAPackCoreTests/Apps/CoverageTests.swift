import BAPackCore
import BAReports
import BATestSupport
import Foundation
import Testing

@Suite struct CoverageTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func coverage(_ selectors: String, except: [String] = []) throws -> Coverage {
    let selection = try Selecting(selectors, in: folder).selection
    return try Coverage(
      of: folder.filePath, in: [selection], except: except.map { folder.path($0) })
  }

  private func groups(_ coverage: Coverage) -> [String] {
    coverage.groups.map {
      $0.isFolder ? "\($0.path)/ \($0.files.count) \($0.size)" : "\($0.path) \($0.size)"
    }
  }

  @Test func foldersWithoutAnyPackedFileAreOneGroup() throws {
    try folder.write(
      "a/in.txt", "a/out.txt", "a/b/c/1", "a/b/2", "a-b/x", "d/e/in", "d/e/f/1", "d/out", "top")
    let found = try coverage("{file: 'a/in.txt'}, {file: 'd/e/in'}")
    #expect(
      groups(found) == [
        "a/b/ 2 12", "a/out.txt 9", "a-b/ 1 5", "d/e/f/ 1 7", "d/out 5", "top 3",
      ])
    #expect(found.files.count == 7 && found.size == 41)
    #expect(groups(try coverage("{directory: '.'}")).isEmpty)
  }

  @Test func ownOutputsAreLeftOut() throws {
    try folder.write("in", "not-a-pack.aar", "page.html", "data.json", "fake/Manifest.json")
    let texts = [
      "Downloads.json": #"{"assetPacks": []}"#,
      "Downloads.digests.json": #"{"schemaVersion": 1, "assetPacks": []}"#,
      "report.json": #"{"schemaVersion": 1, "tool": {"name": "ba-package", "version": "1"}}"#,
      "Pack.json": "{assetPackID: 'a', fileSelectors: []}",
      "schema.json": Manifest.schema,
      ".ba-package.json": "{}", ".gitignore": "*.o", "sub/.gitattributes": "",
    ]
    for (name, text) in texts { try folder.write(name, text.utf8) }
    var page: [UInt8] = []
    try AppReport(of: []).writePage { page += $0 }
    try folder.write("report.html", page)
    try folder.write("Pack.aar", TestArchive.pack([("a", [1])]).container(blockSize: 64))
    try folder.write("given", [1])
    #expect(
      groups(try coverage("{file: 'in'}", except: ["given", "missing"])) == [
        "data.json 9", "fake/ 1 18", "not-a-pack.aar 14", "page.html 9",
      ])
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/git")))
  func whatGitIgnoresIsLeftOut() throws {
    try folder.write("in", "a.o", "build/x/1", "build/x/2", "sub/keep.o", "sub/b.o", "c.txt")
    try folder.write(".gitignore", "*.o\n/build/\n!keep.o\n".utf8)
    let all = ["a.o 3", "build/ 2 18", "c.txt 5", "sub/ 2 17"]
    #expect(groups(try coverage("{file: 'in'}")) == all)
    let git = Process()
    git.executableURL = URL(filePath: "/usr/bin/git")
    git.arguments = ["init", "-q", folder.path]
    try git.run()
    git.waitUntilExit()
    #expect(groups(try coverage("{file: 'in'}")) == ["c.txt 5", "sub/ 1 10"])
  }

  @Test func coverageAsFindings() throws {
    try folder.write("in", "d/a", "d/b", "x")
    var found = try coverage("{file: 'in'}")
    let messages = found.findings.map(\.message)
    #expect(
      messages == ["no pack contains the folder 'd': 2 files, 6 B", "no pack contains 'x' (1 B)"])
    #expect(found.findings.allSatisfy { $0.severity == .warning && $0.rule == .fileInNoPack })
    found.severity = .error
    #expect(found.findings.hasErrors)
    let names = found.findings.compactMap { $0.location?.source.name }
    #expect(names == [folder.path("d/a").bytes, folder.path("x").bytes])
    #expect(found.findings.map { $0.location?.start.line } == [1, 1])
  }
}
