import BAApps
import BAPackCore

/// Checks mutations of an app's `Info.plist`, for both kinds of hosting.
struct AppInfoTarget: FuzzTarget {
  private let infos: [AppInfo]
  private let corpus: [[UInt8]]

  init() throws {
    var downloads = AppDownloads()
    downloads.add(
      Manifest(assetPackID: "a", .essential([.firstInstallation]), platforms: []),
      download: 4_000_000_000, installed: 8_000_000_000)
    downloads.add(
      Manifest(assetPackID: "b", .prefetch([.firstInstallation]), platforms: []), download: 1,
      installed: 2)
    infos = Hosting.allCases.map {
      AppInfo(
        hosting: $0, appGroup: "group.com.example.game",
        manifestURL: "https://cdn.example.com/packs/Downloads.json",
        hosts: ["cdn.example.com", "*.example.org"], downloads: downloads)
    }
    corpus =
      infos.map { Array($0.propertyList.utf8) } + [
        Array(
          """
          <?xml version="1.0" encoding="UTF-8"?>
          <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/x.dtd">
          <plist version="1.0"><!-- of an app --><dict>
            <key>CFBundleName</key><string>A &amp; B &#x1F600; <![CDATA[<c>]]></string>
            <key>BAMaxInstallSize</key><integer>-0x10</integer><key>Size</key><real>1e400</real>
            <key>Data</key><data>AAEC/w==</data><key>Date</key><date>2026-01-31T00:00:00Z</date>
            <key>BADownloadDomainAllowList</key><array><string/><true/><false/></array>
          </dict></plist>
          """.utf8)
      ]
  }

  mutating func run(_ round: Int, _ random: inout Mutator) throws -> String {
    let text = random.textMutation(
      of: corpus[random.below(corpus.count)], with: corpus[random.below(corpus.count)])
    let findings = infos[random.below(infos.count)].check(
      SourceText(name: "Info.plist", bytes: text))
    check(findings, round)
    return findings.hasErrors ? "refused" : findings.isEmpty ? "right" : "warned of"
  }
}
