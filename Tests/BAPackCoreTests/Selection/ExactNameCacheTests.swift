import BAPackCore
import BATestSupport
import Testing

/// On case-sensitive volumes a path in another spelling doesn't exist anyway; this detects it on a
/// Mac.
@Suite struct SpellingTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("Textures/Stone.png", "T\u{F6}ne/a", "plain")
    try folder.link("Link", to: "Textures")
  }

  @Test(arguments: [
    ("Textures/Stone.png", true), ("Textures", true), ("Link/Stone.png", true), ("", true),
    ("T\u{F6}ne/a", true), ("textures/Stone.png", false), ("Textures/stone.png", false),
    ("To\u{308}ne/a", false), ("link/Stone.png", false), ("Textures/Wood.png", false),
    // 'plain' is a file, so nothing is listed.
    ("plain/a", true),
  ])
  func pathsAreComparedByteByByte(path: String, isExact: Bool) throws {
    let tree = try SourceTree(folder.filePath)
    var spelling = ExactNameCache()
    let path = try #require(RelativePath(path.utf8))
    #expect(try spelling.isExact(path, in: tree) == isExact)
    // A second time, from the cache.
    #expect(try spelling.isExact(path, in: tree) == isExact)
  }
}
