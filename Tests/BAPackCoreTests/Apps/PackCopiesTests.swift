import BAPackCore
import BATestSupport
import Testing

@Suite struct PackCopiesTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func pack(
    _ name: String, _ files: [(String, [UInt8])], id: String, blockSize: Int = 64
  ) throws -> PackIndex {
    try PackIndex(
      reading: folder.writePack(name, files, id: id, blockSize: blockSize), Work(threads: 1))
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
    let shares = made.files.filter { ["a", "c", "f"].contains($0.path.description) }
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
