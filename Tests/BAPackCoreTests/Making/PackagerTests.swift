import BAPackCore
import BATestSupport
import Foundation
import Testing

/// The output of a packager, read by an independent reader.
@Suite struct PackagerTests {
  static let block = 1 << 20
  static let sizes = [
    0, 1, 100, 65_535, 65_536, block - 100, block - 44, block - 1, block, block + 1, 2 * block,
    3 * block + 17,
  ]
  let tree: TemporaryFolder
  let out: TemporaryFolder

  init() throws {
    tree = try TemporaryFolder()
    out = try TemporaryFolder()
  }

  @Test(arguments: [Compression.zlib(level: 5), .lzfse(), .store])
  func measuresWhatWouldBeWritten(_ compression: Compression) throws {
    var random = SeededGenerator(seed: 5)
    for (index, kind) in CodecInput.allCases.enumerated() {
      try tree.write("file\(index)", kind.bytes(700_000, &random), executable: index == 1)
    }
    let layout = try layout(of: tree)
    var packager = Packager()
    packager.compression = compression
    let measured = try packager.measure(layout, root: tree.filePath)
    _ = try packager.write(layout, root: tree.filePath, to: out.path("a.aar"))
    let pack = try PackIndex(reading: out.path("a.aar"))
    #expect(measured == pack.container)
    #expect(measured.blocks > 1)
    for (index, entry) in pack.entries.enumerated() where entry.contents != nil {
      #expect(layout.contents(at: index) == entry.contents)
    }
  }

  /// Files with sizes around the limits of blocks, in random order and with random contents.
  private func plant(seed: UInt64, _ sizes: [Int]) throws {
    var random = SeededGenerator(seed: seed)
    for (index, size) in sizes.shuffled(using: &random).enumerated() {
      let folder = ["", "a/", "a/b/", "a-b/", "z/"].randomElement(using: &random) ?? ""
      let kind = CodecInput.allCases.randomElement(using: &random) ?? .text
      let jitter = Int.random(in: 0...40, using: &random)
      try tree.write(
        "\(folder)file\(index)", kind.bytes(max(0, size - (size > 50 ? jitter : 0)), &random),
        executable: Bool.random(using: &random))
    }
  }

  private func pack(jobs: Int, _ compression: Compression) throws -> (ContainerFacts, [UInt8]) {
    var packager = Packager()
    packager.jobs = jobs
    packager.compression = compression
    packager.replacesOutput = true
    let layout = try layout(of: tree)
    let counts = try packager.write(layout, root: tree.filePath, to: out.path("Pack.aar"))
    #expect(try out.names() == ["Pack.aar"])
    return (counts, try out.contents("Pack.aar"))
  }

  @Test func replacesAPackByANewFile() throws {
    try tree.write("a", [1, 2, 3])
    let (_, right) = try pack(jobs: 1, .store)
    for old in [right, right + [0], right.dropLast(), []] {
      try out.write("Pack.aar", old)
      let file = try #require(FileHandle(forReadingAtPath: out.path + "/Pack.aar"))
      #expect(try pack(jobs: 1, .store).1 == right)
      #expect(try file.readToEnd().map(Array.init) ?? [] == old)
    }
  }

  @Test(arguments: [Compression.zlib(level: 5), .lzfse(), .store], [UInt64(1), 2])
  func bytesDoNotDependOnTheNumberOfJobs(compression: Compression, seed: UInt64) throws {
    // LZFSE takes longer, and only zlib packs can be read without another reader.
    try plant(seed: seed, compression == .lzfse() ? Array(Self.sizes.suffix(4)) : Self.sizes)
    let (counts, alone) = try pack(jobs: 1, compression)
    #expect(counts.packedSize == UInt64(alone.count))
    for jobs in [2, 3, 8] {
      let (_, bytes) = try pack(jobs: jobs, compression)
      if bytes != alone { Issue.record("\(jobs) jobs, \(compression), seed \(seed)") }
    }
    if compression == .lzfse() { return }
    let pack = try PackedEntries(alone)
    #expect(pack.letter == (compression == .store ? "e" : "z"))
    #expect(pack.blocks.dropLast().allSatisfy { $0[0] == Self.block })
    #expect(pack.blocks.count == counts.blocks && pack.stream.count == Int(counts.rawSize))
    #expect(pack.blocks.count { $0[0] == $0[1] } == counts.storedBlocks)
    if compression == .store { #expect(counts.storedBlocks == counts.blocks) }
    for entry in pack.entries where entry.type == "F" && entry.path.hasPrefix("Contents/") {
      let name = String(entry.path.dropFirst("Contents/".count))
      if try entry.contents != tree.contents(name) { Issue.record("'\(name)', seed \(seed)") }
      let isExecutable = FileManager.default.isExecutableFile(atPath: "\(tree.path)/\(name)")
      // Root may execute a file with any x bit, and so may the owner of the test's files.
      #expect(entry.mode == (isExecutable ? 0o755 : 0o644), "'\(name)', seed \(seed)")
    }
    #expect(
      pack.entries.count { $0.type == "F" } == Self.sizes.count + 1, "seed \(seed)")
  }

  @Test func entriesAreThoseOfAPack() throws {
    try tree.write("b/c/x", "b/c/y", "b/z", "b-c/x", "a", "b/c/d/e/f", "Manifest.json")
    let (_, bytes) = try pack(jobs: 2, .zlib(level: 5))
    let entries = try PackedEntries(bytes).entries
    #expect(
      entries.map { "\($0.type) \($0.path)" } == [
        "D ", "D Contents", "F Contents/Manifest.json", "F Contents/a", "D Contents/b",
        "D Contents/b/c", "D Contents/b/c/d", "D Contents/b/c/d/e", "F Contents/b/c/d/e/f",
        "F Contents/b/c/x", "F Contents/b/c/y", "F Contents/b/z", "D Contents/b-c",
        "F Contents/b-c/x", "F Manifest.json",
      ])
    #expect(entries.allSatisfy { $0.mode == ($0.type == "D" ? 0o755 : 0o644) })
    #expect(entries.last?.contents == (try manifest("{directory: '.'}").embedded))
    #expect(entries[2].contents == Array("Manifest.json".utf8))
  }

  /// The times and modes of a clone, and the order of its creation, don't affect the pack.
  @Test func clonesGiveTheSameBytes() throws {
    let other = try TemporaryFolder()
    let names = ["a/x", "a/y", "b", "c/d/e"]
    for name in names { try tree.write(name) }
    for name in names.reversed() {
      try other.write(name)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o640, .modificationDate: Date(timeIntervalSince1970: 1)],
        ofItemAtPath: "\(other.path)/\(name)")
    }
    let (_, first) = try pack(jobs: 2, .zlib(level: 5))
    let layout = try layout(of: other)
    _ = try Packager().write(layout, root: other.filePath, to: out.path("Other.aar"))
    #expect(try out.contents("Other.aar") == first)
  }

  @Test func progressGoesUpToTheSizeOfTheStream() throws {
    try plant(seed: 3, [Self.block, 3 * Self.block, 5])
    var packager = Packager()
    packager.jobs = 3
    let seen = Monitor<[Int]>([])
    packager.progress = { size, _ in seen.withLock { $0.append(size) } }
    let layout = try layout(of: tree)
    let counts = try packager.write(layout, root: tree.filePath, to: out.path("Pack.aar"))
    let values = seen.withLock { $0 }
    #expect(values.count == counts.blocks && values.reduce(0, +) == Int(layout.size))
    #expect(values.dropLast().allSatisfy { $0 == Self.block })
  }
}
