import BAPackCore
import Foundation
import Testing

@Suite struct GoldenArchiveTests {
  @Test func areThere() {
    #expect(GoldenArchive.good.count >= 70)
    #expect(GoldenArchive.damaged.count >= 130)
    #expect(GoldenArchive.hostile.count >= 60)
  }

  @Test(arguments: GoldenArchive.good, [1, 3])
  func goodArchivesAreRead(_ archive: GoldenArchive, jobs: Int) throws {
    let input = try ArchiveInput(archive.path)
    var describer = Describer()
    let facts = try scanArchive(input, limits: ReadingLimits(), jobs: jobs, &describer)
    let entries = try #require(archive.fields["entries"] as? [[String: Any]])
    #expect(describer.lines == entries.map(Describer.expected))
    #expect(facts.rawSize == archive.fields["rawSize"] as? UInt64)
    switch facts.kind {
    case .bare: #expect(archive.fields["letter"] == nil)
    case .blocks(let algorithm, let blockSize):
      #expect(String(UnicodeScalar(algorithm.rawValue)) == archive.fields["letter"] as? String)
      #expect(blockSize == archive.fields["blockSize"] as? Int)
      #expect(facts.blocks == archive.fields["blocks"] as? Int)
      #expect(facts.storedBlocks == archive.fields["storedBlocks"] as? Int)
    }
  }

  @Test(arguments: GoldenArchive.good)
  func goodArchivesAreReadFromAPipe(_ archive: GoldenArchive) throws {
    let bytes = try Data(contentsOf: URL(filePath: archive.path.description))
    let (lines, facts) = try withPipe(bytes) { path in
      let input = try ArchiveInput(path, digestingPipe: true)
      #expect(input.size == nil)
      var describer = Describer()
      let facts = try scanArchive(input, limits: ReadingLimits(), jobs: 2, &describer)
      #expect(input.pipeDigests?.md5 == MD5.digest(of: Array(bytes)))
      return (describer.lines, facts)
    }
    let entries = try #require(archive.fields["entries"] as? [[String: Any]])
    #expect(lines == entries.map(Describer.expected))
    #expect(facts.packedSize == UInt64(bytes.count))
  }

  @Test(arguments: GoldenArchive.damaged, [1, 3])
  func damageIsNamedAndPlaced(_ archive: GoldenArchive, jobs: Int) throws {
    let fields = archive.fields
    guard fields["refuse"] as? String != "verify" else { return }
    let limits = ReadingLimits(
      rawSize: fields["limit"] as? UInt64 ?? ReadingLimits.standardRawSize)
    let damage = try #require(damage { try readAll(archive.path, limits, jobs) })
    expect(damage, fields)
    let bytes = try Data(contentsOf: URL(filePath: archive.path.description))
    let fromPipe = withPipe(bytes) { path in self.damage { try readAll(path, limits, jobs) } }
    #expect(fromPipe?.reason == damage.reason)
    #expect(fromPipe?.place == damage.place)
  }

  /// Reads every block, like a command that needs all of them.
  private func readAll(_ path: BytePath, _ limits: ReadingLimits, _ jobs: Int) throws {
    var describer = Describer()
    _ = try scanArchive(try ArchiveInput(path), limits: limits, jobs: jobs, &describer)
  }

  private func damage(_ body: () throws -> Void) -> ArchiveDamage? {
    do {
      try body()
    } catch let damage as ArchiveDamage {
      return damage.named(nil)
    } catch {
      Issue.record(error)
    }
    return nil
  }

  private func expect(_ damage: ArchiveDamage, _ fields: [String: Any]) {
    let reason = fields["reason"] as? String ?? ""
    #expect(damage.reason.rawValue == (reason.hasPrefix("lzfse-") ? "lzfse" : reason))
    switch (reason, damage.lzfseReason) {
    case ("lzfse-cut", .missingEnd), ("lzfse-after-end", .trailingBytes),
      ("lzfse-magic", .unknownMagic), ("lzfse-limit", .tooMuchOutput),
      ("lzfse-short", .tooLittleOutput):
      break
    case (_, nil): #expect(!reason.hasPrefix("lzfse-"))
    default: Issue.record("\(reason): \(damage)")
    }
    #expect(!damage.message.isEmpty)
    for (key, value) in fields["where"] as? [String: UInt64] ?? [:] {
      switch key {
      case "block": #expect(damage.place.block == Int(value))
      case "file": #expect(damage.place.file == value)
      case "entry": #expect(damage.place.entry == Int(value))
      case "stream": #expect(damage.place.stream.map { $0 >= value && $0 < value + 200 } == true)
      default: Issue.record("unknown place '\(key)'")
      }
    }
  }

  @Test(arguments: GoldenArchive.hostile)
  func hostileNamesAreRejected(_ archive: GoldenArchive) throws {
    let pack = try PackIndex.read(archive.path, jobs: 1)
    var names = EntryNames()
    var refusal: ArchiveDamage?
    for entry in pack.entries where refusal == nil {
      do {
        try names.add(entry)
        refusal = names.clash
      } catch {
        refusal = error
      }
    }
    #expect(refusal?.reason.rawValue == archive.fields["reason"] as? String)
  }

  @Test(arguments: GoldenArchive.good)
  func factsOfPacksAreRead(_ archive: GoldenArchive) throws {
    guard archive.fields["pack"] as? Bool == true else { return }
    let facts = try PackFacts.read(archive.path, jobs: 2)
    #expect(!facts.identifier.isEmpty)
    var contents = ContentsDigest()
    for entry in try #require(archive.fields["entries"] as? [[String: Any]]) {
      guard entry["type"] as? String == "F", let path = entry["path"] as? String,
        path.hasPrefix("Contents/"), let blob = entry["DAT"] as? [String: Any],
        let digest = blob["sha256"] as? String
      else { continue }
      let bytes = stride(from: 0, to: 64, by: 2).compactMap { index in
        UInt8(digest.dropFirst(index).prefix(2), radix: 16)
      }
      contents.add(try #require(RelativePath(path.dropFirst(9).utf8)), sha256: bytes)
    }
    #expect(facts.contents == contents.finalize())
    let size = try FileManager.default.attributesOfItem(atPath: archive.path.description)[.size]
    #expect(facts.downloadSize == size as? UInt64)
  }
}
