/// An asset pack's manifest: what it is called, when a device gets it, and which files it takes.
public struct Manifest: Sendable {
  /// The text that the manifest was read from.
  public var source: SourceText
  /// The name of the pack, as apps ask for it. Where it could not be read, its place is empty.
  public var assetPackID: Located<String>
  /// When a device downloads the pack.
  public var downloadPolicy: DownloadPolicy
  /// The platforms of the pack in the order of `Platform`, each once; empty means every platform.
  public var platforms: [Platform]
  /// Which files the pack takes, in the order written; the order carries no meaning.
  public var selectors: [Selector]
  /// The folder that selectors start from, relative to the manifest's own folder; nil leaves it to
  /// the command.
  public var sourceRoot: Located<String>?
  /// The language of the pack's contents, a BCP-47 tag.
  public var language: Located<String>?
  /// The author's own data for self-hosted packs: an object.
  public var userInfo: JSONValue?
  /// The manifest as the pack embeds it, in plain JSON: the text byte for byte where it is plain
  /// JSON, otherwise the same keys and values in the same order, without what only JSON5 allows.
  public var embedded: [UInt8]

  /// A manifest of the given parts.
  public init(
    source: SourceText, assetPackID: Located<String>, downloadPolicy: DownloadPolicy,
    platforms: [Platform], selectors: [Selector], sourceRoot: Located<String>? = nil,
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
}

/// A value and the place in the manifest that it comes from.
public struct Located<Value: Sendable>: Sendable {
  /// The value.
  public var value: Value
  /// Where it is written; of a string, what stands between its quotes.
  public var location: SourceLocation

  /// A value from `location`.
  public init(_ value: Value, at location: SourceLocation) {
    self.value = value
    self.location = location
  }
}

/// When a device downloads a pack.
public enum DownloadPolicy: Sendable, Equatable {
  /// With the app: the app waits for the pack at these events.
  case essential([InstallationEventType])
  /// In the background, beginning at these events.
  case prefetch([InstallationEventType])
  /// When the app asks for it.
  case onDemand
}

/// The events that `essential` and `prefetch` name.
public enum InstallationEventType: String, Sendable, CaseIterable {
  /// The app is installed.
  case firstInstallation
  /// The app is updated.
  case subsequentUpdate
}

/// The platforms that packs are made for; iPadOS is part of iOS.
public enum Platform: String, Sendable, CaseIterable {
  /// iPhone and iPad.
  case iOS
  /// Mac.
  case macOS
  /// Apple TV.
  case tvOS
  /// Apple Vision.
  case visionOS
}
