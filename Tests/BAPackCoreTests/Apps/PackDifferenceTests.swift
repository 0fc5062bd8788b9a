import BAPackCore
import BATestSupport
import Foundation
import Testing

@Suite struct PackDifferenceTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func pack(
    _ name: String, _ files: [(String, [UInt8])], id: String = "Test", blockSize: Int = 64
  ) throws -> PackIndex {
    try PackIndex(
      reading: folder.writePack(name, files, id: id, blockSize: blockSize), Work(threads: 1))
  }

  @Test(arguments: [1, 3])
  func namesWhatDiffers(jobs: Int) throws {
    let long = [UInt8](repeating: 7, count: 1000)
    var changed = long
    changed[999] = 8
    let old = try pack("old", [("a", [1]), ("b", long), ("c", long), ("e", [5])])
    let new = try pack(
      "new", [("b", long), ("c", changed), ("d", []), ("e", [5, 6])], blockSize: 50)
    let difference = try new.difference(from: old, Work(threads: jobs))
    #expect(difference.changes.map(\.path.description) == ["a", "c", "d", "e"])
    #expect(difference.changes.map { $0.old?.size } == [1, 1000, nil, 1])
    #expect(difference.changes.map { $0.new?.size } == [nil, 1000, 0, 2])
    #expect(difference.unchanged == 1)
    #expect(difference.hasSameManifest)
    #expect(!difference.isEmpty)
  }

  @Test func ignoresBlocks() throws {
    let files = (0..<50).map { ("f\($0)", [UInt8](repeating: UInt8($0), count: $0 * 7)) }
    let difference = try pack("new", files, blockSize: 1000)
      .difference(from: pack("old", files, blockSize: 33))
    #expect(difference.isEmpty)
    #expect(difference.unchanged == 50)
  }

  @Test func comparesManifests() throws {
    let difference = try pack("new", [("a", [1])], id: "Other")
      .difference(from: pack("old", [("a", [1])]))
    #expect(difference.changes.isEmpty)
    #expect(!difference.isEmpty)
  }

  @Test func comparesWithTheRepository() throws {
    let long = [UInt8](repeating: 7, count: 1000)
    let made = try pack("p", [("d/a", [1]), ("d/b", long), ("d/c", [1, 2]), ("d/e", [])])
    try folder.write("repo/d/a", [1])
    var changed = long
    changed[700] = 0
    changed[900] = 0
    try folder.write("repo/d/b", changed)
    try folder.write("repo/d/c", [1])
    let found = try made.compare(with: folder.path("repo"), selection: nil, jobs: 2)
    #expect(
      found.map { "\($0)".replacing(folder.path, with: "T") } == [
        "'d/b' differs from the repository's, from byte 700 on",
        "'d/c' has 2 bytes in the pack and 1 in the repository",
        "'d/e' is in the pack, but there is no 'T/repo/d/e'",
      ])
  }

  @Test func readsOnlyTheBlocksOfAFile() throws {
    let text = Array(String(repeating: "a line of text\n", count: 60).utf8)
    let files = [("a", text), ("b", text), ("c", text)]
    var bytes = TestArchive.pack(files).container(blockSize: 100)
    let whole = try PackIndex(reading: try folder.write("whole.aar", bytes), Work(threads: 1))
    let blocks = TestArchive.blocks(bytes)
    // All blocks that contain only contents of the others are damaged.
    for entry in whole.entries
    where entry.archivePath.last == UInt8(ascii: "a") || entry.archivePath.last == UInt8(ascii: "c")
    {
      guard let range = entry.contents, range.count > 100 else { continue }
      for block in Int(range.lowerBound / 100) + 1..<Int(range.upperBound / 100) {
        bytes[blocks[block + 1] - 1] ^= 0xFF
      }
    }
    let pack = try PackIndex(reading: try folder.write("damaged.aar", bytes), Work(threads: 1))
    let merged = try MergedPacks([pack])
    let path = try #require(RelativePath("b".utf8))
    let file = try #require(merged.file(at: path))
    #expect(try pack.bytes(of: file.entry, nil, Work(threads: 2)) == text)
    let error = #expect(throws: PackError.self) {
      try pack.bytes(of: merged.files[0].entry)
    }
    #expect(error?.path == pack.path && error?.damage != nil)
  }

  @Test func entriesOfAnotherPackAreRefused() throws {
    let folder = try TemporaryFolder()
    let small = TestArchive.pack([("a", [1])]).container(blockSize: 1000)
    let large = TestArchive.pack([("a", [UInt8](repeating: 1, count: 5000))]).container(
      blockSize: 1000)
    let pack = try PackIndex(reading: try folder.write("small.aar", small))
    let other = try PackIndex(reading: try folder.write("large.aar", large))
    let file = try #require(other.files.first)
    let error = #expect(throws: PackError.self) { try pack.bytes(of: file) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.description == "'Contents/a' is not an entry of '\(pack.path)'")
  }

  @Test func limitsBelowZeroAllowNothing() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      "a.aar", TestArchive.pack([("a", [1])]).container(blockSize: 1000))
    var limits = ReadingLimits()
    limits.entries = -1
    let error = #expect(throws: PackError.self) {
      try PackIndex(reading: path, limits: limits, Work(threads: 1))
    }
    #expect(error?.code == .limitExceeded)
  }
}
