import BAPackCore
import BATestSupport
import Foundation
import Testing

private let relative = " | paths are relative to 'ROOT'"

/// What the six kinds of selectors match in a real tree, and their errors.
@Suite struct SelectorTests {
  let tree: TemporaryFolder

  init() throws {
    tree = try TemporaryFolder()
    try tree.write("Textures/a.png", "Textures/sub/b.png", "Textures/.hidden", "c.txt")
  }

  @Test func aFileSelectedTwiceIsIncludedOnce() throws {
    let result = try Selecting(
      """
      {filePattern: '**/*.png'}, {directory: 'Textures'}, {file: './Textures//a.png'},
      {file: 'Textures/a.png'}, {directory: 'Textures/sub/'},
      """, in: tree)
    #expect(result.findings == [])
    #expect(result.files == ["Textures/.hidden", "Textures/a.png", "Textures/sub/b.png"])
    #expect(result.selection.files.map(\.selector) == [1, 0, 0])
    #expect(result.selection.files.map(\.size) == [16, 14, 18])
    #expect(result.selection.size == 48)
  }

  @Test func anyExecuteBitCounts() throws {
    try tree.write("run", [], executable: true)
    let result = try Selecting("{file: 'run'}, {file: 'c.txt'}", in: tree)
    #expect(result.selection.files.map(\.isExecutable) == [false, true])
  }

  @Test func theWholeRootIsSelectedWithoutGitAndOutput() throws {
    try tree.write(".git/config", "sub/.git/config", "Pack.aar", ".gitignore", "Other.aar")
    try tree.link("also", to: "Pack.aar")
    let result = try Selecting("{directory: '.'}", in: tree, output: tree.path("Pack.aar"))
    #expect(result.findings == [])
    #expect(
      result.files == [
        ".gitignore", "Other.aar", "Textures/.hidden", "Textures/a.png", "Textures/sub/b.png",
        "c.txt", "sub/.git/config",
      ])
    #expect(
      try Selecting("{filePattern: '*.aar'}", in: tree, output: tree.path("Pack.aar")).files
        == ["Other.aar"])
    #expect(try Selecting("{directory: '.git'}", in: tree).files == [".git/config"])
  }

  @Test(arguments: [
    "{file: 'Pack.aar'}", "{fileSource: 'Pack.aar', fileDestination: 'old.aar'}",
    "{file: 'link.aar'}", "{file: 'hard.aar'}",
  ]) func theOutputCanNotBeSelected(selector: String) throws {
    try tree.write("Pack.aar")
    try tree.link("link.aar", to: "Pack.aar")
    try FileManager.default.linkItem(
      atPath: tree.path + "/Pack.aar", toPath: tree.path + "/hard.aar")
    let result = try Selecting(selector, in: tree, output: tree.path("Pack.aar"))
    #expect(result.raw.map(\.rule) == [.outputSelected])
    #expect(result.files == [])
  }

  @Test func whatIsBeingWrittenIsNotSelected() throws {
    try tree.write(
      ".Pack.aar.ba-package-0123456789abc.tmp", "Other/.extract.ba-package-zzzzzzzzzzzzz.tmp/a",
      ".Pack.aar.ba-package-012.tmp")
    let result = try Selecting("{directory: '.'}", in: tree, output: tree.path("Pack.aar"))
    #expect(result.files.filter { $0.contains(".tmp") } == [".Pack.aar.ba-package-012.tmp"])
  }

  @Test func mappingsChangePaths() throws {
    let result = try Selecting(
      """
      {fileSource: 'c.txt', fileDestination: 'docs/read me'},
      {directorySource: 'Textures', directoryDestination: 'T/u'},
      {directorySource: 'Textures/sub', directoryDestination: '.'},
      """, in: tree)
    #expect(result.findings == [])
    #expect(
      result.files == [
        "T/u/.hidden < Textures/.hidden", "T/u/a.png < Textures/a.png",
        "T/u/sub/b.png < Textures/sub/b.png", "b.png < Textures/sub/b.png",
        "docs/read me < c.txt",
      ])
    #expect(
      try Selecting("{directorySource: '.', directoryDestination: 'x'}", in: tree).files.first
        == "x/Textures/.hidden < Textures/.hidden")
  }

  @Test func oneFileMayHaveSeveralDestinations() throws {
    let result = try Selecting(
      "{file: 'c.txt'}, {fileSource: 'c.txt', fileDestination: 'd.txt'}", in: tree)
    #expect(result.findings == [])
    #expect(result.files == ["c.txt", "d.txt < c.txt"])
  }

  static let unusable: [(selectors: String, finding: String)] = [
    (
      "{file: 'Textures'}",
      "not-a-file 'Textures': 'Textures' is a folder, not a file | use 'directory' to select a "
        + "folder with everything in it"
    ),
    (
      "{directory: 'c.txt'}",
      "not-a-directory 'c.txt': 'c.txt' is a file, not a folder | use 'file' to select a single "
        + "file"
    ),
    ("{file: 'c.txt/x'}", "missing-file 'c.txt/x': there is no file 'c.txt/x'" + relative),
    (
      "{filePattern: '*.jpg'}",
      "nothing-matched '{filePattern: '*.jpg'}': no file matches '*.jpg'" + relative
    ),
    (
      "{filePattern: '.'}", "nothing-matched '{filePattern: '.'}': no file matches '.'" + relative
    ),
  ]

  @Test(arguments: unusable)
  func saysWhatIsWrong(selectors: String, finding: String) throws {
    let result = try Selecting(selectors, in: tree)
    #expect(result.files == [])
    // It isn't reported in addition that the pack is empty.
    #expect(result.findings == [finding])
  }

  @Test func anEmptyFolderHasNoFiles() throws {
    try tree.makeFolder("empty/deep")
    let result = try Selecting("{directory: 'empty'}, {file: 'c.txt'}", in: tree)
    #expect(result.files == ["c.txt"])
    #expect(
      result.findings == [
        "nothing-matched '{directory: 'empty'}': the folder 'empty' contains no files" + relative
      ])
  }

  @Test func anEmptyPackIsAFinding() throws {
    let result = try Selecting("{fileExclusion: 'c.txt'}", in: tree)
    #expect(
      result.findings.last
        == "empty-pack '': the pack would be empty | add a selector, or remove exclusions")
    #expect(result.raw.hasErrors)
  }

  @Test func specialFilesAreErrors() throws {
    try tree.makePipe("Textures/pipe")
    try tree.makeSocket("Textures/socket")
    let note = " | remove it, or exclude it with 'fileExclusion'"
    let walked = try Selecting("{directory: 'Textures'}", in: tree)
    #expect(
      walked.findings == [
        "special-file 'Textures': 'Textures/pipe' is a named pipe, which can't be packaged" + note,
        "special-file 'Textures': 'Textures/socket' is a socket, which can't be packaged" + note,
      ])
    #expect(walked.raw.hasErrors && walked.files.count == 3)
    #expect(
      try Selecting("{file: 'Textures/pipe'}", in: tree).findings == [
        "special-file 'Textures/pipe': 'Textures/pipe' is a named pipe, which can't be packaged | "
          + "packs contain only regular files and folders"
      ])
    #expect(try Selecting("{filePattern: '**/*.png'}", in: tree).findings == [])
    #expect(
      try Selecting("{directory: 'Textures'}, {fileExclusion: '**/[ps]*e*'}", in: tree).findings
        == [])
  }

  @Test(.enabled(if: nonUTF8NamesExist)) func namesThatAreNotUTF8AreErrors() throws {
    try tree.writeNamed(Array("Textures/x".utf8) + [0xFF])
    try tree.writeNamed(Array("z".utf8) + [0xC3])
    let result = try Selecting("{directory: '.'}", in: tree)
    let note = "is not UTF-8 | rename it: paths in a pack must be UTF-8"
    #expect(
      result.findings == [
        "name-not-utf8 '.': the name of 'Textures/x\\xFF' \(note)",
        "name-not-utf8 '.': the name of 'z\\xC3' \(note)",
      ])
    #expect(try Selecting("{filePattern: '**/*.png'}", in: tree).findings == [])
  }

  @Test func unreadableFoldersAreErrors() async {
    await #expect(processExitsWith: .success) {
      umask(0o022)
      let tree = try TemporaryFolder()
      try tree.write("Textures/sub/b.png", "Textures/a.png")
      try tree.setMode("Textures/sub", 0)
      let result = try unprivileged { try Selecting("{directory: 'Textures'}", in: tree) }
      try tree.setMode("Textures/sub", 0o755)
      #expect(
        result.findings == [
          "unreadable-file 'Textures': can't open folder 'ROOT/Textures/sub': permission denied"
        ])
      #expect(result.files == ["Textures/a.png"])
    }
  }

  /// Reported at the selector, before a pack is begun: by the owner's permission bits, and by those
  /// of others.
  @Test func unreadableFilesAreErrors() async {
    await #expect(processExitsWith: .success) {
      umask(0o022)
      let tree = try TemporaryFolder()
      try tree.write("T/closed", "T/open", "T/private", "c")
      try tree.link("T/link", to: "closed")
      try tree.setMode("T/closed", 0)
      try tree.setMode("T/private", geteuid() == 0 ? 0o600 : 0)
      try tree.setMode("T/open", 0o440)
      try tree.setMode("c", 0)
      let result = try unprivileged {
        try Selecting("{filePattern: 'T/*'}, {file: 'c'}, {file: 'T/open'}", in: tree)
      }
      #expect(
        result.findings == [
          "unreadable-file 'T/*': can't open 'ROOT/T/closed': permission denied",
          "unreadable-file 'T/*': can't open 'ROOT/T/link': permission denied",
          "unreadable-file 'T/*': can't open 'ROOT/T/private': permission denied",
          "unreadable-file 'c': can't open 'ROOT/c': permission denied",
        ])
      #expect(result.raw.hasErrors)
      let excluded = try unprivileged {
        try Selecting("{directory: 'T'}, {fileExclusion: 'T/[clp]*'}", in: tree)
      }
      #expect(excluded.findings == [] && excluded.files == ["T/open"])
    }
  }

  /// Files of 8 EiB each are cheap to make and impossible to add up.
  @Test(.enabled(if: hugeFilesExist)) func sizesThatOverflowAreErrors() throws {
    let memory = try TemporaryFolder(in: URL(fileURLWithPath: "/dev/shm"))
    for name in ["a", "b", "c"] { try memory.writeSparse(name, size: UInt64(Int64.max)) }
    let result = try Selecting("{directory: '.'}", in: memory)
    #expect(
      result.findings == [
        "pack-too-large '{directory: '.'}': the files are too large for a pack | 'a' alone has "
          + "9,223,372,036,854,775,807 bytes"
      ])
    #expect(result.raw.hasErrors && result.selection.size == .max)
  }

  /// With many selectors, folders are read once and cached, with the same files and findings.
  @Test func manySelectorsMatchWhatEachMatches() throws {
    try tree.write(".git/config", "Textures/sub/deep/.x/y.png", "Textures/sub/deep/z.PNG")
    try tree.link("linked", to: "Textures/sub")
    try tree.link("broken", to: "nowhere")
    try tree.link("Textures/up", to: "..")
    try tree.makePipe("Textures/pipe.png")
    try tree.writeNamed(Array("Textures/caf\u{E9}".utf8))
    let selectors = [
      "{filePattern: '**/*.png'}", "{directory: 'Textures/sub'}", "{filePattern: 'Textures/*'}",
      "{filePattern: '**/.x/*'}", "{directory: '.'}", "{filePattern: 'linked/**'}",
      "{filePattern: '*/*/*.png'}", "{filePattern: '**/b.png'}", "{filePattern: 'Textures/.*'}",
      "{filePattern: '**'}", "{filePattern: 'none/**'}", "{filePattern: '**/none'}",
      "{directorySource: 'Textures', directoryDestination: 'T'}",
    ]
    let apart = try selectors.map { try Selecting($0, in: tree) }
    let together = try Selecting(selectors.joined(separator: ", "), in: tree)
    #expect(Set(together.files) == Set(apart.flatMap(\.files)))
    #expect(together.findings.sorted() == apart.flatMap(\.findings).sorted())
    #expect(together.findings.count > 5)
  }

  /// A folder that was deleted is still cached, and listings that don't fit are read again.
  @Test func cachedListingsAreLimited() throws {
    let source = try SourceTree(tree.filePath, cache: ListingCache())
    let path = try #require(RelativePath(Array("Textures".utf8)))
    let (_, first) = try source.children(of: path) { $0 == Array("sub".utf8) }
    try tree.remove("Textures")
    let (_, again) = try source.children(of: path)
    #expect(first.count == 1 && again.count == 3)
    let kept = ListingCache(maximumNames: 5)
    #expect(kept.reserve(3) && !kept.reserve(3) && kept.reserve(2) && !kept.reserve(1))
  }

  /// A name that is removed after its folder was listed is ignored.
  @Test func aFileRemovedDuringTheWalkIsIgnored() throws {
    let source = try SourceTree(tree.filePath)
    let path = try #require(RelativePath(Array("Textures".utf8)))
    let (_, children) = try source.children(of: path) { name in
      try? tree.remove("Textures/a.png")
      return true
    }
    #expect(children.map { String(decoding: $0.name, as: UTF8.self) } == [".hidden", "sub"])
  }
}

/// Some file systems reject names that aren't UTF-8.
private let nonUTF8NamesExist: Bool = {
  guard let folder = try? TemporaryFolder() else { return false }
  return (try? folder.writeNamed([0x61, 0xFF])) != nil
}()

private let hugeFilesExist: Bool = {
  guard let folder = try? TemporaryFolder(in: URL(fileURLWithPath: "/dev/shm")) else {
    return false
  }
  return (try? folder.writeSparse("a", size: UInt64(Int64.max))) != nil
}()
