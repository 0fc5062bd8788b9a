import BAPackCore
import BATestSupport
import Testing

@Suite struct SourceRootTests {
  private func decoded(_ sourceRoot: String) throws -> Manifest {
    let text = """
      {"assetPackID": "a", "downloadPolicy": {"onDemand": {}}, "platforms": [], \(sourceRoot)
      "fileSelectors": [{"directory": "."}]}
      """
    let checked = ManifestDecoder.decode(
      SourceText(name: "Manifest.json", bytes: Array(text.utf8)))
    return try #require(checked.value)
  }

  static let cases: [(written: String?, file: BytePath?, option: BytePath?, path: BytePath)] = [
    (nil, "Packs/M.json", nil, "."),
    (nil, "Packs/M.json", "r", "r"),
    ("Assets", "Packs/M.json", nil, "Packs/Assets"),
    ("../Assets", "Packs/M.json", nil, "Packs/../Assets"),
    ("Assets", "M.json", nil, "Assets"),
    ("Assets", nil, nil, "Assets"),
    ("/abs", "Packs/M.json", nil, "/abs"),
    (".", "/x/M.json", nil, "/x"),
    ("Assets", "Packs/M.json", "r", "r"),
  ]

  @Test(arguments: cases)
  func isChosenByOptionThenManifestThenWorkingDirectory(
    written: String?, file: BytePath?, option: BytePath?, path: BytePath
  ) throws {
    let manifest = try decoded(written.map { "\"sourceRoot\": \"\($0)\"," } ?? "")
    #expect(SourceRoot(of: manifest, readFrom: file, option: option).path == path)
  }

  @Test func anUnusableRootIsOneFinding() throws {
    let tree = try TemporaryFolder()
    try tree.write("file")
    let manifest = try decoded("\"sourceRoot\": \"gone\",")
    let root = SourceRoot(of: manifest, readFrom: tree.path("M.json"), option: nil)
    let checked = Selection.resolve(manifest, in: root)
    #expect(checked.value.files.isEmpty)
    #expect(
      checked.findings.map { described($0).replacing(tree.path, with: "ROOT") } == [
        "missing-root 'gone': there is no folder 'ROOT/gone'; 'sourceRoot' is relative to the folder of "
          + "the manifest"
      ])
    let file = SourceRoot(of: manifest, readFrom: nil, option: tree.path("file"))
    #expect(
      Selection.resolve(manifest, in: file).findings.map {
        described($0).replacing(tree.path, with: "ROOT")
      } == [
        "missing-root nowhere: the source root can't be used: can't open folder 'ROOT/file': not a "
          + "directory | paths are relative to 'ROOT/file'"
      ])
  }
}
