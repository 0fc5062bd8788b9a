import BAPackCore
import BATestSupport
import Testing

/// The findings about nonexistent files with these destinations.
private func found(_ paths: [String], _ selector: String = "directory") throws -> [String] {
  let text = """
    { "assetPackID": "a", "downloadPolicy": { "onDemand": {} },
      "fileSelectors": [{ "\(selector)": "x" }], "platforms": [] }
    """
  let source = SourceText(name: "m.json", bytes: Array(text.utf8))
  let manifest = try #require(ManifestDecoder.decode(source).value)
  let files = try paths.map { path in
    let path = try #require(RelativePath(path.utf8))
    return SelectedFile(
      destination: path, source: path, size: 1, isExecutable: false, version: 0, selector: 0)
  }
  let selection = Selection(
    root: "/nowhere", files: files.sorted { $0.destination < $1.destination })
  return selection.fileFindings(of: manifest).map(\.message)
}

@Test func clashesOfCaseAreFoundOnce() throws {
  #expect(
    try found(["A/x", "A/y", "a/x", "a/y", "b"]) == ["'A' and 'a' differ only in case"])
  #expect(try found(["a/x", "a-b/x", "a/y"]) == [])
  #expect(try found(["x/Ä", "x/ä"]) == ["'x/Ä' and 'x/ä' differ only in case"])
  #expect(try found(["x/A", "y/a"]) == [])
}

@Test func clashesOfNormalizationAreFound() throws {
  #expect(
    try found(["x/\u{E9}", "x/e\u{301}"]) == [
      "'x/e\u{301}' (65cc81) and 'x/\u{E9}' (c3a9) differ only in Unicode normalization"
    ])
  // Both at once is a clash of case.
  #expect(try found(["\u{C9}", "e\u{301}"]).count == 1)
}

@Test func strayFilesAreFoundByNameAndFolder() throws {
  #expect(
    try found([
      ".DS_Store", "a/.DS_Store", "._a", "a/Thumbs.db", "a/.git/config", "a/.git/HEAD",
      "__MACOSX/a", ".gitignore", ".hidden", "a/Thumbs.dba", "DS_Store",
    ]) == [
      "'.DS_Store' and 1 more file named '.DS_Store' would be packaged; they are not part of a game",
      "'._a' would be packaged; it is not part of a game",
      "'__MACOSX/a' would be packaged; it is not part of a game",
      "'a/.git/HEAD' and 1 more file below '.git' would be packaged; they are not part of a game",
      "'a/Thumbs.db' would be packaged; it is not part of a game",
    ])
  // A file that is selected by name is intended.
  #expect(try found(["Thumbs.db"], "file") == [])
}

@Test func aMacsCopyIsOneFinding() throws {
  let paths = (0..<36_000).map { "d\($0 / 100)/._\($0).png" }
  #expect(
    try found(paths) == [
      "'d0/._0.png' and 35,999 more files named '._*' would be packaged; they are not part of a game"
    ])
}

@Test func exclusionsForStrayFilesExcludeThem() throws {
  let tree = try TemporaryFolder()
  try tree.write(
    "kept", ".DS_Store", "a/.DS_Store", "._kept", "a/b/._x", ".hidden/.DS_Store", ".hidden/._y",
    "a/.svn/entries", "a/.svn/pristine/00/x", "b/.svn/entries", "__MACOSX/._kept", "sub/.git")
  func advice(_ selectors: String) throws -> [String] {
    let result = try Selecting(selectors, in: tree)
    let findings = result.selection.fileFindings(of: try manifest(selectors))
    #expect(findings.allSatisfy { $0.rule == .strayFile } && result.findings == [])
    return findings.flatMap(\.notes).map { $0.message.replacing("exclude it with ", with: "") }
  }
  let exclusions = try advice("{directory: '.'}")
  #expect(
    exclusions.map { $0.split(separator: "\"")[3] }.sorted() == [
      "**/.DS_Store", "**/._*", "**/.git", ".hidden/.DS_Store", ".hidden/._*", "__MACOSX",
      "a/.svn", "b/.svn",
    ])
  // Each of them has an effect, and no findings remain.
  let selectors = "{directory: '.'}, " + exclusions.joined(separator: ", ")
  #expect(try advice(selectors) == [])
  #expect(try Selecting(selectors, in: tree).files == ["kept"])
}

/// Packs of earlier runs, temporary files of a killed run, and files of editors and npm.
@Test func filesOfToolsAreStray() throws {
  let tree = try TemporaryFolder()
  try tree.write(
    "kept", "Old.aar", "build/A.aar", ".hid[1]/B.aar", "kept.aar/x", ".aar", "aar", "x.tmp",
    ".Castle.aar.1x2y3z.tmp", "sub/.Castle.aar.4.tmp", "node_modules/a/b.js", ".vscode/a.json",
    "sub/.idea/b.xml")
  let result = try Selecting("{directory: '.'}", in: tree)
  let findings = result.selection.fileFindings(of: try manifest("{directory: '.'}"))
  #expect(
    findings.map(\.message) == [
      "'.Castle.aar.1x2y3z.tmp' and 1 more file named '.*.tmp' would be packaged; they are not "
        + "part of a game",
      "'.hid[1]/B.aar' and 2 more files named '*.aar' would be packaged; they are not part of a game",
      "'.vscode/a.json' would be packaged; it is not part of a game",
      "'node_modules/a/b.js' would be packaged; it is not part of a game",
      "'sub/.idea/b.xml' would be packaged; it is not part of a game",
    ])
  let exclusions = findings.flatMap(\.notes)
    .map { $0.message.replacing("exclude it with ", with: "") }
  let cleaned = try Selecting(
    "{directory: '.'}, " + exclusions.joined(separator: ", "), in: tree)
  #expect(cleaned.findings == [])
  #expect(cleaned.files == [".aar", "aar", "kept", "kept.aar/x", "x.tmp"])
}

@Test func manyStrayFoldersAreOneFinding() throws {
  let tree = try TemporaryFolder()
  for folder in 0..<8 { try tree.write("\(folder)/.svn/entries") }
  let result = try Selecting("{directory: '.'}", in: tree)
  let findings = result.selection.fileFindings(of: try manifest("{directory: '.'}"))
  #expect(findings.count == 1)
  #expect(findings.first?.notes.count == 6)
  #expect(findings.first?.notes.last?.message == "3 more folders to exclude in the same way")
}

extension Selection {
  /// The findings without settings.
  func fileFindings(of manifest: Manifest) -> [Finding] {
    fileFindings(of: manifest, RuleSettings().scope(manifest: nil, root: nil))
  }
}
