import BAPackCore

/// What was found out about packs in earlier runs, so that gigabytes need not be read at each start.
/// A pack is recognized by the inode, the size and the time of its file.
struct KnownPacks: Sendable {
  private var packs: [Key: Known] = [:]
  /// Digests of sets of packs that were found to agree with one another.
  private var agreeing: Set<String> = []

  private struct Key: Hashable, Sendable {
    let inode: UInt64
    let size: UInt64
    let modified: Int64

    init(_ status: FileStatus) {
      (inode, size, modified) = (status.identity.inode, status.size, status.modified)
    }

    init(inode: UInt64, size: UInt64, modified: Int64) {
      (self.inode, self.size, self.modified) = (inode, size, modified)
    }
  }

  /// What is known of a pack that was verified.
  struct Known: Sendable {
    /// The SHA-256 of the file, in hexadecimal digits.
    let sha256: String
    /// The digest of what games read.
    let contents: ContentsDigest.Value
    /// The embedded manifest.
    let manifest: [UInt8]
  }

  /// The most packs that are remembered; then all are forgotten, and found out again.
  private static let most = 2000

  subscript(status: FileStatus) -> Known? {
    get { packs[Key(status)] }
    set {
      if packs.count >= Self.most { packs = [:] }
      packs[Key(status)] = newValue
    }
  }

  /// Whether packs with these digests were found to agree.
  func agree(_ digests: [String]) -> Bool { agreeing.contains(Self.name(digests)) }

  /// Notes that packs with these digests agree.
  mutating func setAgree(_ digests: [String]) {
    if agreeing.count >= Self.most { agreeing = [] }
    agreeing.insert(Self.name(digests))
  }

  private static func name(_ digests: [String]) -> String {
    hexadecimal(SHA256.digest(of: Array(digests.sorted().joined(separator: "\n").utf8)))
  }
}

extension KnownPacks {
  /// What the file at `path` remembers: nothing where it is missing or damaged, since all of it can
  /// be found out again.
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
        let contents = pack["contents"]?.string.flatMap(bytes(hexadecimal:))
          .flatMap(ContentsDigest.Value.init),
        let manifest = pack["manifest"]?.string
      else { continue }
      packs[Key(inode: inode, size: size, modified: modified)] =
        Known(sha256: sha256, contents: contents, manifest: Array(manifest.utf8))
    }
    agreeing = Set((root["agreeing"]?.array ?? []).compactMap(\.string))
  }

  /// All of it as JSON. Numbers of 64 bits are strings, because not every reader keeps them.
  var bytes: [UInt8] {
    let sorted = packs.sorted { ($0.key.inode, $0.key.modified) < ($1.key.inode, $1.key.modified) }
    let list = sorted.map { key, known in
      [
        "inode": JSONValue(String(key.inode)), "size": JSONValue(String(key.size)),
        "modified": JSONValue(String(key.modified)), "sha256": JSONValue(known.sha256),
        "contents": JSONValue(known.contents.text),
        "manifest": JSONValue(String(decoding: known.manifest, as: UTF8.self)),
      ] as JSONValue
    }
    return JSONWriter.bytes([
      "schemaVersion": JSONValue(1), "packs": JSONValue(.array(list)),
      "agreeing": JSONValue(.array(agreeing.sorted().map { JSONValue($0) })),
    ])
  }
}

extension JSONValue {
  /// The value of a whole number; nil for other kinds.
  fileprivate var integer: Int? {
    if case .number(let number) = content { number.integer } else { nil }
  }
}

/// The bytes that pairs of hexadecimal digits stand for; nil for other text.
private func bytes(hexadecimal text: String) -> [UInt8]? {
  let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
  guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
  return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}
