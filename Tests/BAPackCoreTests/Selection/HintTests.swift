import BAPackCore
import TestSupport
import Testing

/// The hints for the most common mistakes in selectors.
@Suite struct HintTests {
  let tree: TemporaryFolder

  init() throws {
    tree = try TemporaryFolder()
    try tree.write("Levels/a.txt", "Levels/b.TXT", "Sounds/Sub/C.wav", "Sounds/d.ogg")
  }

  static let slips: [(selectors: String, hints: [String])] = [
    (
      "{file: 'Levels/*.txt'}",
      ["'*' and '?' stand for themselves here; 'filePattern' takes patterns"]
    ),
    (
      "{directory: 'Level?'}",
      ["'*' and '?' stand for themselves here; 'filePattern' takes patterns"]
    ),
    (
      "{file: 'Levels\\\\x.txt'}",
      ["folders are separated by '/', on every system: 'Levels/x.txt'"]
    ),
    (
      "{filePattern: 'Levels\\\\*.txt'}",
      ["a backslash takes the next character for itself; folders are separated by '/'"]
    ),
    (
      "{filePattern: 'Levels/*.{txt,lvl}'}",
      ["'{' and '}' stand for themselves; write a selector for each of the names"]
    ),
    (
      "{filePattern: 'sounds/**/*.WAV'}",
      ["'Sounds/Sub/C.wav' would match in another case; case counts"]
    ),
    (
      "{filePattern: 'Sounds/[A-Z].OGG'}",
      ["'Sounds/d.ogg' would match in another case; case counts"]
    ),
    (
      "{directory: 'Levels'}, {fileExclusion: '**/*.Txt'}",
      ["'Levels/a.txt' would match in another case; case counts"]
    ),
    (
      "{directory: 'Sounds'}, {fileExclusion: 'sounds/sub'}",
      ["'Sounds/Sub/C.wav' would match in another case; case counts"]
    ),
    (
      "{directory: 'Levels'}, {fileExclusion: '*.{a,b}'}",
      ["'{' and '}' stand for themselves; write a selector for each of the names"]
    ),
    ("{filePattern: 'Levels/*.lvl'}", []), ("{directory: 'Levels'}, {fileExclusion: 'Sounds'}", []),
  ]

  @Test(arguments: slips) func typosAreRecognized(selectors: String, hints: [String]) throws {
    let result = try Selecting(selectors, in: tree)
    #expect(result.raw.count == 1)
    #expect(
      result.raw.flatMap(\.notes).map(\.message).filter { !$0.hasPrefix("paths are relative") }
        == hints)
    // What was meant for many files is not mended to one of them.
    #expect(result.raw.allSatisfy { $0.fix == nil })
  }

  /// However large the repository is, hints cost no more than a look at so many names.
  @Test func theSearchForAnotherCaseEnds() throws {
    for name in ["a", "b", "c"] { try tree.link("Loop/\(name)", to: ".") }
    let selectors = (0..<50).map { "{filePattern: '**/\($0).WAV'}" }.joined(separator: ", ")
    #expect(try Selecting("{filePattern: 'loop/**/C.WAV'}", in: tree).raw.count == 1)
    try tree.remove("Loop")
    #expect(try Selecting(selectors, in: tree).raw.count == 50)
  }
}
