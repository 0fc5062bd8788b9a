/// An asset pack's manifest: its name, when devices download it, and which files it contains.
public struct Manifest: Sendable {
  package var source: SourceText
  /// The name that apps use for the pack, with its location, which is empty if it could not be read.
  package var writtenID: Located<String>
  /// When a device downloads the pack.
  public var downloadPolicy: DownloadPolicy
  /// The platforms of the pack, without duplicates: the known ones in their order, then others by
  /// name. Empty means every platform.
  public var platforms: [Platform]
  /// The selectors of the pack's files, in the order written, which has no meaning.
  public var selectors: [FileSelector]
  /// The folder that selectors are relative to, itself relative to the manifest's folder; nil if
  /// the caller chooses it.
  package var writtenRoot: Located<String>?
  /// The language of the pack's contents, a BCP-47 tag.
  package var writtenLanguage: Located<String>?
  /// The author's own data for self-hosted packs: an object.
  package var userInfoValue: JSONValue?
  /// The embedded manifest: the text byte for byte if it is plain JSON, otherwise the same keys and
  /// values in the same order as plain JSON.
  package var embedded: [UInt8]

  package init(
    source: SourceText, assetPackID: Located<String>, downloadPolicy: DownloadPolicy,
    platforms: [Platform], selectors: [FileSelector], sourceRoot: Located<String>? = nil,
    language: Located<String>? = nil, userInfo: JSONValue? = nil, embedded: [UInt8]
  ) {
    self.source = source
    writtenID = assetPackID
    self.downloadPolicy = downloadPolicy
    self.platforms = platforms
    self.selectors = selectors
    writtenRoot = sourceRoot
    writtenLanguage = language
    userInfoValue = userInfo
    self.embedded = embedded
  }

  /// A manifest whose text and selectors aren't known.
  package init(
    assetPackID: String, _ downloadPolicy: DownloadPolicy, platforms: [Platform],
    language: String? = nil, userInfo: JSONValue? = nil
  ) {
    let source = SourceText(name: [], bytes: [])
    let location = SourceLocation(source, 0..<0)
    self.init(
      source: source, assetPackID: Located(assetPackID, at: location),
      downloadPolicy: downloadPolicy, platforms: platforms, selectors: [],
      language: language.map { Located($0, at: location) }, userInfo: userInfo, embedded: [])
  }

  /// A manifest made in code, of an author: ``AssetPackBuilder`` checks it.
  public init(
    assetPackID: String, downloadPolicy: DownloadPolicy, selectors: [FileSelector],
    platforms: [Platform] = []
  ) {
    self.init(assetPackID: assetPackID, downloadPolicy, platforms: platforms)
    self.selectors = selectors
  }

  /// The name that apps use for the pack; empty if it could not be read.
  public var assetPackID: String {
    get { writtenID.value }
    set { writtenID.value = newValue }
  }

  /// The language of the pack's contents, a BCP-47 tag; nil for none.
  public var language: String? {
    get { writtenLanguage?.value }
    set { writtenLanguage = newValue.map { Located($0, at: writtenID.location) } }
  }

  /// The folder that selectors are relative to, itself relative to the manifest's folder, or to the
  /// working directory for a manifest made in code; nil if the caller chooses it.
  public var sourceRoot: String? {
    get { writtenRoot?.value }
    set { writtenRoot = newValue.map { Located($0, at: writtenID.location) } }
  }

  /// The author's own data for self-hosted packs: an object, in JSON; nil for none. What isn't JSON
  /// is written as text, which the check of the manifest reports.
  public var userInfo: String? {
    get { userInfoValue.map { JSONWriter.text($0, .compact) } }
    set {
      userInfoValue = newValue.flatMap { text in
        let document = JSONDocument(reading: SourceText(name: "userInfo", bytes: Array(text.utf8)))
        guard document.isWellFormed, let root = document.root else { return JSONValue(text) }
        return if case .null = root.content { nil } else { root }
      }
    }
  }

  /// The manifest as plain JSON, which reads back equal.
  public func encoded() -> [UInt8] {
    JSONWriter.bytes(
      .object([
        "assetPackID": assetPackID, "downloadPolicy": downloadPolicy.json,
        "fileSelectors": JSONValue(
          .array(
            selectors.map { selector in
              JSONValue(
                .object(selector.fields.map { JSONMember($0.key, JSONValue($0.path.value)) }))
            })),
        "platforms": platforms.unique().inOrder.rawValues, "sourceRoot": sourceRoot,
        "language": language, "userInfo": userInfoValue,
      ]))
  }

  /// The identifier, escaped for display.
  package var name: String { printable(assetPackID.utf8) }

  package var platformNames: String { platforms.isEmpty ? "all" : platforms.shown }

  /// Whether devices of `platform` have the pack.
  package func isFor(_ platform: Platform) -> Bool {
    platforms.isEmpty || platforms.contains(platform)
  }
}

extension Manifest: Hashable {
  /// Whether both say the same, wherever that was read.
  public static func == (left: Manifest, right: Manifest) -> Bool {
    left.encoded() == right.encoded()
  }

  /// Hashes what the manifest says.
  public func hash(into hasher: inout Hasher) { hasher.combine(encoded()) }
}

/// A value and its location in the manifest.
package struct Located<Value: Sendable>: Sendable {
  /// The value.
  package var value: Value
  /// The location; of a string, the text between its quotes.
  package var location: SourceLocation

  package init(_ value: Value, at location: SourceLocation) {
    self.value = value
    self.location = location
  }
}

/// Identifiers that App Store Connect accepts.
package enum AssetPackIdentifier {
  /// An identifier similar to `name`: ASCII letters and digits, separated by single hyphens. It is
  /// unique among those in `known`, ignoring case, and is added to them in lowercase.
  package static func make(from name: String, except known: inout Set<String>) -> String {
    let words = name.utf8.split { !ASCII.isLetter($0) && !ASCII.isDigit($0) }
    let joined = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
    let base = joined.isEmpty ? "pack" : joined
    var identifier = base
    var number = 2
    while !known.insert(identifier.lowercased()).inserted {
      identifier = "\(base)-\(number)"
      number += 1
    }
    return identifier
  }
}
