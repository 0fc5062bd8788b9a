import BAPackCore
import BATestSupport
import Testing

private func path(_ text: String) throws -> RelativePath {
  try #require(RelativePath(Array(text.utf8)))
}

private func glob(_ text: String) throws -> Glob { try Glob(path(text)) }

@Suite struct GlobTests {
  static let table: [(pattern: String, matches: [String], others: [String])] = [
    ("a", ["a"], ["b", "aa", "A", "a/a"]),
    ("*", ["a", "abc", "é"], [".a", "a/b"]),
    ("*.png", ["a.png", "a.b.png"], [".png", "a.PNG", "d/a.png", "a.pngx", "png"]),
    ("a*", ["a", "ab", "a*", "a.b"], ["b", "ba", "a/b"]),
    ("*a*b*", ["ab", "xaxbx", "aab", "abb"], ["ba", "a", "b"]),
    ("**a", ["a", "xa", "xxa"], ["b/a", ".a"]),
    ("?", ["a", "?"], ["ab", "é"]),
    ("??", ["ab", "é"], ["a", "abc", ".a"]),
    ("a?c", ["abc", "a.c", "a?c"], ["ac", "a/c"]),
    ("[abc]x", ["ax", "bx", "cx"], ["dx", "x", "abx", "Ax"]),
    ("[a-cx-z]", ["a", "b", "c", "x", "z"], ["d", "w", "-"]),
    ("[!a-c]", ["d", "-", "Z"], ["a", "c", "dd"]),
    ("[!a]b", ["bb", "0b"], ["ab", ".b"]),
    ("[]a]", ["]", "a"], ["b", "[]a]"]),
    ("[!]a]", ["b", "["], ["]", "a"]),
    ("[a-]", ["a", "-"], ["b"]),
    ("[-a]", ["a", "-"], ["b"]),
    ("[[]", ["["], ["[["]),
    ("[*?]", ["*", "?"], ["a"]),
    ("[\\]", ["\\"], ["a"]),
    ("[.]a", [], [".a", "a"]),
    ("\\*", ["*"], ["a", "\\*"]),
    ("\\[a]", ["[a]"], ["a"]),
    ("\\\\", ["\\"], ["\\\\"]),
    ("\\a", ["a"], ["\\a"]),
    (".*", [".a", ".git"], ["a", "a.b"]),
    ("\\.a", [".a"], ["a"]),
    ("a/*", ["a/b", "a/é"], ["a", "a/.b", "a/b/c", "b/a"]),
    ("*/b", ["a/b", "x/b"], ["b", "a/x/b", ".a/b"]),
    ("**", ["a", "a/b", "a/b/c"], [".a", "a/.b", ".a/b", "a/.b/c"]),
    ("**/b", ["b", "a/b", "x/y/b"], ["a", "b/a", ".a/b", "a/.x/b", "xb"]),
    ("a/**", ["a/b", "a/b/c"], ["a", "b/a", "a/.b", "a/.b/c", "ab"]),
    ("a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["a/xb", "a/b/c", "a/.x/b", "x/a/b"]),
    ("**/*.png", ["a.png", "b/c.png", "b/c/d.png"], [".a.png", "b/.c.png", "a.jpg"]),
    ("a/**/**/b", ["a/b", "a/x/b"], ["a"]),
    ("**/a/**/b/**", ["a/b/c", "x/a/b/c", "a/x/b/c/d", "a/b/a/b/c"], ["a/b", "b/a/c"]),
    ("a**/b", ["a/b", "axx/b"], ["a/x/b"]),
    ("a/.*/b", ["a/.x/b"], ["a/x/b"]),
    ("Ünï/*", ["Ünï/x"], ["Uni/x", "U\u{308}ni\u{308}/x"]),
  ]

  @Test(arguments: [
    ("a/b", ["a", "b", nil]), ("a/*.png", ["a", nil]), ("a\\*/[b]", ["a*", nil]),
    ("**/b", [nil, nil]), ("a/**", ["a", nil, nil]), ("a/**/b", ["a", nil, nil]), ("?", [nil]),
  ])
  func knowsWhereOneNameOnlyIsPossible(pattern: String, names: [String?]) throws {
    let glob = try glob(pattern)
    var progress = glob.start
    for name in names {
      #expect(glob.onlyName(progress) == name.map { Array($0.utf8) })
      progress = glob.advance(progress, by: Array((name ?? "x").utf8)[...])
    }
  }

  @Test(arguments: table)
  func matchesAsDocumented(pattern: String, matches: [String], others: [String]) throws {
    let glob = try glob(pattern)
    for text in matches { #expect(glob.matches(try path(text)), "'\(pattern)' takes '\(text)'") }
    for text in others {
      #expect(!glob.matches(try path(text)), "'\(pattern)' leaves '\(text)'")
    }
  }

  @Test(arguments: [
    ("a[b", "has no ']'"), ("[", "has no ']'"), ("[]", "has no ']'"), ("[!]", "has no ']'"),
    ("[a-", "has no ']'"), ("[z-a]", "descending"), ("[^a]", "write '[!…]'"), ("[é]", "ASCII"),
    ("[a-é]", "ASCII"), ("a\\", "last '\\'"), ("a\\/b", "last '\\'"), ("[a/b]", "has no ']'"),
  ])
  func refusesWhatCanNotBeRead(pattern: String, reason: String) throws {
    let path = try path(pattern)
    let finding = try #require(throws: Finding.self) { try Glob(path) }
    #expect(finding.message.contains(reason))
  }

  @Test func theNumberOfComponentsIsLimited() throws {
    let longest = Array(repeating: "a", count: Glob.maximumComponents).joined(separator: "/")
    #expect(try glob(longest).matches(path(longest)))
    #expect(!(try glob(longest).matches(path(longest + "/a"))))
    let deep = Array(repeating: "**/a", count: 31).joined(separator: "/") + "/**"
    #expect(try glob(deep).matches(path(longest)))
    let tooLong = try path(longest + "/a")
    let finding = #expect(throws: Finding.self) { try Glob(tooLong) }
    #expect(finding?.message.contains("components") == true)
    // Adjacent equal components count once.
    #expect(try glob(Array(repeating: "**", count: 100).joined(separator: "/")).matches(path("a")))
  }

  @Test func recognizesPatterns() {
    for text in ["*", "a?", "[a", "a\\b", "**/x"] { #expect(Glob.isPattern(text.utf8)) }
    for text in ["", "a", "a]b", "a/b.c", "{a,b}", "!a", "ä"] {
      #expect(!Glob.isPattern(text.utf8))
    }
  }

  /// Compared with an exhaustive matcher, on all short paths of a small alphabet; what a walk would
  /// prune contains no match.
  @Test func agreesWithAnExhaustiveMatcher() throws {
    var random = SeededGenerator(seed: 2024)
    let parts = [
      "a", "b", "ab", ".a", "*", "**", "?", "a*", "*b", "[ab]", "[!a]", "?b", ".*", "\\a", "*.*",
      "**b",
    ]
    let names = ["a", "b", "ab", "ba", ".a", "a.b"]
    var paths: [[String]] = [[]]
    var all: [[String]] = []
    for _ in 1...4 {
      paths = paths.flatMap { path in names.map { path + [$0] } }
      all += paths
    }
    for _ in 0..<300 {
      let pattern = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        parts[Int.random(in: parts.indices, using: &random)]
      }
      let text = pattern.joined(separator: "/")
      let glob = try glob(text)
      // A sample of paths: all paths with all patterns would take too long.
      for _ in 0..<150 {
        let names = all[Int.random(in: all.indices, using: &random)]
        let expected = Oracle.matches(pattern[...], names[...])
        let path = try path(names.joined(separator: "/"))
        if glob.matches(path) != expected {
          Issue.record("'\(text)' on '\(path)': expected \(expected), seed 2024")
        }
        var progress = glob.start
        for name in names.dropLast() {
          progress = glob.advance(progress, by: Array(name.utf8)[...])
          if expected, !glob.mayMatchBelow(progress) {
            Issue.record("'\(text)' prunes '\(path)' at '\(name)', seed 2024")
          }
        }
      }
    }
  }

  /// The walk doesn't enter folders that can't contain a match.
  @Test func prunesFoldersThatCanNotMatch() throws {
    func entersBelow(_ pattern: String, _ folders: String...) throws -> Bool {
      let glob = try glob(pattern)
      let progress = folders.reduce(glob.start) { glob.advance($0, by: Array($1.utf8)[...]) }
      return glob.mayMatchBelow(progress)
    }
    #expect(try entersBelow("a/*.png", "a"))
    #expect(try !entersBelow("a/*.png", "b"))
    #expect(try !entersBelow("a/*.png", "a", "b"))
    #expect(try !entersBelow("*.png", "a"))
    #expect(try entersBelow("**/*.png", "a", "b"))
    #expect(try !entersBelow("**/*.png", "a", ".b"))
    #expect(try !entersBelow("a/**", "b"))
  }

  /// The time for many stars on a long name doesn't grow exponentially.
  @Test func manyStarsAreFast() throws {
    let name = String(repeating: "a", count: 1000)
    let pattern = String(repeating: "*a", count: 100) + "*b"
    #expect(!(try glob(pattern).matches(path(name))))
    #expect(try glob(pattern).matches(path(name + "b")))
    let deep = Array(repeating: "a", count: 500).joined(separator: "/")
    let depths = Array(repeating: "**/a", count: 20).joined(separator: "/") + "/b"
    #expect(!(try glob(depths).matches(path(deep))))
    #expect(try glob(depths).matches(path(deep + "/b")))
  }
}

/// The rules of patterns again, as they are documented.
private enum Oracle {
  static func matches(_ pattern: ArraySlice<String>, _ path: ArraySlice<String>) -> Bool {
    guard let part = pattern.first else { return path.isEmpty }
    guard let name = path.first else { return false }
    let (restOfPattern, restOfPath) = (pattern.dropFirst(), path.dropFirst())
    if part != "**" {
      return matchesName(Array(part.utf8)[...], Array(name.utf8)[...], atStart: true)
        && matches(restOfPattern, restOfPath)
    }
    if !restOfPattern.isEmpty, matches(restOfPattern, path) { return true }
    if name.hasPrefix(".") { return false }
    // At the end it matches everything left, otherwise it continues with one folder less.
    return (restOfPattern.isEmpty && restOfPath.isEmpty) || matches(pattern, restOfPath)
  }

  static func matchesName(
    _ pattern: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>, atStart: Bool
  ) -> Bool {
    guard let token = pattern.first else { return name.isEmpty }
    let rest = pattern.dropFirst()
    let isHidden = atStart && name.first == UInt8(ascii: ".")
    switch token {
    case UInt8(ascii: "*"):
      if isHidden { return false }
      return matchesName(rest, name, atStart: atStart)
        || (!name.isEmpty && matchesName(pattern, name.dropFirst(), atStart: false))
    case UInt8(ascii: "?"):
      return !name.isEmpty && !isHidden && matchesName(rest, name.dropFirst(), atStart: false)
    case UInt8(ascii: "["):
      guard let byte = name.first, !isHidden,
        let end = rest.dropFirst(2).firstIndex(of: UInt8(ascii: "]"))
      else { return false }
      let isNegated = rest.first == UInt8(ascii: "!")
      let isListed = rest[..<end].dropFirst(isNegated ? 1 : 0).contains(byte)
      return isListed != isNegated
        && matchesName(rest[(end + 1)...], name.dropFirst(), atStart: false)
    case UInt8(ascii: "\\"):
      return rest.first == name.first
        && matchesName(rest.dropFirst(), name.dropFirst(), atStart: false)
    default:
      return token == name.first && matchesName(rest, name.dropFirst(), atStart: false)
    }
  }
}
