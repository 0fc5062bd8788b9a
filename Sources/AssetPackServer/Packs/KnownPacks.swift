import BAPackCore

/// Results of earlier runs, so that large packs need not be read at each start. A pack is
/// identified by the inode, size and time of its file.
struct KnownPacks: Sendable {
  private var packs: [Key: Known] = [:]
  /// Digests of sets of packs that are consistent with each other.
  private var agreeing: Set<String> = []

  private struct Key: Hashable, Sendable {
    let inode: UInt64
    let size: UInt64
    let modified: Int64
  }

  struct Known: Sendable {
    let sha256: String
    /// The digest of what apps read.
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

  private static func key(_ status: FileStatus) -> Key {
    Key(inode: status.identity.inode, size: status.size, modified: status.modified)
  }

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
    guard document.isWellFormed, let root = document.root, root["schemaVersion"]?.integer == 1
    else {
      return
    }
    for pack in root["packs"]?.array ?? [] {
      guard let inode = pack["inode"]?.string.flatMap({ UInt64($0) }),
        let size = pack["size"]?.string.flatMap({ UInt64($0) }),
        let modified = pack["modified"]?.string.flatMap({ Int64($0) }),
        let sha256 = pack["sha256"]?.string, sha256.utf8.count == 64,
        let contents = pack["contents"]?.string.flatMap(decodedHexadecimal),
        contents.count == 32,
        let manifest = pack["manifest"]?.string
      else { continue }
      packs[Key(inode: inode, size: size, modified: modified)] =
        Known(sha256: sha256, contents: contents, manifest: Array(manifest.utf8))
    }
    agreeing = Set((root["agreeing"]?.array ?? []).compactMap(\.string))
  }

  /// Everything as JSON. 64-bit numbers are strings, because not every reader preserves them.
  var bytes: [UInt8] {
    let sorted = packs.sorted { ($0.key.inode, $0.key.modified) < ($1.key.inode, $1.key.modified) }
    let list = sorted.map { key, known -> JSONValue in
      .object([
        "inode": String(key.inode), "size": String(key.size), "modified": String(key.modified),
        "sha256": known.sha256, "contents": hexadecimal(known.contents),
        "manifest": String(decoding: known.manifest, as: UTF8.self),
      ])
    }
    return JSONWriter.bytes(
      .object([
        "schemaVersion": 1, "packs": JSONValue(.array(list)), "agreeing": agreeing.sorted(),
      ]))
  }
}

extension JSONValue {
  fileprivate var integer: Int? {
    if case .number(let number) = content { number.integer } else { nil }
  }
}
