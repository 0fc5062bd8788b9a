import BAPackCore

/// The `Info.plist` keys of an app for asset packs
/// (<https://developer.apple.com/documentation/bundleresources/information-property-list>).
package struct AppInfo: Sendable {
  package let hosting: Hosting
  /// The app group shared by the app and its downloader extension; nil if unknown.
  package let appGroup: String?
  /// The URL of the download manifest, for packs that Apple doesn't host; nil if unknown.
  package let manifestURL: String?
  /// The hosts of the download manifest and of the packs, without duplicates.
  package let hosts: [String]
  /// The downloads right after the installation.
  package let downloads: AppDownloads

  package init(
    hosting: Hosting, appGroup: String?, manifestURL: String?, hosts: [String],
    downloads: AppDownloads
  ) {
    (self.hosting, self.appGroup, self.manifestURL) = (hosting, appGroup, manifestURL)
    (self.hosts, self.downloads) = (hosts, downloads)
  }

  /// A number in a key, and its minimum.
  struct Size {
    /// The key, preceded by that of its dictionary, if any.
    let path: [String]
    let least: UInt64
    /// The subject of messages: `the downloads of essential packs have`.
    let subject: String
  }

  static let restrictions = "BAInitialDownloadRestrictions"
  static let domains = "BADownloadDomainAllowList"

  var sizes: [Size] {
    [
      Size(
        path: [Self.restrictions, "BADownloadAllowance"], least: downloads.other.download,
        subject: "the downloads of 'prefetch' packs have"),
      Size(
        path: [Self.restrictions, "BAEssentialDownloadAllowance"],
        least: downloads.essential.download,
        subject: "the downloads of 'essential' packs have"),
      Size(
        path: ["BAEssentialMaxInstallSize"], least: downloads.essential.installed,
        subject: "the files of 'essential' packs have"),
      Size(
        path: ["BAMaxInstallSize"], least: downloads.other.installed,
        subject: "the files of 'prefetch' packs have"),
    ]
  }

  /// The keys and their values. Keys with unknown values are omitted.
  package var keys: JSONValue {
    let isOwn = hosting == .ownServer
    func value(_ size: Size) -> JSONMember {
      JSONMember(size.path[size.path.count - 1], JSONValue(size.least))
    }
    let restrictions = sizes.filter { $0.path.count == 2 }.map(value)
    let ends = sizes.filter { $0.path.count == 1 }.map(value)
    let list = hosts.isEmpty ? [] : [JSONMember(Self.domains, hosts.json)]
    let known = JSONValue.object([
      "BAAppGroupID": appGroup, "BAHasManagedAssetPacks": true,
      "BAUsesAppleHosting": isOwn ? nil : true, "BAManifestURL": isOwn ? manifestURL : nil,
      Self.restrictions: isOwn ? JSONValue(.object(list + restrictions)) : nil,
    ])
    return JSONValue(.object((known.object ?? []) + (isOwn ? ends : [])))
  }

  /// The keys as an XML property list, which `PlistBuddy -c 'Merge …'` adds to an `Info.plist`.
  package var propertyList: String { listText((keys.object ?? []).flatMap { lines($0, "\t") }) }

  private func lines(_ member: JSONMember, _ indent: String) -> [String] {
    let inner = indent + "\t"
    let value =
      switch member.value.content {
      case .object(let members):
        ["<dict>"] + members.flatMap { lines($0, inner) } + [indent + "</dict>"]
      case .array(let elements):
        ["<array>"] + elements.map { inner + element($0) } + [indent + "</array>"]
      default: [element(member.value)]
      }
    return ["\(indent)<key>\(member.key)</key>", indent + value[0]] + value.dropFirst()
  }

  private func element(_ value: JSONValue) -> String {
    switch value.content {
    case .string(let text): "<string>\(escapedXML(text))</string>"
    case .bool(let flag): "<\(flag)/>"
    default: "<integer>\(JSONWriter.text(value, .compact))</integer>"
    }
  }
}

/// An XML property list with a dictionary of these lines.
func listText(_ lines: [String]) -> String {
  """
  <?xml version="1.0" encoding="UTF-8"?>
  <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
  "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
  <plist version="1.0">
  <dict>

  """ + lines.map { $0 + "\n" }.joined() + "</dict>\n</plist>\n"
}
