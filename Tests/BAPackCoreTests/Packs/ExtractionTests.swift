import BAPackCore
import BATestSupport
import Foundation
import Testing

@Suite struct ExtractionTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func pack(
    _ name: String, _ files: [(String, [UInt8])], blockSize: Int = 100
  ) throws -> PackIndex {
    let bytes = TestArchive.pack(files, id: name).container(blockSize: blockSize)
    return try PackIndex.read(try folder.write("\(name).aar", bytes), jobs: 1)
  }

  private func extract(
    _ packs: [PackIndex], to name: String = "out", only globs: [String] = [], force: Bool = false,
    jobs: Int = 2
  ) throws {
    var extraction = Extraction()
    extraction.globs = try globs.compactMap { try RelativePath($0.utf8).map { try Glob($0) } }
    extraction.replacesFiles = force
    extraction.jobs = jobs
    _ = try extraction.run(packs.map(\.path), into: folder.path(name))
  }

  private func message(_ body: () throws -> Void) -> String {
    do { try body() } catch { return "\(error)".replacing(folder.path, with: "T") }
    return ""
  }

  @Test(arguments: [1, 2, 8])
  func rebuildsRandomTrees(jobs: Int) throws {
    let seed = UInt64(17 + jobs)
    var random = SeededGenerator(seed: seed)
    for blockSize in [1, 7, 100, 4096] {
      var files: [String: [UInt8]] = [:]
      for _ in 0..<Int.random(in: 0...30, using: &random) {
        let depth = Int.random(in: 0...3, using: &random)
        let parents = (0..<depth).map { _ in "d\(Int.random(in: 0...3, using: &random))" }
        let name = (parents + ["f\(Int.random(in: 0...99, using: &random))"]).joined(separator: "/")
        let size = [0, 1, 99, 100, 101, 250, 1000].randomElement(using: &random) ?? 0
        files[name] = (0..<size).map { _ in UInt8.random(in: 0...3, using: &random) }
      }
      let bytes = TestArchive.pack(files.sorted { $0.key < $1.key }).container(blockSize: blockSize)
      let pack = try PackIndex.read(try folder.write("a.aar", bytes), jobs: jobs)
      try extract([pack], to: "out\(blockSize)", jobs: jobs)
      let found = folder.tree("out\(blockSize)").compactMapValues { $0 }
      #expect(found == files, "seed \(seed)")
    }
  }

  /// A pipe can be read only once.
  @Test(arguments: [1, 3])
  func readsAPackOnce(jobs: Int) throws {
    let files = (0..<30).map { ("d/f\($0)", [UInt8](repeating: UInt8($0), count: 37 * $0)) }
    let bytes = TestArchive.pack(files).container(blockSize: 200)
    let pipe = Pipe()
    let path = BytePath("/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)".utf8)
    Thread.detachNewThread {
      pipe.fileHandleForWriting.write(Data(bytes))
      try? pipe.fileHandleForWriting.close()
    }
    var extraction = Extraction()
    extraction.jobs = jobs
    let extracted = try extraction.run([path], into: folder.path("out"))
    #expect(extracted.count == 30 && extracted.size == 37 * 29 * 15)
    #expect(
      folder.tree("out").compactMapValues { $0 }
        == Dictionary(uniqueKeysWithValues: files))
  }

  @Test func mergesPacks() throws {
    let a = try pack("A", [("x/a", [1]), ("x/y/b", Array(repeating: 2, count: 300))])
    let b = try pack("B", [("x/c", [3]), ("z", [])])
    try extract([a, b])
    #expect(
      folder.tree("out")
        == [
          "x": nil, "x/a": [1], "x/c": [3], "x/y": nil, "x/y/b": Array(repeating: 2, count: 300),
          "z": [],
        ])
  }

  @Test func rejectsConflicts() throws {
    let a = try pack("A", [("x/a", [1])])
    let message = { (files: [(String, [UInt8])]) throws in
      let b = try pack("B", files)
      return self.message { try extract([a, b]) }
    }
    let advice = "; devices merge all packs of an app into one folder"
    #expect(
      try message([("x/a", [2])]) == "'x/a' is not the same in 'T/A.aar' and 'T/B.aar'" + advice)
    #expect(
      try message([("x/a", [1, 1])]) == "'x/a' is not the same in 'T/A.aar' and 'T/B.aar'" + advice)
    #expect(
      try message([("x", [1])])
        == "'x' is a file in 'T/B.aar' and a directory in 'T/A.aar'" + advice)
    #expect(
      try message([("x/a/b", [1])])
        == "'x/a' is a file in 'T/A.aar' and a directory in 'T/B.aar'" + advice)
    #expect(folder.tree("out") == [:])
  }

  @Test(arguments: [1, 3])
  func equalFilesInSeveralPacksAreMerged(jobs: Int) throws {
    let long = [UInt8](repeating: 2, count: 500)
    let a = try pack("A", [("x/a", long), ("x/e", [])])
    let b = try pack("B", [("w", [7]), ("x/a", long)], blockSize: 77)
    let c = try pack("C", [("x/a", long), ("x/e", []), ("y", [3])])
    try extract([a, b, c], jobs: jobs)
    #expect(
      folder.tree("out") == ["w": [7], "x": nil, "x/a": long, "x/e": [], "y": [3]])
    var other = long
    other[499] = 3
    let d = try pack("D", [("x/a", other)])
    #expect(
      message { try extract([a, b, d], to: "no", jobs: jobs) }
        .hasPrefix("'x/a' is not the same in 'T/A.aar' and 'T/D.aar'"))
  }

  @Test func selectsByGlob() throws {
    let a = try pack("A", [("x/a.png", [1]), ("x/b.ogg", [2]), ("y/z/c.png", [3]), ("y/d", [4])])
    try extract([a], only: ["x/*.png", "y/z"])
    #expect(
      folder.tree("out") == ["x": nil, "x/a.png": [1], "y": nil, "y/z": nil, "y/z/c.png": [3]])
  }

  @Test func rejectsExistingFiles() throws {
    let a = try pack("A", [("x/a", [1]), ("x/b", [2]), ("x/c", [3])])
    try folder.write("out/x/b", [9])
    #expect(message { try extract([a]) } == "'T/out/x/b' exists")
    #expect(folder.tree("out") == ["x": nil, "x/b": [9]])
    try extract([a], force: true)
    #expect(folder.tree("out") == ["x": nil, "x/a": [1], "x/b": [2], "x/c": [3]])
    #expect(
      message { try extract([a]) }
        == "'T/out/x/a', 'T/out/x/b', 'T/out/x/c' exist")
    let b = try pack("B", [("a", [0]), ("x/d", [4])])
    try folder.write("out/a", [9])
    #expect(
      message { try extract([a, b]) }
        == "'T/out/a', 'T/out/x/a', 'T/out/x/b' and 1 more file exist")
    #expect(folder.tree("out") == ["a": [9], "x": nil, "x/a": [1], "x/b": [2], "x/c": [3]])
  }

  @Test func rejectsExistingFolders() throws {
    let a = try pack("A", [("x/a", [1]), ("x/b", [2])])
    try folder.write("out/x/b/c", [9])
    #expect(
      message { try extract([a], force: true) }
        == "'T/out/x/b' is a folder, where a file is to be extracted")
    #expect(folder.tree("out") == ["x": nil, "x/b": nil, "x/b/c": [9]])
  }

  @Test(arguments: [false, true])
  func doesNotFollowLinksInTheTarget(force: Bool) throws {
    let a = try pack("A", [("x/a", [1])])
    try folder.write("outside/keep", [9])
    try FileManager.default.createDirectory(
      at: URL(filePath: folder.path).appending(path: "out"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: URL(filePath: folder.path).appending(path: "out/x"),
      withDestinationURL: URL(filePath: folder.path).appending(path: "outside")
    )
    #expect(
      message { try extract([a], force: force) }
        == "'T/out/x' is a symbolic link, and extracted files don't go through links; remove it")
    #expect(folder.tree("outside") == ["keep": [9]])
  }

  @Test func replacesLinksInsteadOfWritingThroughThem() throws {
    let a = try pack("A", [("a", [1]), ("b", Array(repeating: 5, count: 1000))])
    try folder.write("outside", [9])
    try FileManager.default.createDirectory(
      at: URL(filePath: folder.path).appending(path: "out"), withIntermediateDirectories: true)
    for name in ["a", "b"] {
      try FileManager.default.createSymbolicLink(
        at: URL(filePath: folder.path).appending(path: "out/\(name)"),
        withDestinationURL: URL(filePath: folder.path).appending(path: "outside"))
    }
    #expect(
      message { try extract([a]) } == "'T/out/a', 'T/out/b' exist")
    try extract([a], force: true)
    #expect(folder.tree("out") == ["a": [1], "b": Array(repeating: 5, count: 1000)])
    #expect(
      try Data(contentsOf: URL(filePath: folder.path).appending(path: "outside")) == Data([9]))
  }

  @Test(arguments: [1, 3])
  func leavesNothingAfterDamage(jobs: Int) throws {
    let text = Array(String(repeating: "a line of text\n", count: 100).utf8)
    let files = (0..<20).map { ("d\($0 % 3)/f\($0)", text) }
    var bytes = TestArchive.pack(files).container(blockSize: 200)
    let blocks = TestArchive.blocks(bytes)
    // Reading the pack doesn't decode a block that contains only contents of files.
    let pack = try PackIndex.read(try folder.write("good.aar", bytes), jobs: 1)
    let damaged = try #require(
      pack.entries.last { $0.size > 1000 }.flatMap(\.contents).map { Int($0.lowerBound / 200) + 2 })
    bytes[blocks[damaged + 1] - 1] ^= 1
    let broken = try PackIndex.read(try folder.write("bad.aar", bytes), jobs: 1)
    #expect(
      message { try extract([broken], jobs: jobs) }
        .hasPrefix("'T/bad.aar': block \(damaged) (byte \(grouped(blocks[damaged])) of the file): ")
    )
    #expect(folder.tree()["out"] == nil)
    // What was in the target stays.
    try folder.write("out/d0/mine", [9])
    #expect(!message { try extract([broken], force: true, jobs: jobs) }.isEmpty)
    #expect(folder.tree("out") == ["d0": nil, "d0/mine": [9]])
  }

  @Test(arguments: [1, 3])
  func damageAfterReplacedFilesRestoresThem(jobs: Int) throws {
    let long = [UInt8](repeating: 7, count: 2000)
    var bytes = TestArchive.pack([("a", [1]), ("b", long), ("c", [3])]).container(blockSize: 200)
    let blocks = TestArchive.blocks(bytes)
    bytes[blocks[blocks.count - 4] - 1] ^= 1
    let broken = try PackIndex.read(try folder.write("bad.aar", bytes), jobs: 1)
    for name in ["a", "b", "c"] { try folder.write("out/\(name)", [9]) }
    #expect(!message { try extract([broken], force: true, jobs: jobs) }.isEmpty)
    #expect(folder.tree("out") == ["a": [9], "b": [9], "c": [9]])
  }

  @Test func replacesFilesThatAreLinkedToEachOther() throws {
    try folder.write("out/a", [9])
    try FileManager.default.linkItem(
      at: URL(filePath: folder.path).appending(path: "out/a"),
      to: URL(filePath: folder.path).appending(path: "out/b"))
    try extract([try pack("A", [("a", [1]), ("b", [2])])], force: true)
    #expect(folder.tree("out") == ["a": [1], "b": [2]])
  }

  @Test func neverMakesFilesOfMetadata() throws {
    var archive = TestArchive()
    archive.add("D", "")
    archive.add("D", "Contents")
    archive.add("F", "Contents/a", [1])
    archive.add("M", "Contents/b", [2])
    archive.add("F", "Manifest.json", TestArchive.manifest("M"))
    let path = try folder.write("m.aar", archive.container(blockSize: 100))
    try extract([try PackIndex.read(path)])
    #expect(folder.tree("out") == ["a": [1]])
  }

  @Test func neverMakesLinks() throws {
    let links = try #require(GoldenArchive.good.first { $0.name == "links" })
    let pack = try PackIndex.read(links.path)
    let said = message { try extract([pack]) }
    #expect(said.contains("is a symbolic link to"))
    #expect(folder.tree() == [:])
  }

  @Test(arguments: GoldenArchive.hostile)
  func nothingLeavesTheTarget(_ archive: GoldenArchive) throws {
    let said = message {
      let pack = try PackIndex.read(archive.path)
      try folder.makeFolder("cage")
      try extract([pack], to: "cage/target")
    }
    // Names that differ only in case are two files on Linux.
    let isOptional = archive.fields["optional"] as? Bool == true
    #expect(isOptional || !said.isEmpty)
    #expect(said.isEmpty || folder.tree() == ["cage": nil])
    #expect(folder.tree().keys.allSatisfy { $0 == "cage" || $0.hasPrefix("cage/target") })
    for escape in archive.fields["escapes"] as? [String] ?? [] {
      let place = escape.hasPrefix("/") ? escape : folder.path + "/cage/target/" + escape
      #expect((try? FileStatus.notFollowing(BytePath(place.utf8))) == nil)
    }
  }

  @Test func hostileArchivesHaveUniqueMessages() throws {
    var messages: Set<String> = []
    for archive in GoldenArchive.hostile where archive.fields["optional"] as? Bool != true {
      let said = message { _ = try MergedPacks([try PackIndex.read(archive.path)]) }
      #expect(messages.insert(said).inserted, "\(said)")
      #expect(said.contains("/\(archive.name).aar': entry "), "\(archive.name): \(said)")
    }
    #expect(messages.count >= 50)
  }

  @Test func goodPacksAreExtracted() throws {
    for (number, archive) in GoldenArchive.good.enumerated() {
      guard archive.fields["pack"] as? Bool == true else { continue }
      try extract([try PackIndex.read(archive.path)], to: "good\(number)")
      let found = folder.tree("good\(number)").compactMapValues { $0 }
        .mapValues { hexadecimal(SHA256.digest(of: $0)) }
      var expected: [String: String] = [:]
      for entry in try #require(archive.fields["entries"] as? [[String: Any]]) {
        guard entry["type"] as? String == "F", let path = entry["path"] as? String,
          path.hasPrefix("Contents/")
        else { continue }
        expected[String(path.dropFirst(9))] = (entry["DAT"] as? [String: Any])?["sha256"] as? String
      }
      #expect(found == expected, "\(archive.name)")
    }
  }
}
