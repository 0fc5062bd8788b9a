/// Validates a JSON text as a download manifest.
struct DownloadManifestReader {
  private let document: JSONDocument
  private(set) var findings: [Finding] = []

  init(_ document: JSONDocument) { self.document = document }

  typealias Entry = (members: [JSONMember], identifier: String, version: Int)

  /// The elements of `assetPacks`, with the values that an update needs.
  mutating func entries() -> [Entry] {
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
    var places: [[UInt8]: Range<Int>] = [:]
    return elements.compactMap { element in entry(element, &places) }
  }

  private mutating func entry(
    _ element: JSONValue, _ places: inout [[UInt8]: Range<Int>]
  ) -> Entry? {
    guard let members = element.object else {
      report("an element of 'assetPacks' must be an object, not \(element.kindName)", element.range)
      return nil
    }
    guard let id = element["id"], let identifier = id.string else {
      report("'id' is required and must be a string", element["id"]?.range ?? element.range)
      return nil
    }
    if let other = places.updateValue(id.range, forKey: Array(identifier.utf8)) {
      findings.append(
        Finding(
          .downloadManifest, "duplicate pack '\(printable(identifier.utf8))'",
          at: document.location(id.range),
          notes: [Note("first used here", at: document.location(other))]
        ))
    }
    guard let version = element["version"], case .number(let number) = version.content,
      let value = number.integer, value >= 0
    else {
      report(
        "'version' is required and must be a whole number, 0 or more",
        element["version"]?.range ?? element.range)
      return nil
    }
    return (members, identifier, value)
  }

  private mutating func report(_ message: String, _ range: Range<Int>) {
    findings.append(Finding(.downloadManifest, message, at: document.location(range)))
  }
}
