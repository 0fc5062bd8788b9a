import BAPackCore
import TestSupport
import Testing

@Suite struct PackGroupsTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func pack(
    _ name: String, _ files: [(String, [UInt8])], id: String, blockSize: Int = 64
  ) throws -> PackIndex {
    let bytes = TestArchive.pack(files, id: id).container(blockSize: blockSize)
    return try PackIndex.read(try folder.write("\(name).aar", bytes), jobs: 1)
  }

  private func described(_ groups: [PackGroup]) -> [String] {
    groups.map { "\(String(decoding: $0.name, as: UTF8.self)) \($0.files) \($0.size)" }
  }

  @Test func groupsByFolderTypePackAndSelector() throws {
    let noise = (0..<2000).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 31 &>> 3) }
    let one = try pack(
      "one", [("Data/a/x.PNG", noise), ("Data/a/b/y.png", [1, 2]), ("top", [3])], id: "one")
    let two = try pack("two", [("Data/z.txt", [4]), ("Data/.hidden", [5])], id: "two")
    let packs = [one, two]
    #expect(described(packs.groups(by: .folder)) == ["Data 4 2004", " 1 1"])
    #expect(
      Set(described(packs.groups(by: .folder, depth: 2)))
        == ["Data/a 2 2002", "Data 2 2", " 1 1"])
    #expect(
      Set(described(packs.groups(by: .type))) == ["png 2 2002", "txt 1 1", " 2 2"])
    #expect(described(packs.groups(by: .pack)) == ["one 3 2003", "two 2 2"])
    #expect(
      Set(described(packs.groups(by: .selector)))
        == ["one: directory: Data 2 2002", "one:  1 1", "two: directory: Data 2 2"])
    #expect(described([two].groups(by: .selector)) == ["directory: Data 2 2"])
    for criterion in PackGroup.Criterion.allCases {
      let groups = packs.groups(by: criterion, depth: 3)
      let shares = packs.flatMap { pack in pack.files.map(pack.share) }
      #expect(groups.reduce(0) { $0 + $1.compressedSize } == shares.reduce(0, +))
      #expect(groups.map(\.compressedSize) == groups.map(\.compressedSize).sorted(by: >))
    }
  }

  @Test func firstSelectorThatMatchesCounts() throws {
    let manifest = try manifest(
      """
      {file: "./a//b.txt"}, {fileExclusion: "a/c.txt"}, {filePattern: "a/*.txt"},
      {directorySource: "x", directoryDestination: "a"},
      {fileSource: "y", fileDestination: "d/e"}, {directory: "."}
      """)
    let match = SelectorMatch(manifest.selectors, by: .destination)
    let paths = ["a/b.txt", "a/c.txt", "a/.txt", "a/z", "d/e", "d/f", "b.txt"]
    let first = paths.map { path in
      match.matches(RelativePath(unchecked: Array(path.utf8))).map(\.index).min()
    }
    // 'a/c.txt' can only be from 'x/c.txt', as the other one is excluded.
    #expect(first == [0, 3, 3, 3, 4, 5, 5])
    let none = SelectorMatch(Array(manifest.selectors.prefix(2)), by: .destination)
    #expect(none.matches(RelativePath(unchecked: Array("a/c.txt".utf8))).isEmpty)
  }

  @Test(arguments: [1, 3])
  func duplicatesWaste(jobs: Int) throws {
    let long = [UInt8](repeating: 7, count: 1000)
    var other = long
    other[999] = 8
    let made = try pack(
      "one", [("a", long), ("b", other), ("c", long), ("d", []), ("e", []), ("f", long)], id: "a")
    var packs = [made]
    try packs.findHashes(ofAll: false, jobs: jobs)
    let copies = try #require(packs.copies.first)
    #expect(packs.copies.count == 1 && copies.size == 1000 && copies.wastedSize == 2000)
    let shares = made.files.filter { ["a", "c", "f"].contains($0.path?.description) }
      .map(made.share)
    #expect(copies.files.map(\.share) == Array(shares))
    packs = [try pack("two", [("a", long), ("b", other)], id: "a")]
    try packs.findHashes(ofAll: false, jobs: jobs)
    #expect(packs[0].hashes.count == 2 && packs.copies.isEmpty)
  }

  @Test func setsArePairedByIdentifier() throws {
    let old = [
      try pack("1", [("a", [1])], id: "same"), try pack("2", [("b", [1])], id: "changed"),
      try pack("3", [("c", [1])], id: "removed"),
    ]
    let new = [
      try pack("4", [("d", [1]), ("e", [1])], id: "added"),
      try pack("5", [("b", [2])], id: "changed"), try pack("6", [("a", [1])], id: "same"),
    ]
    let packs = try old.compare(to: new, jobs: 1)
    #expect(packs.map(\.name) == ["added", "changed", "removed", "same"])
    #expect(packs.map(\.kind) == [.added, .changed, .removed, .unchanged])
    #expect(packs.map(\.changes.count) == [2, 1, 1, 0])
    #expect(packs[0].changes.allSatisfy { $0.old == nil && $0.new != nil })
    #expect(packs[2].changes.allSatisfy { $0.old != nil && $0.new == nil })
    #expect(packs.downloadSize == new[0].downloadSize + new[1].downloadSize)
    #expect(!packs.isEqual)
    #expect {
      try [old[0], new[2]].compare(to: new, jobs: 1)
    } throws: {
      "\($0)".hasSuffix("have the same identifier, 'same'; packs are compared by identifier")
    }
  }
}
