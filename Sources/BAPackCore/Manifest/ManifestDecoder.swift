/// Decodes a manifest, and reports all of its problems in one run. The format is that of Apple's
/// ba-package 1.x and 2.0. Paths and patterns are checked here, their files by `Selection`.
package struct ManifestDecoder: KeyDecoding {
  let source: SourceText
  var findings: [Finding] = []
  var hasError = false
  let isWellFormed: Bool
  let isEmbedded: Bool

  /// Decodes `source`, an author's manifest or one embedded in a pack. The manifest is nil if the text isn't JSON5 or isn't an object. If there are
  /// errors among the findings, use it only for further checks: unreadable parts, possibly all
  /// selectors, are missing or empty.
  package static func decode(
    _ source: SourceText, isEmbedded: Bool = false
  ) -> Checked<Manifest?> {
    let document = JSONDocument(reading: source)
    var decoder = ManifestDecoder(
      source: source, isWellFormed: document.isWellFormed, isEmbedded: isEmbedded)
    decoder.findings = document.findings
    let manifest = document.root.flatMap { decoder.decodeRoot($0, document) }
    return Checked(
      document.isWellFormed ? manifest : nil, findings: decoder.findings.sortedByLocation())
  }

  private init(source: SourceText, isWellFormed: Bool, isEmbedded: Bool) {
    self.source = source
    self.isWellFormed = isWellFormed
    self.isEmbedded = isEmbedded
  }

  private mutating func decodeRoot(_ root: JSONValue, _ document: JSONDocument) -> Manifest? {
    guard let members = object(root, "the manifest") else { return nil }
    let fields = fields(
      members, of: root,
      known: ManifestKey.all.map(\.name), tolerated: ManifestKey.tolerated.map(\.name))
    let identifier = required("assetPackID", fields, root).flatMap { self.identifier($0) }
    let policy = required("downloadPolicy", fields, root, notes: policyForms)
      .flatMap { self.policy($0) }
    let selectors = required(
      "fileSelectors", fields, root,
      notes: [Note("for a folder: \"fileSelectors\": [{ \"directory\": \"Textures\" }]")]
    ).flatMap { self.selectors($0) }
    let platforms = required(
      "platforms", fields, root, notes: [Note("for every platform: \"platforms\": []")]
    ).flatMap { self.platforms($0) }
    let sourceRoot = optional("sourceRoot", fields).flatMap { self.sourceRoot($0) }
    let language = optional("language", fields).flatMap { self.language($0) }
    let userInfo = optional("userInfo", fields).flatMap { self.userInfo($0) }
    return Manifest(
      source: source, assetPackID: identifier ?? Located("", at: location(0..<0)),
      downloadPolicy: policy ?? .onDemand, platforms: platforms ?? [], selectors: selectors ?? [],
      sourceRoot: sourceRoot, language: language, userInfo: userInfo,
      embedded: document.isStrict ? source.bytes : JSONWriter.bytes(root))
  }

  private mutating func identifier(_ value: JSONValue) -> Located<String>? {
    let advice =
      "write the name by which the app asks for the pack, in ASCII letters, digits and hyphens,"
      + " such as \"level-1\""
    guard let name = text(value, of: "assetPackID", advice) else { return nil }
    guard name.value.isEmpty else { return name }
    report(
      .missingKey, "'assetPackID' is empty; \(advice)", name.location)
    return nil
  }

  /// A string that isn't a placeholder of the template, which is reported.
  mutating func text(_ value: JSONValue, of key: String, _ advice: String) -> Located<String>? {
    guard let text = string(value, "'\(key)'") else { return nil }
    guard templatePlaceholders.contains(text.value[...]) else { return text }
    report(
      .placeholder, "'\(key)' is still the template's placeholder; \(advice)", text.location)
    return nil
  }

  private mutating func sourceRoot(_ value: JSONValue) -> Located<String>? {
    guard
      let path = text(
        value, of: "sourceRoot", "write a path relative to the manifest's folder, or remove the key"
      )
    else { return nil }
    if path.value.isEmpty {
      report(
        .emptyPath, "'sourceRoot' is empty; write '.' for the manifest's own folder", path.location,
        fix: Fix(path.location, "\".\""))
      return nil
    }
    if path.value.utf8.contains(0) {
      report(.invalidPath, "'sourceRoot' contains a NUL character", path.location)
      return nil
    }
    if path.value.utf8.first == ASCII.slash {
      report(
        .absolutePath, severity: .warning,
        "'sourceRoot' is an absolute path, which may not exist on other machines;"
          + " write it relative to the manifest's folder", path.location)
    }
    return path
  }

  private mutating func language(_ value: JSONValue) -> Located<String>? {
    text(value, of: "language", "write a tag such as \"pt-BR\", or remove the key")
      .flatMap { language($0) }
  }

  private mutating func userInfo(_ value: JSONValue) -> JSONValue? {
    guard object(value, "'userInfo'") != nil else { return nil }
    reportNumbersBeyondJSON(value)
    return value
  }

  // The parser limits the depth of the tree, and so the recursion.
  private mutating func reportNumbersBeyondJSON(_ value: JSONValue) {
    switch value.content {
    case .number(let number) where number.plainText == nil:
      report(
        .notPlainJSON,
        "'\(number.text)' can't be embedded in the pack, which needs plain JSON",
        location(value.range))
    case .array(let elements):
      for element in elements { reportNumbersBeyondJSON(element) }
    case .object(let members):
      for member in members { reportNumbersBeyondJSON(member.value) }
    default: break
    }
  }
}
