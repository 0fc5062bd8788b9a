/// What each version of a pack held: the digest of its contents, for the newest version of each
/// identifier that was ever put into a download manifest.
///
/// The download manifest has no field for it, and devices read that file, so an own key there is a
/// risk without a need. The records stand in a file beside it (``path(beside:)``), which goes with
/// the manifest into version control and is not served. Without the file, or where it does not know
/// a pack's version, an update can't tell whether the pack changed, and raises the version.
public struct ContentsRecords: Sendable {
  private var records: [[UInt8]: Record] = [:]

  /// A version of a pack with what it held.
  public struct Record: Sendable {
    /// The version that the pack had.
    public let version: Int
    /// Its contents.
    public let contents: ContentsDigest.Value
  }

  /// No records.
  public init() {}

  /// `Downloads.digests.json` for `Downloads.json`.
  public static func path(beside manifest: FilePath) -> FilePath {
    let name = manifest.name
    let stem = manifest.hasExtension("json") ? name.dropLast(".json".utf8.count) : name
    return manifest.folder.appending(Array(stem) + ".digests.json".utf8)
  }

  /// What is known of the pack called `identifier`.
  public subscript(identifier: String) -> Record? {
    get { records[Array(identifier.utf8)] }
    set { records[Array(identifier.utf8)] = newValue }
  }

  /// Takes over what `other` knows of packs that are not recorded here, or of higher versions.
  mutating func addNewer(_ other: ContentsRecords) {
    records.merge(other.records) { $0.version < $1.version ? $1 : $0 }
  }

  /// The records as JSON, sorted by identifier.
  public var bytes: [UInt8] {
    let sorted = records.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    let packs = sorted.map { identifier, record in
      JSONValue.object([
        "id": String(decoding: identifier, as: UTF8.self),
        "version": record.version,
        "sha256": record.contents.text,
      ])
    }
    return JSONWriter.bytes(.object(["schemaVersion": 1, "assetPacks": packs]))
  }

  /// The records that `document` holds; nil when it holds none, which `findings` then explain.
  public init?(_ document: JSONDocument, findings: inout [Finding]) {
    findings += document.findings
    guard document.findings.allSatisfy({ $0.severity < .error }) else { return nil }
    guard let root = document.root, let packs = root["assetPacks"]?.array,
      case .number(JSONNumber(1)) = root["schemaVersion"]?.content
    else {
      findings.append(Self.finding(document, document.root?.range ?? 0..<0))
      return nil
    }
    for pack in packs {
      guard let identifier = pack["id"]?.string, let digest = pack["sha256"]?.string,
        let contents = decoded(hexadecimal: digest).flatMap(ContentsDigest.Value.init),
        case .number(let number) = pack["version"]?.content, let version = number.integer,
        version >= 0
      else {
        findings.append(Self.finding(document, pack.range))
        return nil
      }
      self[identifier] = Record(version: version, contents: contents)
    }
  }

  private static func finding(_ document: JSONDocument, _ range: Range<Int>) -> Finding {
    Finding(
      .downloadRecords,
      "this is no record of packs' contents; without the file, versions of packs are raised whether "
        + "they changed or not", at: document.location(range))
  }
}

/// The bytes that pairs of hexadecimal digits stand for.
private func decoded(hexadecimal text: String) -> [UInt8]? {
  let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
  guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
  return stride(from: 0, to: digits.count, by: 2).map {
    UInt8(truncatingIfNeeded: digits[$0] << 4 | digits[$0 + 1])
  }
}
