/// An asset pack's manifest: its name, when devices download it, and which files it contains.
public struct Manifest: Sendable {
  package var source: SourceText
  /// The name that apps use for the pack. If it could not be read, its location is empty.
  public var assetPackID: Located<String>
  /// When a device downloads the pack.
  public var downloadPolicy: DownloadPolicy
  /// The platforms of the pack, without duplicates: the known ones in their order, then others by
  /// name. Empty means every platform.
  public var platforms: [Platform]
  /// The selectors of the pack's files, in the order written, which has no meaning.
  package var selectors: [FileSelector]
  /// The folder that selectors are relative to, itself relative to the manifest's folder; nil if
  /// the caller chooses it.
  package var sourceRoot: Located<String>?
  /// The language of the pack's contents, a BCP-47 tag.
  package var language: Located<String>?
  /// The author's own data for self-hosted packs: an object.
  package var userInfo: JSONValue?
  /// The embedded manifest: the text byte for byte if it is plain JSON, otherwise the same keys and
  /// values in the same order as plain JSON.
  package var embedded: [UInt8]

  package init(
    source: SourceText, assetPackID: Located<String>, downloadPolicy: DownloadPolicy,
    platforms: [Platform], selectors: [FileSelector], sourceRoot: Located<String>? = nil,
    language: Located<String>? = nil, userInfo: JSONValue? = nil, embedded: [UInt8]
  ) {
    self.source = source
    self.assetPackID = assetPackID
    self.downloadPolicy = downloadPolicy
    self.platforms = platforms
    self.selectors = selectors
    self.sourceRoot = sourceRoot
    self.language = language
    self.userInfo = userInfo
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

  /// The identifier, escaped for display.
  package var name: String { printable(assetPackID.value.utf8) }

  package var platformNames: String { platforms.isEmpty ? "all" : platforms.shown }

  /// Whether devices of `platform` have the pack.
  package func isFor(_ platform: Platform) -> Bool {
    platforms.isEmpty || platforms.contains(platform)
  }
}

/// A value and its location in the manifest.
public struct Located<Value: Sendable>: Sendable {
  /// The value.
  public var value: Value
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
