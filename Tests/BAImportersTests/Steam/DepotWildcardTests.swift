import BAImporters
import BAPackCore
import BATestSupport
import Testing

@Test(arguments: [
  ("*.pdb", ["**/*.pdb"]), ("bin\\tools.txt", ["bin\\\\tools.txt"]),
  ("bin/tools*", ["bin/tools*", "bin/tools*/**"]), ("bin/*", ["bin/**"]), ("*", ["**"]),
  ("a*b", ["a*b", "a*/**/*b"]), ("*/x", ["*/x", "*/**/*/x"]),
  ("a?[b]*", ["a?\\[b]*", "a?\\[b]*/**"]),
  ("**.a**", ["**/*.a*", "**/*.a*/**"]),
])
func exclusionsBecomeThesePatterns(pattern: String, globs: [String]) {
  let wildcard = DepotWildcard(pattern.utf8, crossesFolders: true)
  #expect(wildcard.globs?.map { String(decoding: $0, as: UTF8.self) } == globs)
}

@Test func patternsWithManyStarsAreNotFollowed() {
  #expect(DepotWildcard("*a*b*c*".utf8, crossesFolders: true).globs == nil)
}

@Test(arguments: [
  ("level?.dat", "level1.dat", true), ("level?.dat", "level10.dat", false), ("*", ".hidden", true),
  ("?a", ".a", true), ("*.*", "a", false), ("*.*", "a.b", true), ("A*", "ab", false),
  ("[a]", "a", false), ("", "", true), ("*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaab", true),
])
func namesMatchAsInSteam(pattern: String, name: String, expected: Bool) {
  #expect(DepotWildcard(pattern.utf8, crossesFolders: false).matches(name.utf8) == expected)
}

/// The patterns of a manifest together match the same names as Steam's pattern, except for names
/// with a leading dot.
@Test func patternsOfTheManifestMatchTheSamePaths() throws {
  let seed: UInt64 = 15
  var random = SeededGenerator(seed: seed)
  func text(_ letters: String, _ length: ClosedRange<Int>) -> String {
    String(
      (0..<Int.random(in: length, using: &random)).compactMap { _ in
        letters.randomElement(using: &random)
      })
  }
  var matches = 0
  for _ in 0..<2000 {
    guard let path = RelativePath(text("aab/", 1...4).utf8), path != .root else { continue }
    let wildcard = DepotWildcard(path.bytes.map { $0 == 0x62 ? 0x2A : $0 }, crossesFolders: true)
    guard let globs = wildcard.globs else { continue }
    let parsed = try globs.map { try Glob(try #require(RelativePath($0))) }
    for _ in 0..<50 {
      guard let path = RelativePath(text("aac/", 1...6).utf8) else { continue }
      let expected = wildcard.matches(path.bytes)
      if expected { matches += 1 }
      let shown = globs.map { String(decoding: $0, as: UTF8.self) }
      #expect(
        parsed.contains { $0.matches(path) } == expected,
        "seed \(seed): '\(path)' against '\(printable(wildcard.bytes))' as \(shown)")
    }
  }
  #expect(matches > 1000, "seed \(seed)")
}
