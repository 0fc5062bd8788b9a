/// A download manifest: what a server of asset packs tells devices about them. It keeps what it does
/// not know, and the order of everything.
public struct DownloadManifest: Sendable {
  private var members: [JSONMember]
  /// The objects of `assetPacks`.
  private var entries: [Entry]

  private struct Entry {
    var members: [JSONMember]
    var identifier: String
    var version: Int
  }

  /// A manifest without packs.
  public init() {
    members = []
    entries = []
  }

  /// The manifest that `document` holds; nil when it holds none, which `findings` then explain.
  public init?(_ document: JSONDocument, findings: inout [Finding]) {
    let before = findings.count
    var reader = DownloadManifestReader(document)
    findings += document.findings
    // Of a text that breaks the grammar, the tree is a guess.
    entries = document.isWhole ? reader.entries().map(Entry.init) : []
    findings += reader.findings
    members = document.root?.object ?? []
    guard findings[before...].allSatisfy({ $0.severity < .error }) else { return nil }
  }

  /// The identifiers in the order of the manifest.
  public var identifiers: [String] { entries.map(\.identifier) }

  /// The version of the pack called `identifier`; nil where the manifest has none.
  public func version(of identifier: String) -> Int? {
    index(of: identifier).map { entries[$0].version }
  }

  /// The manifest as JSON, the same bytes for the same manifest.
  public var bytes: [UInt8] {
    let list = JSONValue(.array(entries.map { JSONValue(.object($0.members)) }))
    return JSONWriter.bytes(JSONValue(.object(members.setting("assetPacks", to: list))))
  }

  /// Puts the facts of a pack into its entry, or appends one. Keys that the format does not have stay
  /// as they are.
  package mutating func set(_ facts: PackFacts, version: Int, url: String) {
    var entry: Entry
    let place = index(of: facts.identifier)
    if let place {
      entry = entries[place]
    } else {
      entry = Entry(members: [], identifier: facts.identifier, version: version)
    }
    entry.version = version
    entry.members.set("id", to: JSONValue(.string(facts.identifier)))
    entry.members.set("url", to: JSONValue(.string(url)))
    entry.members.set("version", to: JSONValue(.number(JSONNumber(version))))
    entry.members.set("downloadSize", to: JSONValue(.number(JSONNumber(facts.downloadSize))))
    entry.members.set("downloadPolicy", to: facts.downloadPolicy.json)
    if !entry.members.contains(where: { $0.key == "host" }) {
      let thirdParty = JSONMember("thirdParty", JSONValue(.object([])))
      entry.members.set("host", to: JSONValue(.object([thirdParty])))
    }
    entry.members.set("userInfo", to: facts.userInfo)
    if let place { entries[place] = entry } else { entries.append(entry) }
  }

  /// Whether the entry of the pack called `identifier` has a language, which another tool wrote.
  func hasLanguage(_ identifier: String) -> Bool {
    index(of: identifier).map { entries[$0].members.contains { $0.key == "language" } } ?? false
  }

  /// The keys in the entry of the pack called `identifier` whose values are not those that they have
  /// in `other`: all where that does not list the pack.
  func keysThatDiffer(of identifier: String, from other: DownloadManifest) -> [String] {
    let entry = index(of: identifier).map { entries[$0].members } ?? []
    return entry.keysThatDiffer(
      from: other.index(of: identifier).map { other.entries[$0].members } ?? [])
  }

  private func index(of identifier: String) -> Int? {
    entries.firstIndex { $0.identifier.utf8.elementsEqual(identifier.utf8) }
  }
}

extension [JSONMember] {
  /// Gives the first member with `key` another value, or appends one; nil takes it out.
  fileprivate mutating func set(_ key: String, to value: JSONValue?) {
    let place = firstIndex { $0.key.utf8.elementsEqual(key.utf8) }
    switch (place, value) {
    case (let place?, let value?):
      self[place] = JSONMember(self[place].key, keyRange: self[place].keyRange, value)
    case (let place?, nil): remove(at: place)
    case (nil, let value?): append(JSONMember(key, value))
    case (nil, nil): break
    }
  }

  fileprivate func setting(_ key: String, to value: JSONValue) -> [JSONMember] {
    var members = self
    members.set(key, to: value)
    return members
  }

  /// The keys, in order, whose values are written otherwise in `other`, and those that it alone has.
  fileprivate func keysThatDiffer(from other: [JSONMember]) -> [String] {
    let changed = filter { member in
      guard let old = other.first(where: { $0.key == member.key }) else { return true }
      return JSONWriter.bytes(old.value) != JSONWriter.bytes(member.value)
    }
    let removed = other.filter { old in !contains { $0.key == old.key } }
    return (changed + removed).map(\.key)
  }
}
