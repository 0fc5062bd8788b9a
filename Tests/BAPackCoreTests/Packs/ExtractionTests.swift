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
    return try PackIndex(reading: try folder.write("\(name).aar", bytes), Work(threads: 1))
  }

  private func extract(
    _ packs: [PackIndex], to name: String = "out", only globs: [String] = [], jobs: Int = 2
  ) throws {
    var extraction = Extraction()
    extraction.globs = try globs.compactMap { try RelativePath($0.utf8).map { try Glob($0) } }
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
      let pack = try PackIndex(reading: try folder.write("a.aar", bytes), Work(threads: jobs))
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
    #expect(extracted.files.count == 30 && extracted.size == 37 * 29 * 15)
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

  /// Nothing but an empty folder is replaced, and what is there stays as it was.
  @Test func refusesAnythingButAnEmptyFolder() throws {
    let a = try pack("A", [("x/a", [1])])
    let at = { (name: String) in URL(filePath: folder.path).appending(path: name) }
    let manager = FileManager.default
    try folder.write("full/.hidden", [9])
    try folder.makeFolder("folders/x")
    try folder.write("file", [9])
    try manager.createSymbolicLink(at: at("toFull"), withDestinationURL: at("full"))
    try manager.createSymbolicLink(at: at("toFile"), withDestinationURL: at("file"))
    try manager.createSymbolicLink(at: at("toNothing"), withDestinationURL: at("nothing"))
    let before = folder.tree()
    let full = "is not empty; packs are extracted into a new folder, or an empty one"
    for (name, reason) in [
      ("full", full), ("folders", full), ("toFull", full), ("file", "is a file; name a new folder"),
      ("toFile", "is a file; name a new folder"),
      ("toNothing", "is a symbolic link to nothing; remove it, or name a new folder"),
    ] {
      #expect(message { try extract([a], to: name) } == "'T/\(name)' \(reason)")
    }
    #expect(folder.tree() == before)
  }

  @Test(arguments: ["empty", "link", "empty/"])
  func replacesAnEmptyFolder(name: String) throws {
    let a = try pack("A", [("x/a", [1])])
    try folder.makeFolder("empty")
    let url = URL(filePath: folder.path).appending(path: "empty")
    try FileManager.default.setAttributes([.posixPermissions: 0o750], ofItemAtPath: url.path())
    try FileManager.default.createSymbolicLink(
      at: URL(filePath: folder.path).appending(path: "link"), withDestinationURL: url)
    try extract([a], to: name)
    #expect(folder.tree("empty") == ["x": nil, "x/a": [1]])
    let mode = try FileManager.default.attributesOfItem(atPath: url.path())[.posixPermissions]
    #expect(mode as? Int == 0o750)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path + "/link") != "")
  }

  @Test(arguments: [1, 3])
  func leavesNothingAfterDamage(jobs: Int) throws {
    let text = Array(String(repeating: "a line of text\n", count: 100).utf8)
    let files = (0..<20).map { ("d\($0 % 3)/f\($0)", text) }
    var bytes = TestArchive.pack(files).container(blockSize: 200)
    let blocks = TestArchive.blocks(bytes)
    // Reading the pack doesn't decode a block that contains only contents of files.
    let pack = try PackIndex(reading: try folder.write("good.aar", bytes), Work(threads: 1))
    let damaged = try #require(
      pack.entries.last { $0.size > 1000 }.flatMap(\.contents).map { Int($0.lowerBound / 200) + 2 })
    bytes[blocks[damaged + 1] - 1] ^= 1
    let broken = try PackIndex(reading: try folder.write("bad.aar", bytes), Work(threads: 1))
    #expect(
      message { try extract([broken], jobs: jobs) }
        .hasPrefix("'T/bad.aar': block \(damaged) (byte \(grouped(blocks[damaged])) of the file): ")
    )
    #expect(folder.tree()["out"] == nil)
    // An empty folder stays.
    try folder.makeFolder("out")
    #expect(!message { try extract([broken], jobs: jobs) }.isEmpty)
    #expect(folder.tree("out") == [:])
    #expect(try folder.names() == ["bad.aar", "good.aar", "out"])
  }

  @Test func neverMakesFilesOfMetadata() throws {
    var archive = TestArchive()
    archive.add("D", "")
    archive.add("D", "Contents")
    archive.add("F", "Contents/a", [1])
    archive.add("M", "Contents/b", [2])
    archive.add("F", "Manifest.json", TestArchive.manifest("M"))
    let path = try folder.write("m.aar", archive.container(blockSize: 100))
    try extract([try PackIndex(reading: path)])
    #expect(folder.tree("out") == ["a": [1]])
  }

  @Test func neverMakesLinks() throws {
    let links = try #require(GoldenArchive.good.first { $0.name == "links" })
    let pack = try PackIndex(reading: links.path)
    let said = message { try extract([pack]) }
    #expect(said.contains("is a symbolic link to"))
    #expect(folder.tree() == [:])
  }

  @Test(arguments: GoldenArchive.hostile)
  func nothingLeavesTheTarget(_ archive: GoldenArchive) throws {
    let said = message {
      let pack = try PackIndex(reading: archive.path)
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
      let said = message { _ = try MergedPacks([try PackIndex(reading: archive.path)]) }
      #expect(messages.insert(said).inserted, "\(said)")
      #expect(said.contains("/\(archive.name).aar': entry "), "\(archive.name): \(said)")
    }
    #expect(messages.count >= 50)
  }

  @Test func goodPacksAreExtracted() throws {
    for (number, archive) in GoldenArchive.good.enumerated() {
      guard archive.fields["pack"] as? Bool == true else { continue }
      try extract([try PackIndex(reading: archive.path)], to: "good\(number)")
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
