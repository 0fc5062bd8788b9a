import BAPackCore
import BATestSupport
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
      ["'*' and '?' are literal here; use 'filePattern' for patterns"]
    ),
    (
      "{directory: 'Level?'}",
      ["'*' and '?' are literal here; use 'filePattern' for patterns"]
    ),
    (
      "{file: 'Levels\\\\x.txt'}",
      ["use '/' between folders, on every system: 'Levels/x.txt'"]
    ),
    (
      "{filePattern: 'Levels\\\\*.txt'}",
      ["a backslash makes the next character literal; use '/' between folders"]
    ),
    (
      "{filePattern: 'Levels/*.{txt,lvl}'}",
      ["'{' and '}' are literal; write one selector for each alternative"]
    ),
    (
      "{filePattern: 'sounds/**/*.WAV'}",
      ["'Sounds/Sub/C.wav' matches if case is ignored, but case matters"]
    ),
    (
      "{filePattern: 'Sounds/[A-Z].OGG'}",
      ["'Sounds/d.ogg' matches if case is ignored, but case matters"]
    ),
    (
      "{directory: 'Levels'}, {fileExclusion: '**/*.Txt'}",
      ["'Levels/a.txt' matches if case is ignored, but case matters"]
    ),
    (
      "{directory: 'Sounds'}, {fileExclusion: 'sounds/sub'}",
      ["'Sounds/Sub/C.wav' matches if case is ignored, but case matters"]
    ),
    (
      "{directory: 'Levels'}, {fileExclusion: '*.{a,b}'}",
      ["'{' and '}' are literal; write one selector for each alternative"]
    ),
    ("{filePattern: 'Levels/*.lvl'}", []), ("{directory: 'Levels'}, {fileExclusion: 'Sounds'}", []),
  ]

  @Test(arguments: slips) func typosAreRecognized(selectors: String, hints: [String]) throws {
    let result = try Selecting(selectors, in: tree)
    #expect(result.raw.count == 1)
    #expect(
      result.raw.flatMap(\.notes).map(\.message).filter { !$0.hasPrefix("paths are relative") }
        == hints)
    // A selector that was meant for many files isn't fixed to match one of them.
    #expect(result.raw.allSatisfy { $0.fix == nil })
  }

  /// However large the repository, the number of names examined for hints is limited.
  @Test func theSearchForAnotherCaseEnds() throws {
    for name in ["a", "b", "c"] { try tree.link("Loop/\(name)", to: ".") }
    let selectors = (0..<50).map { "{filePattern: '**/\($0).WAV'}" }.joined(separator: ", ")
    #expect(try Selecting("{filePattern: 'loop/**/C.WAV'}", in: tree).raw.count == 1)
    try tree.remove("Loop")
    #expect(try Selecting(selectors, in: tree).raw.count == 50)
  }
}
