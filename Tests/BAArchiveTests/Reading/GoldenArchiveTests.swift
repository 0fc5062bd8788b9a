import BAArchive
import BATestSupport
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
    let describer = Describer()
    let facts = try scanArchive(input, limits: ReadingLimits(), jobs: jobs, describer)
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

  @Test(arguments: GoldenArchive.damaged, [1, 3])
  func damageIsNamedAndPlaced(_ archive: GoldenArchive, jobs: Int) throws {
    let fields = archive.fields
    guard fields["refuse"] as? String != "verify" else { return }
    let limits = ReadingLimits(
      rawSize: fields["limit"] as? UInt64 ?? ReadingLimits.standardRawSize)
    let damage = try #require(damage { try readAll(archive.path, limits, jobs) })
    expect(damage, fields)
  }

  /// Reads every block, like a command that needs all of them.
  func readAll(_ path: BytePath, _ limits: ReadingLimits, _ jobs: Int) throws {
    let describer = Describer()
    _ = try scanArchive(try ArchiveInput(path), limits: limits, jobs: jobs, describer)
  }

  func damage(_ body: () throws -> Void) -> ArchiveDamage? {
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
    let words = [
      "lzfse-cut": "no end mark", "lzfse-after-end": "bytes after the end mark",
      "lzfse-magic": "unknown block magic", "lzfse-limit": "more raw bytes than",
      "lzfse-short": "fewer raw bytes than",
    ]
    if reason.hasPrefix("lzfse-") {
      #expect(damage.message.hasPrefix("LZFSE: \(words[reason] ?? "?")"), "\(damage)")
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
}

/// Describes entries in the format of the index, a line each.
final class Describer: EntryVisitor {
  var lines: [[String]] = []
  private var digest = SHA256()

  func begin(_ entry: PackEntry) -> Bool {
    digest = SHA256()
    var line = ["type=\(entry.kind.letter)"]
    if entry.kind != .metadata || !entry.archivePath.isEmpty {
      line.append(text("path", entry.archivePath))
    }
    if let target = entry.linkTarget { line.append(text("link", target)) }
    if let mode = entry.mode { line.append("mode=\(mode)") }
    if let time = entry.modified { line.append("modified=\(time.seconds),\(time.nanoseconds)") }
    for field in entry.otherFields { line.append(contentsOf: describe(field)) }
    if entry.contents != nil { line.append("DAT=\(entry.size)") }
    lines.append(line)
    return entry.contents != nil
  }

  func contents(_ bytes: RawSpan, _ range: Range<Int>) { digest.update(bytes) }

  func end() {
    let index = lines.count - 1
    lines[index] = lines[index].map {
      $0.hasPrefix("DAT=") ? "\($0) \(hexadecimal(digest.finalize()))" : $0
    }.sorted()
  }

  private func text(_ key: String, _ bytes: [UInt8]) -> String {
    String(validating: bytes, as: UTF8.self).map { "\(key)=\($0)" }
      ?? "\(key)Bytes=\(hexadecimal(bytes))"
  }

  private func describe(_ field: EntryField) -> [String] {
    let names = [
      "UID": "user", "GID": "group", "FLG": "flags", "HLC": "hardLinkGroup", "CLC": "cloneGroup",
      "SLC": "sameDataGroup", "CTM": "created", "BTM": "backup", "CKS": "crc32", "SH1": "sha1",
      "SH2": "sha256", "SH3": "sha384", "SH5": "sha512",
    ]
    switch field.value {
    case .blob(let size): return ["\(field.key)=\(size)"]
    case .integer(let value): return names[field.key].map { ["\($0)=\(value)"] } ?? []
    case .time(let time):
      return names[field.key].map { ["\($0)=\(time.seconds),\(time.nanoseconds)"] } ?? []
    case .digest(let bytes): return names[field.key].map { ["\($0)=\(hexadecimal(bytes))"] } ?? []
    case .flag, .string: return []
    }
  }

  /// The description of an entry in the index.
  static func expected(_ entry: [String: Any]) -> [String] {
    // Fields with unknown keys are skipped.
    entry.filter { !$0.key.hasPrefix("Q") }.map { key, value in
      switch value {
      case let time as [NSNumber]: "\(key)=\(time[0]),\(time[1])"
      case let blob as [String: Any]:
        key == "DAT"
          ? "DAT=\(blob["size"] ?? "") \(blob["sha256"] ?? "")" : "\(key)=\(blob["size"] ?? "")"
      default: "\(key)=\(value)"
      }
    }.sorted()
  }
}
