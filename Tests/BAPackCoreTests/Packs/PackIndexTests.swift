import BAPackCore
import BATestSupport
import Testing

/// One pack, seen through an archive, the layout that it was made from, and the JSON of a report.
@Suite struct PackIndexTests {
  private let folder: TemporaryFolder
  private let tree: TemporaryFolder
  private let other: TemporaryFolder
  private let archive: PackIndex
  private let layout: PackIndex
  private let report: PackIndex

  init() throws {
    folder = try TemporaryFolder()
    tree = try TemporaryFolder()
    other = try TemporaryFolder()
    var random = SeededGenerator(seed: 7)
    let noise = CodecInput.noise.bytes(1_500_000, &random)
    try tree.write("Data/a.bin", noise)
    try tree.write("Data/deep/copy.bin", noise)
    try tree.write("Data/tool", CodecInput.text.bytes(3000, &random), executable: true)
    try tree.write("empty", [])
    let manifest = try manifest("{directory: '.'}")
    let plan = try BAPackCoreTests.layout(of: tree)
    let packager = Packager()
    let container = try packager.measure(plan, root: tree.filePath)
    let path = folder.path("a.aar")
    _ = try packager.write(plan, root: tree.filePath, to: path)
    var packs = [
      try PackIndex(reading: path), PackIndex(path, plan, root: tree.filePath, manifest, container),
    ]
    try packs.findHashes(ofAll: true, jobs: 3)
    (archive, layout) = (packs[0], packs[1])
    report = try reported(archive)
  }

  private var all: [PackIndex] { [archive, layout, report] }

  @Test func areTheSameWhateverTheyComeFrom() {
    for pack in all {
      #expect(pack.name == "a" && pack.manifestSHA256 == archive.manifestSHA256)
      #expect(pack.downloadSize == archive.downloadSize && pack.size == archive.size)
      #expect(pack.files.map(\.archivePath) == archive.files.map(\.archivePath))
      #expect(pack.files.map(\.isExecutable) == [false, false, true, false])
      #expect(pack.files.map(pack.share) == archive.files.map(archive.share))
      #expect(pack.files.map(pack.blocks) == archive.files.map(archive.blocks))
      #expect(
        pack.files.map { pack.hashes[$0.number] } == archive.files.map { archive.hashes[$0.number] }
      )
      #expect([pack].copies.map(\.wastedDownload) == [archive].copies.map(\.wastedDownload))
    }
    #expect([archive].copies.map(\.files.count) == [2])
    #expect(
      JSONWriter.text(report.json(includingHashes: true))
        == JSONWriter.text(archive.json(includingHashes: true)))
    #expect(layout.entries.map(\.contents) == archive.entries.map(\.contents))
  }

  /// The same differences, whether contents are compared or their hashes.
  @Test func areComparedWhateverTheyComeFrom() throws {
    try other.write("Data/a.bin", [UInt8](repeating: 1, count: 1_500_000))
    try other.write("Data/tool", [UInt8](repeating: 1, count: 2999), executable: true)
    try other.write("empty", [])
    try other.write("new", [1])
    let plan = try BAPackCoreTests.layout(of: other)
    let path = folder.path("b.aar")
    _ = try Packager().write(plan, root: other.filePath, to: path)
    let measured = PackIndex(
      path, plan, root: other.filePath, try manifest("{directory: '.'}"),
      try Packager().measure(plan, root: other.filePath))
    for old in all {
      for new in all {
        let same = try new.difference(from: old, Work(threads: 2))
        #expect(same.isEmpty && same.unchanged == 4 && same.downloadSize == 0)
      }
      for new in [try PackIndex(reading: path), measured] {
        let difference = try new.difference(from: old, Work(threads: 2))
        #expect(
          difference.changes.map { "\($0.kind) \($0.path)" } == [
            "changed Data/a.bin", "removed Data/deep/copy.bin", "changed Data/tool", "added new",
          ])
        #expect(difference.unchanged == 1 && difference.hasSameManifest)
        #expect(difference.downloadSize == new.downloadSize)
      }
    }
  }

  /// A report has no links, so they can't have changed since.
  @Test func linksAreIgnoredSinceAReport() throws {
    var linked = TestArchive.pack([("a", [1])])
    let without = try PackIndex(
      reading: folder.write("without.aar", linked.container(blockSize: 64)))
    linked.stream += encodeHeader([
      .integer("TYP", UInt64(UInt8(ascii: "L"))), .string("PAT", Array("Contents/link".utf8)),
      .string("LNK", Array("a".utf8)), .integer("MOD", 0o755), .time("MTM", .constant),
    ])
    let with = try PackIndex(reading: folder.write("with.aar", linked.container(blockSize: 64)))
    #expect(try with.difference(from: without).changes.map(\.path.description) == ["link"])
    var hashed = [without]
    try hashed.findHashes(ofAll: true, jobs: 1)
    let report = try reported(hashed[0])
    #expect(try with.difference(from: report).isEmpty)
  }

  @Test func aReportCanNotBeReadAsAnArchive() throws {
    let file = try #require(report.files.first)
    #expect(throws: PackError.self) { try report.bytes(of: file) }
    #expect(throws: SystemError.self) {
      try report.compare(with: folder.filePath, selection: nil)
    }
  }
}

/// The pack as read from its JSON.
private func reported(_ pack: PackIndex) throws -> PackIndex {
  let text = SourceText(name: [], bytes: JSONWriter.bytes(pack.json(includingHashes: true)))
  return try PackIndex(#require(JSONDocument(reading: text).root))
}
