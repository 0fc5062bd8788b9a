import BAPackCore

/// A built app or one of its extensions.
struct AppPart {
  /// As in messages: `'Game.app'`.
  let name: String
  let place: Place
  let info: PropertyList
  let entitlements: Entitlements

  enum Place { case app, extensions, plugIns }

  enum Entitlements {
    case known(JSONValue)
    /// The code isn't signed, or its entitlements aren't in XML.
    case unknown(why: String)
  }

  /// The extension point of the system's downloader.
  static let downloaderPoint = "com.apple.background-asset-downloader-extension"
  private static let groupsKey = "com.apple.security.application-groups"

  func text(_ key: String) -> String? { info.root[key]?.string }

  var identifier: String? { text("CFBundleIdentifier") }

  /// The app groups in the entitlements; nil if they are unknown.
  var groups: Set<String>? {
    guard case .known(let list) = entitlements else { return nil }
    return Set((list[Self.groupsKey]?.array ?? []).compactMap(\.string))
  }

  /// The extension point as ExtensionKit reads it.
  var point: JSONValue? {
    info.root["EXAppExtensionAttributes"]?["EXExtensionPointIdentifier"]
  }

  /// The extension point as in extensions of the older kind.
  var oldPoint: JSONValue? {
    info.root["NSExtension"]?["NSExtensionPointIdentifier"]
  }

  var isDownloader: Bool {
    [point, oldPoint].contains { $0?.string == Self.downloaderPoint }
  }

  /// Whether an extension without the right point was probably meant as a downloader.
  var isLikeDownloader: Bool {
    let points = [point, oldPoint].compactMap(\.self)
    if points.isEmpty { return true }
    return (points.compactMap(\.string) + [name]).contains { text in
      let text = text.lowercased()
      return text.contains("background") || text.contains("downloader") || text.contains("asset")
    }
  }

  /// The location of a key or, if it is missing, of the whole list.
  func location(_ path: String...) -> SourceLocation {
    var place = info.root.range.lowerBound..<info.root.range.lowerBound
    var value: JSONValue? = info.root
    for key in path {
      guard let member = value?.object?.first(where: { $0.key == key }) else { break }
      (place, value) = (member.keyRange, member.value)
    }
    return SourceLocation(info.source, place)
  }
}

/// Whether a text contains a build setting: `$(NAME)` or `${NAME}`.
func hasVariable(_ text: String) -> Bool { text.contains("$(") || text.contains("${") }
