import BAPackCore
import BATestSupport
import Testing

private let relative = " | paths are relative to 'ROOT'"

@Suite struct ExclusionTests {
  let tree: TemporaryFolder

  init() throws {
    tree = try TemporaryFolder()
    try tree.write("T/a.png", "T/b.png", "T/draft/c.png", "T/draft/d/e.png", "a[1].png", "a1.png")
  }

  static let used: [(exclusions: String, files: [String])] = [
    (
      "{fileExclusion: 'T/a.png'}",
      ["T/b.png", "T/draft/c.png", "T/draft/d/e.png", "a1.png", "a[1].png"]
    ),
    ("{fileExclusion: './T//draft/'}", ["T/a.png", "T/b.png", "a1.png", "a[1].png"]),
    ("{fileExclusion: 'T'}", ["a1.png", "a[1].png"]),
    ("{fileExclusion: '*.png'}", ["T/a.png", "T/b.png", "T/draft/c.png", "T/draft/d/e.png"]),
    ("{fileExclusion: 'T/*.png'}", ["T/draft/c.png", "T/draft/d/e.png", "a1.png", "a[1].png"]),
    ("{fileExclusion: '**/[ce].png'}", ["T/a.png", "T/b.png", "a1.png", "a[1].png"]),
    // A name that looks like a pattern also matches literally.
    ("{fileExclusion: 'a[1].png'}", ["T/a.png", "T/b.png", "T/draft/c.png", "T/draft/d/e.png"]),
    (
      "{fileExclusion: 'a\\\\[1].png'}",
      ["T/a.png", "T/b.png", "T/draft/c.png", "T/draft/d/e.png", "a1.png"]
    ),
    // If several exclude the same file, all have an effect, in any order.
    (
      "{fileExclusion: 'T/a.png'}, {fileExclusion: 'T/*.png'}, {fileExclusion: '**/[ab].png'}",
      ["T/draft/c.png", "T/draft/d/e.png", "a1.png", "a[1].png"]
    ),
    (
      "{fileExclusion: 'T/draft/c.png'}, {fileExclusion: 'T/draft'}, {fileExclusion: 'T/draft/*'}",
      ["T/a.png", "T/b.png", "a1.png", "a[1].png"]
    ),
    (
      "{fileExclusion: 'T/a.png'}, {fileExclusion: './T/a.png'}",
      ["T/b.png", "T/draft/c.png", "T/draft/d/e.png", "a1.png", "a[1].png"]
    ),
  ]

  @Test(arguments: used) func excludes(exclusions: String, files: [String]) throws {
    for selectors in ["{directory: '.'}, " + exclusions, exclusions + ", {directory: '.'}"] {
      let result = try Selecting(selectors, in: tree)
      #expect(result.files == files)
      #expect(result.findings == [])
    }
    // Patterns find the same files, and so must exclude the same.
    #expect(try Selecting("{filePattern: '**'}, " + exclusions, in: tree).files == files)
  }

  @Test func comparesSources() throws {
    let mapping = "{directorySource: 'T', directoryDestination: 'U'}"
    #expect(
      try Selecting(mapping + ", {fileExclusion: 'T/draft'}", in: tree).files == [
        "U/a.png < T/a.png", "U/b.png < T/b.png",
      ])
    #expect(
      try Selecting(mapping + ", {fileExclusion: 'U/a.png'}", in: tree).findings == [
        "unused-exclusion 'U/a.png': 'U/a.png' excludes nothing: no selector matches it"
          + relative
      ])
  }

  @Test(arguments: ["X", "T/x.png", "*.jpg", "T/a.png/x", "S", "T/*/*/*/*"])
  func anExclusionWithoutEffectIsAFinding(exclusion: String) throws {
    let result = try Selecting("{directory: 'T'}, {fileExclusion: '\(exclusion)'}", in: tree)
    #expect(result.files.count == 4)
    #expect(
      result.findings == [
        "unused-exclusion '\(exclusion)': '\(exclusion)' excludes nothing: no selector matches it"
          + relative
      ])
  }

  /// An exclusion that only matches files a pattern ignores excludes nothing.
  @Test func patternsMatchNothingElse() throws {
    let result = try Selecting(
      "{filePattern: 'T/**/e.png'}, {fileExclusion: 'T/a.png'}", in: tree)
    #expect(result.files == ["T/draft/d/e.png"])
    #expect(result.findings.map { $0.prefix(26) } == ["unused-exclusion 'T/a.png'"])
  }

  static let everything: [(selectors: String, message: String)] = [
    (
      "{file: 'a1.png'}, {fileExclusion: 'a1.png'}", "'a1.png' is excluded by another selector"
    ),
    (
      "{directory: 'T/draft/d'}, {fileExclusion: 'T/draft'}",
      "everything in the folder 'T/draft/d' is excluded"
    ),
    (
      "{directory: 'T/draft'}, {fileExclusion: '**/*.png'}",
      "everything in the folder 'T/draft' is excluded"
    ),
    (
      "{filePattern: 'a*'}, {fileExclusion: 'a*'}",
      "everything that 'a*' matches is excluded"
    ),
    (
      "{filePattern: 'a*'}, {fileExclusion: '.'}",
      "everything that 'a*' matches is excluded"
    ),
    (
      "{directory: '.'}, {fileExclusion: '.'}",
      "everything in the folder '.' is excluded"
    ),
  ]

  @Test(arguments: everything) func reportsAnEmptySelection(selectors: String, message: String)
    throws
  {
    let result = try Selecting(selectors, in: tree)
    #expect(result.files == [])
    #expect(result.raw.map(\.message) == [message])
  }

  /// A link to a folder is a folder: a pattern, which is for files, doesn't match it.
  @Test func globsDoNotFollowLinkedFolders() throws {
    try tree.link("L/in", to: "../T")
    try tree.link("L/file", to: "../a1.png")
    try tree.link("L/broken", to: "nowhere")
    let result = try Selecting("{directory: 'L'}, {fileExclusion: 'L/*'}", in: tree)
    #expect(result.findings == [])
    #expect(
      result.files == ["L/in/a.png", "L/in/b.png", "L/in/draft/c.png", "L/in/draft/d/e.png"])
    #expect(
      try Selecting(
        "{directory: 'L'}, {fileExclusion: 'L/in'}, {fileExclusion: 'L/broken'}", in: tree
      ).files == ["L/file"])
  }

  /// It is skipped in any case, whether it exists or not; an exclusion for it is correct.
  @Test func excludingTheRepositoryIsNotUseless() throws {
    let files = ["T/a.png", "T/b.png", "T/draft/c.png", "T/draft/d/e.png", "a1.png", "a[1].png"]
    for exclusion in [".git", ".git/", ".git/**", ".git/hooks"] {
      let result = try Selecting("{directory: '.'}, {fileExclusion: '\(exclusion)'}", in: tree)
      #expect(result.findings == [])
      #expect(result.files == files)
    }
    try tree.write(".git/config", ".github/a")
    let result = try Selecting("{directory: '.'}, {fileExclusion: '.git'}", in: tree)
    #expect(result.findings == [])
    #expect(result.files == [".github/a"] + files)
    for selectors in [
      "{directory: 'T'}, {fileExclusion: '.git'}", "{filePattern: '*'}, {fileExclusion: '.git'}",
      "{directory: '.'}, {fileExclusion: '.gitignore'}",
    ] {
      #expect(try Selecting(selectors, in: tree).raw.map(\.rule) == [.unusedExclusion])
    }
  }
}
