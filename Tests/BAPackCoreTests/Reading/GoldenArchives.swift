import BAPackCore
import Foundation
import TestSupport
import Testing

/// The archives in Fixtures/archives, made by the independent encoder in Tests/Interop.
struct GoldenArchive: Sendable, CustomTestStringConvertible {
  let kind: String
  let name: String
  let json: Data

  static let good = load("good")
  static let damaged = load("damaged")
  static let hostile = load("hostile")
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Fixtures/archives").standardizedFileURL

  var testDescription: String { "\(kind)/\(name)" }
  var path: BytePath { BytePath(Self.folder.appending(path: "\(kind)/\(name).aar").path.utf8) }
  var fields: [String: Any] {
    (try? JSONSerialization.jsonObject(with: json)) as? [String: Any] ?? [:]
  }

  private static func load(_ kind: String) -> [GoldenArchive] {
    guard let data = try? Data(contentsOf: folder.appending(path: "index.json")),
      let index = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
      let archives = index[kind] as? [[String: Any]]
    else { return [] }
    return archives.compactMap { fields in
      guard let name = fields["name"] as? String,
        let json = try? JSONSerialization.data(withJSONObject: fields)
      else { return nil }
      return GoldenArchive(kind: kind, name: name, json: json)
    }
  }
}

/// Describes entries in the format of the index, a line each.
struct Describer: EntryVisitor {
  var lines: [[String]] = []
  private var digest = SHA256()

  mutating func begin(_ entry: EntryHeader) -> Bool {
    digest = SHA256()
    var line = ["type=\(entry.kind.letter)"]
    if entry.kind != .metadata || !entry.path.isEmpty { line.append(text("path", entry.path)) }
    if let target = entry.linkTarget { line.append(text("link", target)) }
    if let mode = entry.mode { line.append("mode=\(mode)") }
    if let time = entry.modified { line.append("modified=\(time.seconds),\(time.nanoseconds)") }
    for field in entry.otherFields { line.append(contentsOf: describe(field)) }
    if entry.contents != nil { line.append("DAT=\(entry.size)") }
    lines.append(line)
    return entry.contents != nil
  }

  mutating func contents(_ bytes: RawSpan) { digest.update(bytes) }

  mutating func end() {
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

/// Calls `body` with the path of a pipe that provides `bytes`.
func withPipe<Result>(_ bytes: Data, _ body: (BytePath) throws -> Result) rethrows -> Result {
  let pipe = Pipe()
  let writer = Thread {
    try? pipe.fileHandleForWriting.write(contentsOf: bytes)
    try? pipe.fileHandleForWriting.close()
  }
  writer.start()
  return try body(BytePath("/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)".utf8))
}
