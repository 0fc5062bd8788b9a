import BAPackCore
import BATestSupport
import Foundation
import Testing

@Suite struct PackVerifierTests {
  @Test(arguments: GoldenArchive.good)
  func validPacksHaveNoProblems(_ archive: GoldenArchive) throws {
    let report = try PackReport.verify(ArchiveInput(archive.path), jobs: 2)
    let isPack = archive.fields["pack"] as? Bool == true
    // The others have features that packs of this tool don't, such as links or no Contents.
    if isPack { #expect(report.problems == []) }
    if isPack { #expect(report.isSound) }
    let entries = try #require(archive.fields["entries"] as? [[String: Any]])
    #expect(report.entries == entries.count)
    let files = entries.filter {
      $0["type"] as? String == "F" && ($0["path"] as? String)?.hasPrefix("Contents/") == true
    }
    #expect(report.files == files.count)
  }

  @Test(arguments: GoldenArchive.damaged + GoldenArchive.hostile)
  func allErrorsAreReported(_ archive: GoldenArchive) throws {
    let fields = archive.fields
    let limits = ReadingLimits(
      rawSize: fields["limit"] as? UInt64 ?? ReadingLimits.standardRawSize)
    let report = try PackReport.verify(ArchiveInput(archive.path), limits: limits, jobs: 2)
    let reason = fields["reason"] as? String ?? ""
    let expected = reason.hasPrefix("lzfse-") ? "lzfse" : reason
    let told = report.problems + report.warnings
    #expect(told.contains { $0.reason.rawValue == expected }, "\(told)")
    #expect(!report.isSound || reason == "path-clash")
  }

  @Test(arguments: GoldenArchive.good + GoldenArchive.damaged + GoldenArchive.hostile)
  func findsTheSameWithAnyNumberOfThreads(_ archive: GoldenArchive) throws {
    let limits = ReadingLimits(
      rawSize: archive.fields["limit"] as? UInt64 ?? ReadingLimits.standardRawSize)
    let alone = try PackReport.verify(ArchiveInput(archive.path), limits: limits, jobs: 1)
    for jobs in [2, 3, 8] {
      let report = try PackReport.verify(ArchiveInput(archive.path), limits: limits, jobs: jobs)
      #expect(report.problems == alone.problems)
      #expect(report.warnings == alone.warnings)
      #expect(report.entries == alone.entries)
      #expect(report.fileBytes == alone.fileBytes)
      #expect(report.pack?.container == alone.pack?.container)
    }
  }

  /// One warning for each kind, at the first entry.
  @Test func whatIsNotExtractedIsAWarning() throws {
    func directory(_ path: String, _ more: [EntryField] = [], mode: UInt64 = 0o755) -> [UInt8] {
      encodeHeader(
        [
          .integer("TYP", UInt64(UInt8(ascii: "D"))), .string("PAT", Array(path.utf8)),
          .integer("MOD", mode),
        ] + more)
    }
    var archive = TestArchive()
    archive.stream += directory("") + directory("Contents", [.blob("DAT", size: 2)]) + [1, 2]
    archive.stream += directory("Contents/a", mode: 0o2755)
    archive.stream += directory("Contents/b", [.blob("XAT", size: 1)], mode: 0o1777) + [3]
    archive.stream += directory("Contents/c", [.blob("ACL", size: 0), .integer("HLC", 1)])
    archive.stream += directory("Contents/d", mode: 0o4755)
    archive.add("F", "Manifest.json", TestArchive.manifest("Test"))
    let folder = try TemporaryFolder()
    let report = try PackReport.verify(
      ArchiveInput(folder.write("a.aar", archive.container(blockSize: 1000))), jobs: 1)
    #expect(report.isSound)
    #expect(report.warnings.allSatisfy { $0.reason == .notExtracted })
    #expect(
      report.warnings.map { "\($0.place.entry ?? -1) \($0.message)" } == [
        "1 the contents (DAT) of a directory are ignored",
        "2 the set-user-ID, set-group-ID or sticky bit of the mode (MOD) is ignored; the same in 2 "
          + "more entries",
        "3 extended attributes (XAT) are ignored",
        "4 the access control list (ACL) is ignored",
        "4 the hard link (HLC) is ignored; the file is extracted as a separate copy",
      ])
  }

  @Test(arguments: [1, 3])
  func continuesAfterDamagedBlocks(jobs: Int) throws {
    let text = Array(String(repeating: "a line of text\n", count: 200).utf8)
    let archive = TestArchive.pack([("Data/a.txt", text), ("Data/b.txt", text)])
    var bytes = archive.container(blockSize: 256)
    let blocks = TestArchive.blocks(bytes)
    // Blocks 4 and 5 contain contents of the first file only, block 20 of the second.
    for block in [4, 5, 20] { bytes[blocks[block + 1] - 1] ^= 0xFF }
    let folder = try TemporaryFolder()
    let report = try PackReport.verify(ArchiveInput(folder.write("a.aar", bytes)), jobs: jobs)
    #expect(report.problems.map(\.reason) == [.zlibChecksum, .zlibChecksum, .zlibChecksum])
    #expect(report.problems.map(\.place.block) == [4, 5, 20])
    #expect(report.problems.map(\.place.file) == [4, 5, 20].map { UInt64(blocks[$0]) })
    #expect(
      report.problems.map { String(decoding: $0.place.path ?? [], as: UTF8.self) }
        == ["Contents/Data/a.txt", "Contents/Data/a.txt", "Contents/Data/b.txt"])
    #expect(report.entries == 6)
    #expect(report.files == 2)
  }

  @Test func aManifestOutsideThePackIsAProblem() throws {
    var archive = TestArchive()
    archive.add("D", "")
    archive.add("D", "Contents")
    archive.add("F", "Contents/a", [1])
    archive.add(
      "F", "Manifest.json",
      TestArchive.manifest("M") + [UInt8](repeating: 32, count: PackFormat.maximumManifestSize))
    let folder = try TemporaryFolder()
    let path = try folder.write("a.aar", archive.container(blockSize: 1 << 20))
    #expect(try PackReport.verify(ArchiveInput(path)).problems.map(\.reason) == [.limit])
  }

  @Test func continuesWithBlocksIfHeadersAreLost() throws {
    let text = Array(String(repeating: "a line of text\n", count: 200).utf8)
    var bytes = TestArchive.pack([("Data/a.txt", text)]).container(blockSize: 256)
    let blocks = TestArchive.blocks(bytes)
    for block in [0, 9] { bytes[blocks[block + 1] - 1] ^= 0xFF }
    let folder = try TemporaryFolder()
    let report = try PackReport.verify(ArchiveInput(folder.write("a.aar", bytes)), jobs: 2)
    // Missing entries are not reported: they may be in the damaged block.
    #expect(report.problems.map(\.place.block) == [0, 9])
    // The manifest is found again after it.
    #expect(report.entries == 1)
  }
}
