import BAPackCore
import BATestSupport
import Testing

@Suite struct ReadAheadTests {
  let tree: TemporaryFolder

  /// More folders than needed to start threads, and files that cause findings.
  init() throws {
    tree = try TemporaryFolder()
    for a in 0..<7 {
      for b in 0..<9 {
        try tree.makeFolder("d\(a)/e\(b)/g")
        for c in 0..<((a + b) % 4) { try tree.write("d\(a)/e\(b)/f\(c)", "\(a)\(b)\(c)".utf8) }
      }
    }
    try tree.link("d1/e1/loop", to: "../../d1")
    try tree.link("d2/again", to: "../d3")
    try tree.link("d5/lost", to: "nothing")
    try tree.makePipe("d5/e4/pipe")
  }

  private func resolve(_ selectors: String, threads: Int) throws -> [String] {
    let manifest = try manifest(selectors)
    let root = SourceRoot(of: manifest, readFrom: nil, option: tree.filePath)
    let checked = Selection.resolve(manifest, in: root, threads: threads)
    return checked.value.files.map { "\($0.destination) < \($0.source) \($0.size)" }
      + checked.findings.map(described)
  }

  @Test(
    arguments: [1, 3, 8],
    [
      #"{"directory": "."}, {"fileExclusion": "d4"}"#,
      #"{"directory": "d2"}, {"directory": "d3"}, {"fileExclusion": "**/f1"}"#,
    ])
  func theResultDoesNotDependOnTheThreads(threads: Int, selectors: String) throws {
    let alone = try resolve(selectors, threads: 0)
    #expect(alone.count > 20)
    for _ in 0..<5 { #expect(try resolve(selectors, threads: threads) == alone) }
  }
}
