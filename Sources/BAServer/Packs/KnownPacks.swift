import BAPackCore

/// Results of earlier runs, so large packs need not be read at each start. A pack is identified by
/// the version of its file.
struct KnownPacks: Sendable {
  private var packs: [String: Known] = [:]
  /// Digests of sets of packs that are consistent with each other.
  private var agreeing: Set<String> = []

  struct Known: Sendable {
    let sha256: String
    /// The digest of the files that apps read.
    let contents: [UInt8]
    let manifest: [UInt8]
  }

  /// The maximum number of packs; beyond it, all are dropped and read again.
  private static let maximum = 2000

  subscript(status: FileStatus) -> Known? {
    get { packs[Self.key(status)] }
    set {
      if packs.count >= Self.maximum { packs = [:] }
      packs[Self.key(status)] = newValue
    }
  }

  private static func key(_ status: FileStatus) -> String { "\(status.version)" }

  /// Whether packs with these digests are known to be consistent.
  func agree(_ digests: [String]) -> Bool { agreeing.contains(Self.name(digests)) }

  /// Records that packs with these digests are consistent.
  mutating func setAgree(_ digests: [String]) {
    if agreeing.count >= Self.maximum { agreeing = [] }
    agreeing.insert(Self.name(digests))
  }

  private static func name(_ digests: [String]) -> String {
    hexadecimal(SHA256.digest(of: Array(digests.sorted().joined(separator: "\n").utf8)))
  }
}

extension KnownPacks {
  /// The contents of the file at `path`; empty if it is missing or damaged, since everything can be
  /// computed again.
  init(readingFrom path: BytePath) {
    guard let bytes = try? path.contents(limit: 64 << 20) else { return }
    let document = JSONDocument(reading: SourceText(name: path.bytes, bytes: bytes))
    guard document.isWellFormed, let root = document.root, root["schemaVersion"]?.integer == 3
    else {
      return
    }
    for pack in root["packs"]?.array ?? [] {
      guard let file = pack["file"]?.string, let sha256 = pack["sha256"]?.string,
        sha256.utf8.count == 64,
        let contents = pack["contents"]?.string.flatMap(decodedHexadecimal),
        contents.count == 32,
        let manifest = pack["manifest"]?.string
      else { continue }
      packs[file] = Known(sha256: sha256, contents: contents, manifest: Array(manifest.utf8))
    }
    agreeing = Set((root["agreeing"]?.array ?? []).compactMap(\.string))
  }

  var bytes: [UInt8] {
    let list = packs.sorted { $0.key < $1.key }.map { file, known -> JSONValue in
      .object([
        "file": file, "sha256": known.sha256, "contents": hexadecimal(known.contents),
        "manifest": String(decoding: known.manifest, as: UTF8.self),
      ])
    }
    return JSONWriter.bytes(
      .object([
        "schemaVersion": 3, "packs": JSONValue(.array(list)), "agreeing": agreeing.sorted(),
      ]))
  }
}
