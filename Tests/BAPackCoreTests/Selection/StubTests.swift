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
    + FileContentsCheck(
      of: checked.value, manifest, policy, findsCode: false,
      RuleSettings().scope(manifest: nil, root: nil), Git()
    ).findings)
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
    for name in ["a/1", "a/2", "b/1", "b/2"] { try tree.write("Wide/\(name)", pointer(1).utf8) }
    let notes = try findings("{directory: 'Wide'}", in: BytePath(tree.path.utf8)).flatMap(\.notes)
    #expect(notes.last?.message.hasSuffix("lfs pull --include=Wide") == true)
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

  @Test func pointersOfGitAnnexAreStubs() throws {
    let key = "SHA256E-s1234567--\(digest).png"
    try tree.write("Art/b.png", "/annex/objects/\(key)\n".utf8)
    try tree.write("Art/c.png", "/annex/objects/WORM-m1--c.png\n".utf8)
    #expect(
      try found("{directory: 'Art'}", in: tree) == [
        "stub-file '{directory: 'Art'}': 'Art/b.png' and 1 more file are git-annex pointers | also "
          + "'Art/c.png' | fetch them with: git -C ROOT annex get Art/b.png Art/c.png"
      ])
  }

  /// A link of git-annex leads to nothing until its contents are here.
  @Test func whatFetchesTheTargetOfALinkIsSaid() throws {
    let key = "SHA256E-s1234567--\(digest).png"
    let target = ".git/annex/objects/X1/2y/\(key)/\(key)"
    try tree.link("Art/a.png", to: "../\(target)")
    for selector in ["{directory: 'Art'}", "{file: 'Art/a.png'}"] {
      let found = try found(selector, in: tree)
      #expect(found.count == 1)
      #expect(found.first?.hasPrefix("dangling-link") == true)
      #expect(
        found.first?.hasSuffix("| fetch it with: git -C ROOT annex get Art/a.png") == true)
    }
    try tree.write(target, [1])
    #expect(try found("{file: 'Art/a.png'}", in: tree) == [])
  }

  @Test func whatFetchesAMissingFileIsSaid() throws {
    try tree.write("Sounds/ocean.wav.dvc", "any text".utf8)
    let advice = "fetch it with: dvc --cd ROOT pull Sounds/ocean.wav.dvc"
    let missing = try found("{file: 'Sounds/ocean.wav'}", in: tree)
    #expect(missing.map { $0.prefix(12) } == ["missing-file"])
    #expect(missing.first?.contains(" | \(advice)") == true)
    try tree.write("Sounds/ocean.wav", [1])
    #expect(try found("{file: 'Sounds/ocean.wav'}", in: tree) == [])
    #expect(try found("{file: 'Sounds/sea.wav'}", in: tree).first?.contains("dvc --cd") == false)
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
