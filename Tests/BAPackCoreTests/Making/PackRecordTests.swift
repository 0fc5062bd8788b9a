import BAPackCore
import BATestSupport
import Foundation
import Testing

/// Packs that are made only if their bytes would change.
@Suite struct PackRecordTests {
  let tree: TemporaryFolder
  let out: TemporaryFolder

  init() throws {
    tree = try TemporaryFolder()
    out = try TemporaryFolder()
    var random = SeededGenerator(seed: 31)
    try tree.write("one/a", CodecInput.text.bytes(3 << 20, &random))
    try tree.write("one/b", "small".utf8)
    try tree.write("one/empty", [])
    try tree.write("two/c", "other".utf8)
  }

  private func job(_ name: String) throws -> PackBatch.Job {
    let manifest = try manifest("{directory: '\(name)'}")
    let root = SourceRoot(of: manifest, readFrom: nil, option: tree.filePath)
    return PackBatch.Job(
      manifest, Selection.resolve(manifest, in: root).value, modified: .constant,
      to: out.path("\(name).aar"))
  }

  /// The results for both packs, as letters; the run begins `later` than now.
  private func run(
    _ compression: Compression = .zlib(level: 5), later: Int64 = 10_000_000_000
  ) throws -> String {
    var packager = Packager()
    packager.compression = compression
    packager.findsDigests = true
    packager.replacesOutput = true
    let batch = PackBatch(
      packager, keepsGoing: true, keepsRecords: true, started: systemTime() + later)
    return batch.makeChanged([try job("one"), try job("two")]).map { outcome in
      switch outcome {
      case .made: "M"
      case .unchanged: "-"
      case .invalid, .failed, .cancelled: "F"
      case .skipped: "S"
      }
    }.joined()
  }

  private func replace(_ name: String, _ bytes: [UInt8]) throws {
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: "\(tree.path)/\(name)"))
    try handle.write(contentsOf: Data(bytes))
    try handle.close()
  }

  @Test func whatDidNotChangeIsNotMade() throws {
    #expect(try run() == "MM")
    let status = try FileStatus.following(out.path("one.aar"))
    #expect(try run() == "--")
    #expect(try FileStatus.following(out.path("one.aar")).version == status.version)
    #expect(try out.names() == ["one.aar", "one.aar.record", "two.aar", "two.aar.record"])
  }

  @Test func aChangeOfTheSameSizeIsSeen() throws {
    #expect(try run() == "MM")
    try replace("one/b", Array("SMALL".utf8))
    #expect(try run() == "M-")
    #expect(try run() == "--")
  }

  /// Even if the modification time is set back.
  @Test func aChangeThatHidesIsSeen() throws {
    let old = try FileManager.default.attributesOfItem(atPath: tree.path + "/one/b")
    #expect(try run() == "MM")
    try replace("one/b", Array("SMALL".utf8))
    try FileManager.default.setAttributes(
      [.modificationDate: old[.modificationDate] as Any], ofItemAtPath: tree.path + "/one/b")
    #expect(try run() == "M-")
  }

  @Test func aFileThatWasTouchedOnlyIsReadAgainOnce() throws {
    #expect(try run() == "MM")
    let record = try out.contents("one.aar.record")
    try replace("one/b", Array("small".utf8))
    #expect(try run() == "--")
    #expect(try out.contents("one.aar.record") != record)
    let renewed = try out.contents("one.aar.record")
    #expect(try run() == "--")
    #expect(try out.contents("one.aar.record") == renewed)
  }

  /// A file that was written just before it was read could be written again undetected: its version
  /// is not relied upon.
  @Test func aFileThatChangedJustNowIsReadAgain() throws {
    #expect(try run(later: 0) == "MM")
    let record = try #require(PackRecord(out.contents("one.aar.record")))
    #expect(record.files == [nil, nil, nil])
    // As if the second write had left the same times: only reading shows the change.
    try replace("one/b", Array("SMALL".utf8))
    #expect(try run(later: 0) == "M-")
    #expect(try run(later: 0) == "--")
    #expect(try run() == "--")
    let settled = try #require(PackRecord(out.contents("one.aar.record")))
    #expect(settled.files.allSatisfy { $0 != nil })
  }

  @Test func otherFilesAndNamesAreChanges() throws {
    #expect(try run() == "MM")
    try tree.write("two/d", "new".utf8)
    #expect(try run() == "-M")
    try FileManager.default.moveItem(atPath: tree.path + "/two/d", toPath: tree.path + "/two/e")
    #expect(try run() == "-M")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: tree.path + "/two/e")
    #expect(try run() == "-M")
    try FileManager.default.removeItem(atPath: tree.path + "/two/e")
    #expect(try run() == "-M")
    #expect(try run(.lzfse()) == "MM")
    #expect(try run(.zlib(level: 6)) == "MM")
    #expect(try run(.zlib(level: 6)) == "--")
  }

  @Test func aPackThatIsNotTheOneThatWasMadeIsMadeAgain() throws {
    #expect(try run() == "MM")
    let bytes = try out.contents("one.aar")
    // The same bytes in another file are the same pack.
    try out.remove("one.aar")
    try out.write("one.aar", bytes)
    #expect(try run() == "--")
    for place in [0, 12, 20, bytes.count / 2, bytes.count - 1] {
      var damaged = bytes
      damaged[place] ^= 1
      try out.write("one.aar", damaged)
      #expect(try run() == "M-", "byte \(place)")
      #expect(try out.contents("one.aar") == bytes)
    }
    try out.write("one.aar", bytes + [0])
    #expect(try run() == "M-")
    try out.remove("one.aar")
    #expect(try run() == "M-")
  }

  @Test func aDamagedRecordCountsAsNone() throws {
    #expect(try run() == "MM")
    let bytes = try out.contents("one.aar.record")
    #expect(PackRecord(bytes)?.bytes == bytes)
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 1
      #expect(PackRecord(damaged) == nil, "byte \(index)")
    }
    for size in stride(from: 0, to: bytes.count, by: 7) {
      #expect(PackRecord(Array(bytes[..<size])) == nil, "\(size) bytes")
    }
    try out.write("one.aar.record", "ba-package record 1\n".utf8)
    #expect(try run() == "M-")
    #expect(PackRecord(try out.contents("one.aar.record")) != nil)
  }

  /// The digest is the same as that of the pack when it is made, and depends on nothing else.
  @Test func theDigestIsThatOfThePack() throws {
    var packager = Packager()
    packager.findsDigests = true
    packager.replacesOutput = true
    func digest(_ packager: Packager) throws -> String? {
      let outcome = PackBatch(packager, keepsGoing: false).make([try job("one")])[0]
      switch outcome {
      case .made(_, let digest, _): return digest
      case .unchanged(let digest, _): return digest
      case .invalid, .failed, .skipped, .cancelled: return nil
      }
    }
    let first = try #require(try digest(packager))
    packager.jobs = 1
    #expect(try digest(packager) == first)
    packager.compression = .zlib(level: 6)
    #expect(try digest(packager) != first)
    packager.compression = .lzfse()
    let lzfse = try digest(packager)
    packager.compression = .store
    #expect(try digest(packager) != lzfse)
    try replace("one/b", Array("SMALL".utf8))
    packager.compression = .zlib(level: 5)
    #expect(try digest(packager) != first)
    try replace("one/b", Array("small".utf8))
    #expect(try digest(packager) == first)
  }
}
