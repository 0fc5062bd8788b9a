/// A download manifest: the list of self-hosted packs that devices load first. Unknown keys and the
/// order of everything are preserved.
package struct DownloadManifest: Sendable {
  private var members: [JSONMember]
  /// The objects of `assetPacks`.
  private var entries: [Entry]

  private struct Entry {
    var members: [JSONMember]
    var identifier: String
    var version: Int
  }

  package init() {
    members = []
    entries = []
  }

  /// The manifest in `document`; nil, with an explanation in `findings`, if it is invalid.
  package init?(_ document: JSONDocument, findings: inout [Finding]) {
    self.init()
    var found = document.findings
    // The tree of a text with syntax errors is a guess.
    if document.isWellFormed { entries = Self.entries(document, &found) }
    members = document.root?.object ?? []
    findings += found
    if found.hasErrors { return nil }
  }

  /// The elements of `assetPacks`, with the values that an update needs.
  private static func entries(_ document: JSONDocument, _ findings: inout [Finding]) -> [Entry] {
    func report(_ message: String, _ range: Range<Int>, _ notes: [Note] = []) {
      findings.append(
        Finding(.downloadManifest, message, at: document.location(range), notes: notes))
    }
    guard let root = document.root else { return [] }
    guard root.object != nil else {
      report("a download manifest must be an object, not \(root.kindName)", root.range)
      return []
    }
    guard let packs = root["assetPacks"] else {
      report("no key 'assetPacks': is this a download manifest?", root.range)
      return []
    }
    guard let elements = packs.array else {
      report("'assetPacks' must be a list, not \(packs.kindName)", packs.range)
      return []
    }
    var ranges: [[UInt8]: Range<Int>] = [:]
    var entries: [Entry] = []
    for element in elements {
      guard let members = element.object else {
        report(
          "an element of 'assetPacks' must be an object, not \(element.kindName)", element.range)
        continue
      }
      guard let id = element["id"], let identifier = id.string else {
        report("'id' is required and must be a string", element["id"]?.range ?? element.range)
        continue
      }
      if let other = ranges.updateValue(id.range, forKey: Array(identifier.utf8)) {
        report(
          "duplicate pack '\(printable(identifier.utf8))'", id.range,
          [Note("first used here", at: document.location(other))])
      }
      guard let version = element["version"]?.integer, version >= 0 else {
        report(
          "'version' is required and must be a whole number, 0 or more",
          element["version"]?.range ?? element.range)
        continue
      }
      entries.append(Entry(members: members, identifier: identifier, version: version))
    }
    return entries
  }

  package var identifiers: [String] { entries.map(\.identifier) }

  /// The version of the pack `identifier`; nil if it isn't listed.
  package func version(of identifier: String) -> Int? {
    index(of: identifier).map { entries[$0].version }
  }

  /// The keys and values of the pack `identifier`; none if it isn't listed.
  func members(of identifier: String) -> [JSONMember] {
    index(of: identifier).map { entries[$0].members } ?? []
  }

  /// The last component of the URL of the pack `identifier`; nil if it isn't listed.
  func nameInURL(of identifier: String) -> Substring? {
    let url = members(of: identifier).first { $0.key == "url" }
    return url?.value.string?.split(separator: "/").last
  }

  /// The manifest as JSON. The output is deterministic.
  package var bytes: [UInt8] {
    let list = JSONValue(.array(entries.map { JSONValue(.object($0.members)) }))
    var members = members
    members.set("assetPacks", to: list)
    return JSONWriter.bytes(JSONValue(.object(members)))
  }

  /// Updates the element of a pack, or appends one. Unknown keys are preserved.
  package mutating func set(_ facts: PackFacts, version: Int, url: String) {
    let index = index(of: facts.identifier)
    var entry = Entry(
      members: members(of: facts.identifier), identifier: facts.identifier, version: version)
    entry.members.set("id", to: JSONValue(.string(facts.identifier)))
    entry.members.set("url", to: JSONValue(.string(url)))
    entry.members.set("version", to: JSONValue(.number(JSONNumber(version))))
    entry.members.set("downloadSize", to: JSONValue(.number(JSONNumber(facts.downloadSize))))
    entry.members.set("downloadPolicy", to: facts.manifest.downloadPolicy.json)
    if !entry.members.contains(where: { $0.key == "host" }) {
      let thirdParty = JSONMember("thirdParty", JSONValue(.object([])))
      entry.members.set("host", to: JSONValue(.object([thirdParty])))
    }
    entry.members.set("userInfo", to: facts.manifest.userInfoValue)
    if let index { entries[index] = entry } else { entries.append(entry) }
  }

  /// Removes the element of a pack; returns whether it was listed.
  mutating func remove(_ identifier: String) -> Bool {
    index(of: identifier).map { entries.remove(at: $0) } != nil
  }

  private func index(of identifier: String) -> Int? {
    entries.firstIndex { $0.identifier.utf8.elementsEqual(identifier.utf8) }
  }
}

extension [JSONMember] {
  /// Sets the value of the first member with `key`, or appends one; nil removes it.
  fileprivate mutating func set(_ key: String, to value: JSONValue?) {
    let index = firstIndex { $0.key.utf8.elementsEqual(key.utf8) }
    switch (index, value) {
    case (let index?, let value?):
      self[index] = JSONMember(self[index].key, keyRange: self[index].keyRange, value)
    case (let index?, nil): remove(at: index)
    case (nil, let value?): append(JSONMember(key, value))
    case (nil, nil): break
    }
  }

  /// The keys, in order, whose values differ as text in `other`, then those that only `other` has.
  func keysThatDiffer(from other: [JSONMember]) -> [String] {
    let changed = filter { member in
      guard let old = other.first(where: { $0.key == member.key }) else { return true }
      return JSONWriter.bytes(old.value) != JSONWriter.bytes(member.value)
    }
    let removed = other.filter { old in !contains { $0.key == old.key } }
    return (changed + removed).map(\.key)
  }
}
