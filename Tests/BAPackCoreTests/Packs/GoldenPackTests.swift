import BAPackCore
import BATestSupport
import Foundation
import Testing

@Suite struct GoldenPackTests {
  @Test(arguments: GoldenArchive.hostile)
  func hostileNamesAreRejected(_ archive: GoldenArchive) throws {
    let pack = try PackIndex(reading: archive.path, Work(threads: 1))
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
