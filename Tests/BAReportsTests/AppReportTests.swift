import BAPackCore
import BAReports
import BATestSupport
import Testing

@Suite struct AppReportTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func sharesAddUpToTheFile() throws {
    let zeros = [UInt8](repeating: 0, count: 1000)
    let packed = try PackIndex(
      reading: folder.writePack(
        "a", [("a", zeros), ("b", zeros + Array(0..<200)), ("c", [])], id: "a"))
    let facts = try #require(packed.container)
    var end: UInt64 = 0
    var sum: UInt64 = 0
    for entry in packed.entries {
      let contents = entry.contents ?? entry.offset..<entry.offset
      sum += facts.share(of: end..<contents.lowerBound) + facts.share(of: contents)
      end = max(end, contents.upperBound)
    }
    #expect(end == facts.rawSize)
    // All but the header of the container.
    #expect(sum == facts.packedSize - 12)
    #expect(facts.share(of: 5..<5) == 0)
    let contents = packed.entries.filter { $0.gamePath != nil }.compactMap(\.contents)
    #expect(contents.map(facts.blockUse) == [.compressed, .both, .none])
  }

  /// A block of 64 zeros takes 16 bytes of header and 11 of zlib: half of it is half of that.
  @Test func shareOfABlock() throws {
    var archive = TestArchive()
    archive.stream = [UInt8](repeating: 0, count: 64)
    let path = try folder.write("zeros", archive.container(blockSize: 64))
    let facts = try OpenArchive(path).facts()
    let size = facts.packedSize - 12
    #expect(facts.share(of: 0..<64) == size)
    #expect(facts.share(of: 0..<32) == size / 2)
    #expect(facts.share(of: 0..<32) + facts.share(of: 32..<64) == size)
  }

  @Test(arguments: [1, 3])
  func findsDuplicatesWithinAndAcrossPacks(jobs: Int) throws {
    let long = [UInt8](repeating: 7, count: 1000)
    let one = try folder.writePack("a", [("x", long), ("y", long), ("z", [1]), ("e", [])], id: "a")
    let other = try folder.writePack(
      "b", [("d/x", long), ("f", [2]), ("g", []), ("h", [2])], id: "b")
    var options = AppReport.Options()
    options.jobs = jobs
    let report = try AppReport(of: [one, other], options)
    #expect(report.duplicates.map(\.size) == [1000, 1])
    let copies = report.duplicates.map { duplicate in
      duplicate.files.map { copy -> String in
        let path = report.packs[copy.pack].entries[copy.number].shownPath
        return "\(copy.pack):" + String(decoding: path, as: UTF8.self)
      }
    }
    #expect(copies == [["0:x", "0:y", "1:d/x"], ["1:f", "1:h"]])
    #expect(report.wastedSize == 2001)
    let shares = report.duplicates[0].files.map(\.share)
    #expect(report.duplicates[0].wastedDownload == shares.reduce(0, +) - shares.max()!)
    #expect(report.fileCount == 8 && report.size == 3003)
    #expect(report.downloadSize == report.packs.reduce(0) { $0 + $1.downloadSize })
  }

  @Test func hashesAreTheSameFromPacksAndFiles() throws {
    var random = SeededGenerator(seed: 6)
    let tree = try TemporaryFolder()
    for (index, size) in [0, 1, 1 << 20, 2_500_000].enumerated() {
      try tree.write("f\(index)", CodecInput.text.bytes(size, &random))
    }
    let text = """
      {"assetPackID": "m", "downloadPolicy": {"onDemand": {}}, "platforms": [],
      "fileSelectors": [{"filePattern": "f*"}]}
      """
    try tree.write("m.json", text.utf8)
    var options = AppReport.Options()
    options.hashesAll = true
    options.check.root = tree.filePath
    let manifest = tree.path("m.json")
    let measured = try AppReport(of: [manifest], since: [manifest], options)
    #expect(
      try measured.packs[0].fileHashes
        == (0..<4).map { SHA256.digest(of: try tree.contents("f\($0)")) })
    var check = ManifestCheck.Options()
    check.root = tree.filePath
    _ = try AssetPackBuilder(reading: [manifest], to: .file(folder.path("all.aar")), check).build()
    let packed = try AppReport(of: [folder.path("all.aar")], options)
    #expect(packed.packs[0].fileHashes == measured.packs[0].fileHashes)

    #expect(measured.changes?.map(\.kind) == [.unchanged])
    #expect(measured.changes?.downloadSize == 0)
    try folder.write("r.json", JSONWriter.bytes(measured.json(includingHashes: true)))
    try tree.write("f1", [0])
    try tree.write("f9", [9])
    try tree.remove("f2")
    let changed = try AppReport(of: [manifest], since: [folder.path("r.json")], options)
    let change = try #require(changed.changes?.first)
    #expect(change.name == "m" && change.kind == .changed && change.hasSameManifest)
    #expect(change.changes.map(\.path.description) == ["f1", "f2", "f9"])
    #expect(change.changes.map(\.kind) == [.changed, .removed, .added])
    #expect(change.downloadSize == changed.packs[0].downloadSize)
  }

  @Test func rejectsWhatIsNoReport() throws {
    let pack = try folder.writePack("a", [("x", [1])], id: "a")
    for (text, reason) in [
      ("{}", "it has no 'packs'"), (#"{"packs": [], "schemaVersion": 2}"#, "is not 1"),
      (
        #"{"schemaVersion": 1, "packs": [{"file": "a", "downloadSize": 1, "files": [{}]}]}"#,
        "'packs[0].files[0].path' is missing"
      ),
      ("[1", "is not a report in JSON"),
    ] {
      let file = try folder.write("no.json", text.utf8)
      #expect {
        try AppReport(of: [pack], since: [file])
      } throws: { "\($0)".contains(reason) }
    }
    try folder.write("old/1.aar", folder.contents("a.aar"))
    try folder.write("old/2.aar", folder.contents("a.aar"))
    #expect {
      try AppReport(of: [pack], since: [folder.path("old")])
    } throws: { "\($0)".contains("have the same identifier, 'a'") }
  }

  @Test func namesAreEscapedInPageAndMarkdown() throws {
    let name = "</script><img onerror=alert(1)>|`x"
    let pack = try folder.writePack("a", [(name, [1])], id: "a")
    let report = try AppReport(of: [pack])
    var bytes: [UInt8] = []
    try report.writePage { bytes += $0 }
    let page = String(decoding: bytes, as: UTF8.self)
    #expect(!page.contains("<img"))
    #expect(page.components(separatedBy: "</script>").count == 3)
    #expect(page.contains(#"\u003c/script>\u003cimg onerror=alert(1)>|`x"#))
    #expect(report.markdown.contains(#"| `` </script><img onerror=alert(1)>\|`x `` |"#))
  }
}

extension PackIndex {
  fileprivate var fileHashes: [[UInt8]?] { files.map { hashes[$0.number] } }
}

extension String {
  fileprivate func components(separatedBy separator: String) -> [Substring] {
    split(separator: separator, omittingEmptySubsequences: false)
  }
}
