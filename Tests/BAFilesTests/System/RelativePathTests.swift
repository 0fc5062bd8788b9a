import BAFiles
import BATestSupport
import Testing

private func path(_ text: String) throws -> RelativePath {
  try #require(RelativePath(Array(text.utf8)))
}

@Suite struct RelativePathTests {
  @Test(arguments: ["", "a", "a/b", ".a", "..a", "a..", "...", "a/.b/c", "ä/\u{1}", "a b"])
  func acceptsRelativePaths(text: String) throws {
    let path = try path(text)
    #expect(path.bytes == Array(text.utf8))
    #expect(path.components.map { Array($0) } == text.utf8.split(separator: 0x2F).map { Array($0) })
  }

  @Test(arguments: [
    "/", "/a", "a/", "a//b", ".", "..", "a/.", "a/..", "./a", "../a", "a/../b", "a\0b", "\0",
  ])
  func rejectsOthers(text: String) {
    #expect(RelativePath(Array(text.utf8)) == nil)
  }

  @Test func hasPartsAndParents() throws {
    let deep = try path("a/bc/d")
    #expect(Array(deep.name) == Array("d".utf8))
    #expect(deep.parent == (try path("a/bc")))
    #expect(deep.parent?.parent?.parent == .root)
    #expect(RelativePath.root.parent == nil)
    #expect(RelativePath.root.name.isEmpty)
    #expect(deep.appending("e".utf8) == (try path("a/bc/d/e")))
    #expect(RelativePath.root.appending("e".utf8) == (try path("e")))
    #expect(deep.prefixed(by: try path("x/y")) == (try path("x/y/a/bc/d")))
    #expect(deep.prefixed(by: .root) == deep)
    #expect(RelativePath.root.prefixed(by: deep) == deep)
    #expect("\(RelativePath.root)" == "." && "\(deep)" == "a/bc/d")
    #expect("\(RelativePath(unchecked: [0x61, 0x0A, 0xFF]))" == "a\\n\\xFF")
  }

  @Test func recognizesPathsInside() throws {
    let folder = try path("a/b")
    for text in ["a/b", "a/b/c", "a/b/c/d"] { #expect(try path(text).isInside(folder)) }
    for text in ["", "a", "a/bc", "a/b-c", "a/c", "b/a/b", "a/b.c/d"] {
      #expect(try !path(text).isInside(folder))
    }
    #expect(folder.isInside(.root) && RelativePath.root.isInside(.root))
  }

  /// Comparing bytes with the slash first is the same as comparing lists of components.
  @Test func sortsPartByPart() throws {
    var random = SeededGenerator(seed: 77)
    let letters = Array("ab-!.\u{7F}/é\u{1}".utf8)
    var paths: [RelativePath] = [.root]
    while paths.count < 400 {
      let bytes = (0..<Int.random(in: 1...7, using: &random)).map { _ in
        letters[Int.random(in: letters.indices, using: &random)]
      }
      if let path = RelativePath(bytes) { paths.append(path) }
    }
    for left in paths {
      for right in paths {
        let expected = left.components.lexicographicallyPrecedes(right.components) {
          $0.lexicographicallyPrecedes($1)
        }
        if (left < right) != expected { Issue.record("'\(left)' < '\(right)', seed 77") }
      }
    }
    #expect(try path("a/b") < path("a-b") && path("a") < path("a/b") && path("a!") < path("a-"))
  }
}
