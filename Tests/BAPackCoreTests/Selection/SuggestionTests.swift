import BAPackCore
import BATestSupport
import Testing

private let relative = " | paths are relative to 'ROOT'"

@Suite struct SuggestionTests {
  let tree: TemporaryFolder

  init() throws {
    tree = try TemporaryFolder()
    try tree.write("Textures/Stone.png", "Textures/wood.png", "Töne/Ähre.wav", "it's/a", "x")
  }

  /// Listing a large folder once for each of a hundred missing files took a hundred times as long.
  @Test func aFolderIsListedOnceForAllHints() throws {
    let missing = (0..<50).map { "{file: 'Textures/stone\($0).png'}" }
    let tenth = FailurePlan(.duplicate, number: 10, .inputOutput)
    let result = try tenth.run { try Selecting(missing.joined(separator: ", "), in: tree) }
    #expect(result.findings.count == 50)
    #expect(!tenth.hasFailed)
  }

  static let near: [(written: String, path: String, difference: String)] = [
    ("textures/stone.png", "Textures/Stone.png", ", which differs in case"),
    ("Textures/stone.png", "Textures/Stone.png", ", which differs in case"),
    ("Textures/Stome.png", "Textures/Stone.png", ""),
    ("textures/Stome.png", "Textures/Stone.png", ""),
    ("Texture/Stone.png", "Textures/Stone.png", ""),
    ("To\u{308}ne/Ähre.wav", "Töne/Ähre.wav", ", which differs only in Unicode normalization"),
    (
      "To\u{308}ne/A\u{308}hre.wav", "Töne/Ähre.wav",
      ", which differs only in Unicode normalization"
    ),
    ("to\u{308}ne/Ähre.wav", "Töne/Ähre.wav", ", which differs in case"),
  ]

  @Test(arguments: near, [("file", "file"), ("directory", "folder")])
  func suggestsWhatIsSimilar(
    near: (written: String, path: String, difference: String), key: (name: String, noun: String)
  ) throws {
    let result = try Selecting("{\(key.name): '\(near.written)'}", in: tree)
    #expect(
      result.findings.map { Array($0.utf8) } == [
        Array(
          ("missing-file '\(near.written)': there is no \(key.noun) '\(near.written)' | there is a "
            + "'\(near.path)'\(near.difference)" + relative).utf8)
      ])
    let fix = try #require(result.raw.first?.fix)
    #expect(Array(fix.replacement.utf8) == Array(near.path.utf8))
    #expect(fix.location.range == result.raw.first?.location?.range)
  }

  @Test(arguments: ["Sounds/a.wav", "Textures/metal.png", "x/y", "y"])
  func suggestsNothingIfNothingIsSimilar(written: String) throws {
    let result = try Selecting("{file: '\(written)'}", in: tree)
    #expect(
      result.findings == ["missing-file '\(written)': there is no file '\(written)'" + relative])
    #expect(result.raw.first?.fix == nil)
  }
}
