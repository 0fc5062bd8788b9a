import BAPackCore
import Testing

/// The findings about files with these destinations, which are nowhere.
private func found(_ paths: [String], _ selector: String = "directory") throws -> [String] {
  let text = """
    { "assetPackID": "a", "downloadPolicy": { "onDemand": {} },
      "fileSelectors": [{ "\(selector)": "x" }], "platforms": [] }
    """
  let source = SourceText(name: "m.json", bytes: Array(text.utf8))
  let manifest = try #require(ManifestDecoder.decode(source).manifest)
  let files = try paths.map { path in
    let path = try #require(RelativePath(path.utf8))
    return SelectedFile(
      destination: path, source: path, size: 1, isExecutable: false, modified: 0, selector: 0)
  }
  let selection = Selection(
    root: "/nowhere", files: files.sorted { $0.destination < $1.destination })
  return selection.storeFindings(of: manifest, .apple).map(\.message)
}

@Test func clashesOfCaseAreFoundOnce() throws {
  #expect(
    try found(["A/x", "A/y", "a/x", "a/y", "b"]) == ["'A' and 'a' differ in case only"])
  #expect(try found(["a/x", "a-b/x", "a/y"]) == [])
  #expect(try found(["x/Ä", "x/ä"]) == ["'x/Ä' and 'x/ä' differ in case only"])
  #expect(try found(["x/A", "y/a"]) == [])
}

@Test func clashesOfNormalizationAreFound() throws {
  #expect(
    try found(["x/\u{E9}", "x/e\u{301}"]) == [
      "'x/e\u{301}' (65cc81) and 'x/\u{E9}' (c3a9) differ in Unicode normalization only"
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
      "'.DS_Store' and 1 more file by this name would be packed; no game needs it",
      "'._a' would be packed; no game needs it",
      "'__MACOSX/a' would be packed; no game needs it",
      "'a/.git/HEAD' and 1 more file by this name would be packed; no game needs it",
      "'a/Thumbs.db' would be packed; no game needs it",
    ])
  // What a selector names is meant.
  #expect(try found(["Thumbs.db"], "file") == [])
}
