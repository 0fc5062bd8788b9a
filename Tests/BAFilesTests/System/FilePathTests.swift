import BAFiles
import BATestSupport
import Testing

@Suite struct FilePathTests {
  static let parts: [(path: BytePath, folder: BytePath, name: String)] = [
    ("a", ".", "a"), ("a/b", "a", "b"), ("/a", "/", "a"), ("//a", "/", "a"), ("a/b/", "a", "b"),
    ("a//b", "a", "b"), ("/a/b", "/a", "b"), ("./a", ".", "a"), ("../a", "..", "a"),
    ("a/..", "a", ".."), ("", ".", ""), ("a///", ".", "a"),
  ]

  @Test(arguments: parts) func hasAFolderAndAName(path: BytePath, folder: BytePath, name: String) {
    #expect(path.folder == folder)
    #expect(Array(path.name) == Array(name.utf8))
  }

  static let joined: [(folder: BytePath, path: String, result: BytePath)] = [
    ("a", "b", "a/b"), ("a/", "b", "a/b"), ("/", "b", "/b"), (".", "b", "b"), ("", "b", "b"),
    ("a", "/b", "/b"), ("a", "", "a"), ("a", ".", "a"), ("a", "../b", "a/../b"),
    (".", "", "."),
  ]

  @Test(arguments: joined) func appends(folder: BytePath, path: String, result: BytePath) {
    #expect(folder.appending(path.utf8) == result)
  }

  @Test func recognizesExtensions() {
    for path: BytePath in ["a.aar", "x/.b.aar", "a.b.aar", "a.AAR", "a.Aar"] {
      #expect(path.hasExtension("aar"))
    }
    for path: BytePath in [
      ".aar", "aar", "a.aar/", "a.aar.json", "a.aar/b", "", "a.aa", "a\u{0E}AAR",
    ] {
      #expect(!path.hasExtension("aar"))
    }
  }

  @Test func isPrintedSafely() {
    #expect("\(BytePath([0x61, 0x1B, 0x5B, 0xFF]))" == "a\\u{1B}[\\xFF")
    #expect(BytePath("/a".utf8).isAbsolute && !BytePath("a".utf8).isAbsolute)
  }
}
