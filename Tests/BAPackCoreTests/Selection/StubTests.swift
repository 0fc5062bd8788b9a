import BAPackCore
import BATestSupport
import Foundation
import Testing

private let digest = String(repeating: "4d7a", count: 16)

/// A Git LFS pointer to a file of `size` bytes.
private func pointer(_ size: Int, version: String = "https://git-lfs.github.com/spec/v1") -> String
{
  "version \(version)\noid sha256:\(digest)\nsize \(size)\n"
}

/// The findings about stubs in a tree with `selectors`.
private func found(
  _ selectors: String, in tree: TemporaryFolder, allowed: Bool = false
) throws -> [String] {
  try findings(selectors, in: tree.filePath, allowed: allowed)
    .map { described($0).replacing(tree.path, with: "ROOT") }
}

/// The findings when the files that `selectors` match below `root` are resolved and read.
private func findings(
  _ selectors: String, in root: BytePath, allowed: Bool = false
) throws -> [Finding] {
  let manifest = try manifest(selectors)
  let policy = SelectionPolicy(allowsStubs: allowed)
  let checked = Selection.resolve(
    manifest, in: SourceRoot(of: manifest, readFrom: nil, option: root), policy)
  return
    (checked.findings
    + ContentsCheck(
      of: checked.value, manifest, policy, findsCode: false,
      RuleSettings().scope(manifest: nil, root: nil)
    ).stubs)
    .sortedByLocation()
}

@Suite struct StubTests {
  let tree: TemporaryFolder

  init() throws {
    tree = try TemporaryFolder()
    try tree.write("Art/plain.txt")
  }

  @Test func pointersOfGitLFSAreErrorsWithTheTrueSize() throws {
    try tree.makeFolder(".git")
    try tree.write("Art/rock.png", pointer(4_200_000).utf8)
    #expect(
      try found("{directory: 'Art'}", in: tree) == [
        "stub-file '{directory: 'Art'}': 'Art/rock.png' is a Git LFS pointer; the file has 4.2 MB | "
          + "fetch it with: git -C ROOT lfs pull --include=Art/rock.png"
      ])
    for name in 0..<9 { try tree.write("Art/\(name).png", pointer(1000 + name).utf8) }
    #expect(
      try found("{filePattern: 'Art/?.png'}, {file: 'Art/rock.png'}", in: tree) == [
        "stub-file '{filePattern: 'Art/?.png'}': 'Art/0.png' and 8 more files are Git LFS pointers; "
          + "the files have 9.0 kB | also 'Art/1.png' (1.0 kB), 'Art/2.png' (1.0 kB), 'Art/3.png' "
          + "(1.0 kB), 'Art/4.png' (1.0 kB), 'Art/5.png' (1.0 kB) and 3 more files | "
          + "fetch them with: git -C ROOT lfs pull --include=Art",
        "stub-file '{file: 'Art/rock.png'}': 'Art/rock.png' is a Git LFS pointer; the file has 4.2 MB"
          + " | fetch it with: git -C ROOT lfs pull --include=Art/rock.png",
      ])
    #expect(try found("{directory: 'Art'}", in: tree, allowed: true) == [])
  }

  /// Files that macOS has not downloaded yet. They are detected by their status, and not opened.
  @Test func filesWithoutContentsAreErrors() throws {
    let manifest = try manifest("{directory: 'Art'}")
    let tree = try SourceTree(tree.filePath)
    func file(_ name: String) throws -> SelectedFile {
      let path = try #require(RelativePath("Art/\(name)".utf8))
      return SelectedFile(
        destination: path, source: path, size: 4_200_000, isExecutable: false, version: 0,
        isDataless: true, selector: 0)
    }
    func found(_ names: String...) throws -> [String] {
      var check = StubCheck()
      check.add(datalessAmong: try names.map(file))
      return check.findings(manifest.selectors, in: tree)
        .map { described($0).replacing(self.tree.path, with: "ROOT") }
    }
    #expect(
      try found("not there.png") == [
        "stub-file '{directory: 'Art'}': 'Art/not there.png' was not downloaded from iCloud, or the "
          + "service that has it; the file has 4.2 MB | fetch it with: cat 'ROOT/Art/not there.png' "
          + "> /dev/null"
      ])
    #expect(
      try found("1", "2", "3", "4") == [
        "stub-file '{directory: 'Art'}': 'Art/1' and 3 more files were not downloaded from iCloud, "
          + "or the service that has them; the files have 16.8 MB | also 'Art/2' (4.2 MB), 'Art/3' "
          + "(4.2 MB), 'Art/4' (4.2 MB) | fetch them with: find ROOT/Art -type f -exec cat {} + "
          + "> /dev/null"
      ])
  }

  /// Git LFS patterns are relative to the top of the repository, wherever the source root is.
  @Test func patternsForGitLFSBeginAtTheRepository() throws {
    try tree.makeFolder(".git")
    try tree.write("Game/Art/rock.png", pointer(1).utf8)
    let found = try findings("{directory: 'Art'}", in: tree.path("Game"))
    #expect(
      found.flatMap(\.notes).map(\.message) == [
        "fetch it with: git -C \(tree.path)/Game lfs pull --include=Game/Art/rock.png"
      ])
  }

  @Test func pointersOutsideARepositoryCanNotBeFetched() throws {
    try tree.write("Art/rock.png", pointer(1).utf8)
    #expect(
      try found("{directory: 'Art'}", in: tree).first?.contains("in no Git repository") == true)
  }

  @Test(arguments: [
    ("https://git-lfs.github.com/spec/v1", true), ("https://hawser.github.com/spec/v1", true),
    ("http://git-media.io/v/2", true), ("https://example.com/spec/v1", false),
  ])
  func versionsOfPointersAreKnown(version: String, isPointer: Bool) throws {
    try tree.write("Art/rock.png", pointer(1, version: version).utf8)
    #expect(try found("{directory: 'Art'}", in: tree).count == (isPointer ? 1 : 0))
  }

  /// What is almost a pointer is an ordinary file.
  @Test(arguments: [
    pointer(1).replacing("sha256:", with: ""), pointer(1).replacing("size 1", with: "size x"),
    pointer(1).replacing("4d7a4d", with: "4d7a4"),
    pointer(1) + String(repeating: "\n", count: 1000),
    "version https://git-lfs.github.com/spec/v1\n", "/annex/objects/", "/annex/lower-s1--x",
    "/annex/objects/SHA256E-s1-x", "../a/long/way/to/something",
  ])
  func otherFilesAreNoPointers(text: String) throws {
    try tree.write("Art/rock.png", text.utf8)
    #expect(try found("{directory: 'Art'}", in: tree) == [])
  }

  @Test func linesMayEndInCarriageReturns() throws {
    try tree.write("Art/rock.png", pointer(1).replacing("\n", with: "\r\n").utf8)
    #expect(try found("{directory: 'Art'}", in: tree).count == 1)
  }

  @Test func filesOfGitAnnexAreStubs() throws {
    let key = "SHA256E-s1234567--\(digest).png"
    try tree.link("Art/a.png", to: "../.git/annex/objects/X1/2y/\(key)/\(key)")
    try tree.write("Art/b.png", "/annex/objects/\(key)\n".utf8)
    try tree.write("Art/c.png", "/annex/objects/WORM-m1--c.png\n".utf8)
    #expect(
      try found("{directory: 'Art'}", in: tree) == [
        "stub-file '{directory: 'Art'}': 'Art/a.png' is a git-annex link to contents that are not "
          + "here | fetch it with: git -C ROOT annex get Art/a.png",
        "stub-file '{directory: 'Art'}': 'Art/b.png' and 1 more file are git-annex pointers | also "
          + "'Art/c.png' | fetch them with: git -C ROOT annex get Art/b.png Art/c.png",
      ])
    #expect(
      try found("{file: 'Art/a.png'}", in: tree) == [
        "stub-file '{file: 'Art/a.png'}': 'Art/a.png' is a git-annex link to contents that are not "
          + "here | fetch it with: git -C ROOT annex get Art/a.png"
      ])
    // There is nothing to package for the link, allowed or not.
    #expect(
      try found("{directory: 'Art'}", in: tree, allowed: true).map { $0.prefix(13) } == [
        "dangling-link"
      ])
    try tree.write(".git/annex/objects/X1/2y/\(key)/\(key)", [1])
    #expect(try found("{file: 'Art/a.png'}", in: tree) == [])
  }

  @Test func filesOfDVCAreStubsWhileTheirFilesAreMissing() throws {
    try tree.write("Sounds/ocean.wav.dvc", "any text".utf8)
    let expected =
      "'Sounds/ocean.wav' was not fetched by DVC | fetch it with: "
      + "dvc --cd ROOT pull Sounds/ocean.wav.dvc"
    for selector in [
      "{directory: 'Sounds'}", "{filePattern: 'Sounds/*.wav'}", "{file: 'Sounds/ocean.wav'}",
    ] {
      #expect(try found(selector, in: tree) == ["stub-file '\(selector)': \(expected)"])
    }
    #expect(try found("{directory: 'Sounds'}", in: tree, allowed: true) == [])
    // One next to its file is an ordinary file, and a folder is a folder.
    #expect(
      try found("{directory: 'Sounds'}, {fileExclusion: '**/*.wav'}", in: tree).map {
        $0.prefix(16)
      } == ["unused-exclusion"])
    try tree.write("Sounds/ocean.wav", [1])
    #expect(try found("{directory: 'Sounds'}", in: tree) == [])
    try tree.write("Sounds/stage.dvc/one", [1])
    #expect(try found("{directory: 'Sounds'}", in: tree) == [])
  }

  @Test func placeholdersOfICloudAreStubs() throws {
    try tree.write("Art/.sky.png.icloud", "bplist00".utf8)
    #expect(
      try found("{directory: 'Art'}", in: tree) == [
        "stub-file '{directory: 'Art'}': 'Art/sky.png' is in iCloud only | "
          + "fetch it with: brctl download ROOT/Art/sky.png"
      ])
    #expect(try found("{file: 'Art/sky.png'}", in: tree).count == 1)
  }

  /// In each version of the index that Git writes, and with whole folders omitted from it.
  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/git"), "no /usr/bin/git"),
    arguments: [["2"], ["3"], ["4"], ["4", "--sparse-index"]])
  func filesLeftOutOfASparseCheckoutAreStubs(index: [String]) throws {
    try tree.write("top/Game/Art/a", "top/Game/Art/Deep/b", "top/Game/Sounds/c", "top/other/d")
    let script = """
      set -e; cd "$1"; git init -q .; git config user.email a@example.com; git config user.name a
      git config index.version \(index[0]); git add .; git commit -qm a
      git sparse-checkout set --cone \(index.dropFirst().joined()) Game/Art/Deep
      """
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", script, "sh", "\(tree.path)/top"]
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": tree.path]
    process.standardError = nil
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    func found(_ selector: String) throws -> [String] {
      try findings(selector, in: tree.path("top/Game"))
        .map { described($0).replacing(tree.path, with: "ROOT") }
    }
    let fetch = "fetch it with: git -C ROOT/top/Game sparse-checkout"
    #expect(try found("{directory: 'Art'}") == [])
    #expect(
      try found("{directory: 'Sounds'}") == [
        "stub-file '{directory: 'Sounds'}': 'Sounds/c' is left out of this sparse checkout | "
          + fetch + " add Game/Sounds"
      ])
    #expect(try found("{file: 'Sounds/c'}").map { $0.prefix(9) } == ["stub-file"])
    #expect(try found("{filePattern: '*/c'}").map { $0.prefix(9) } == ["stub-file"])
    #expect(
      try found("{directory: '.'}, {fileExclusion: 'Sounds'}").map { $0.prefix(16) }
        == ["unused-exclusion"])
    #expect(try found("{file: 'Sounds/x'}").map { $0.prefix(9) } == ["missing-f"])
  }

  @Test func namesAreQuotedForTheShell() throws {
    try tree.makeFolder(".git")
    try tree.write("Art/it's [a].png", pointer(1).utf8)
    try tree.write("Art/two words.wav", "/annex/objects/WORM--a".utf8)
    #expect(
      try found("{directory: 'Art'}", in: tree).map { $0.split(separator: "fetch it with: ")[1] }
        == [
          "git -C ROOT lfs pull", "git -C ROOT annex get 'Art/two words.wav'",
        ])
  }
}

@Test func emptyFilesAreAWarning() throws {
  let tree = try TemporaryFolder()
  try tree.write("a/kept")
  for name in 0..<8 { try tree.write("a/\(name)", []) }
  try tree.write("b", [])
  let result = try Selecting("{directory: 'a'}, {file: 'b'}", in: tree)
  let findings = result.selection.fileFindings(
    of: try manifest("{directory: 'a'}, {file: 'b'}"))
  #expect(
    findings.map(described) == [
      "empty-file '{directory: 'a'}': 'a/0' and 7 more files are empty | also 'a/1', 'a/2', 'a/3', "
        + "'a/4', 'a/5' and 2 more files",
      "empty-file '{file: 'b'}': 'b' is empty",
    ])
  #expect(findings.allSatisfy { $0.severity == .warning })
}
