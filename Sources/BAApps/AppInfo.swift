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

  /// The keys as an XML property list, which `PlistBuddy -c 'Merge …'` adds to an `Info.plist`.
  /// Keys with unknown values are omitted.
  package var propertyList: String {
    var lines: [String] = []
    func add(_ key: String, _ value: String, depth: Int = 1) {
      let indent = String(repeating: "\t", count: depth)
      lines += ["\(indent)<key>\(key)</key>", "\(indent)\(value)"]
    }
    if let appGroup { add("BAAppGroupID", "<string>\(escapedXML(appGroup))</string>") }
    add("BAHasManagedAssetPacks", "<true/>")
    if hosting == .apple {
      add("BAUsesAppleHosting", "<true/>")
    } else {
      if let manifestURL { add("BAManifestURL", "<string>\(escapedXML(manifestURL))</string>") }
      add(Self.restrictions, "<dict>")
      if !hosts.isEmpty {
        add(Self.domains, "<array>", depth: 2)
        lines += hosts.map { "\t\t\t<string>\(escapedXML($0))</string>" } + ["\t\t</array>"]
      }
      for size in sizes where size.path.count == 2 {
        add(size.path[1], "<integer>\(size.least)</integer>", depth: 2)
      }
      lines.append("\t</dict>")
      for size in sizes where size.path.count == 1 {
        add(size.path[0], "<integer>\(size.least)</integer>")
      }
    }
    return listText(lines)
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
