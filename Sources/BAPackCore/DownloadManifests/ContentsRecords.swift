/// The contents digests of packs, for the newest version of each identifier that was ever in a
/// download manifest.
///
/// They are not in the download manifest itself: it has no key for them, and an additional one
/// could cause problems on devices. They are in a file next to it (``path(nextTo:)``), which
/// belongs in version control and is not served. Without the file, or a record of a pack's version,
/// an update can't know whether the pack has changed, and increments the version.
package struct ContentsRecords: Sendable {
  private var records: [[UInt8]: Record] = [:]

  /// A version of a pack, and the digest of its contents.
  package typealias Record = (version: Int, contents: [UInt8])

  package init() {}

  /// `Downloads.digests.json` for `Downloads.json`.
  package static func path(nextTo manifest: BytePath) -> BytePath {
    let name = manifest.name
    let stem = manifest.hasExtension("json") ? name.dropLast(".json".utf8.count) : name
    return manifest.folder.appending(Array(stem) + ".digests.json".utf8)
  }

  package subscript(identifier: String) -> Record? {
    get { records[Array(identifier.utf8)] }
    set { records[Array(identifier.utf8)] = newValue }
  }

  /// Adds records of `other` for packs that are not recorded here, or of higher versions.
  mutating func addNewer(_ other: ContentsRecords) {
    records.merge(other.records) { $0.version < $1.version ? $1 : $0 }
  }

  package var bytes: [UInt8] {
    let sorted = records.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    let packs = sorted.map { identifier, record in
      JSONValue.object([
        "id": String(decoding: identifier, as: UTF8.self),
        "version": record.version,
        "sha256": hexadecimal(record.contents),
      ])
    }
    return JSONWriter.bytes(.object(["schemaVersion": 1, "assetPacks": packs]))
  }

  /// The records in `document`; nil, with an explanation in `findings`, if it is invalid.
  package init?(_ document: JSONDocument, findings: inout [Finding]) {
    findings += document.findings
    guard !document.findings.hasErrors else { return nil }
    guard let root = document.root, let packs = root["assetPacks"]?.array,
      case .number(JSONNumber(1)) = root["schemaVersion"]?.content
    else {
      findings.append(Self.finding(document, document.root?.range ?? 0..<0))
      return nil
    }
    for pack in packs {
      guard let identifier = pack["id"]?.string, let digest = pack["sha256"]?.string,
        let contents = decodedHexadecimal(digest), contents.count == 32,
        let version = pack["version"]?.integer, version >= 0
      else {
        findings.append(Self.finding(document, pack.range))
        return nil
      }
      self[identifier] = (version, contents)
    }
  }

  private static func finding(_ document: JSONDocument, _ range: Range<Int>) -> Finding {
    Finding(
      .downloadRecords,
      "not a record of packs' contents; without the file, an update raises the version of every "
        + "pack", at: document.location(range))
  }
}
