import BAApps
import BAPackCore
import BATestSupport
import Foundation
import Testing

private func downloads() -> AppDownloads {
  var downloads = AppDownloads()
  func add(_ policy: DownloadPolicy, download: UInt64, installed: UInt64) {
    downloads.add(
      Manifest(assetPackID: "a", policy, platforms: []), download: download, installed: installed)
  }
  add(.essential([.firstInstallation, .subsequentUpdate]), download: 100, installed: 1000)
  add(.essential([.firstInstallation]), download: 20, installed: 200)
  add(.essential([.subsequentUpdate]), download: 1 << 40, installed: 1 << 40)
  add(.prefetch([.firstInstallation]), download: 3, installed: 30)
  add(.onDemand, download: 1 << 40, installed: 1 << 40)
  return downloads
}

private let hosted = AppInfo(
  hosting: .apple, appGroup: "group.a", manifestURL: nil, hosts: [], downloads: AppDownloads())
private let own = AppInfo(
  hosting: .ownServer, appGroup: "group.a&b", manifestURL: "https://cdn.example.com/m.json",
  hosts: ["cdn.example.com", "packs.example.com"], downloads: downloads())

private func list(_ members: String) -> String { "<plist><dict>\(members)</dict></plist>" }

/// The findings about an Info.plist, as `rule 'text pointed at': message`.
private func found(_ text: String, _ info: AppInfo) -> [String] {
  info.check(SourceText(name: "Info.plist", bytes: Array(text.utf8))).map { finding in
    let pointed = finding.location.map {
      String(decoding: $0.source.bytes[$0.range], as: UTF8.self)
    }
    return "\(finding.rule.id) '\(pointed ?? "nowhere")': \(finding.message)"
  }
}

@Suite struct AppInfoTests {
  /// Foundation parses the keys with the expected values.
  @Test func printedKeysAreAPropertyList() throws {
    func read(_ info: AppInfo) throws -> NSDictionary {
      try #require(
        try unsafe PropertyListSerialization.propertyList(
          from: Data(info.propertyList.utf8), format: nil) as? NSDictionary)
    }
    #expect(
      try read(hosted) == [
        "BAAppGroupID": "group.a", "BAHasManagedAssetPacks": true, "BAUsesAppleHosting": true,
      ])
    #expect(
      try read(own) == [
        "BAAppGroupID": "group.a&b", "BAHasManagedAssetPacks": true,
        "BAManifestURL": "https://cdn.example.com/m.json",
        "BAInitialDownloadRestrictions": [
          "BADownloadDomainAllowList": ["cdn.example.com", "packs.example.com"],
          "BADownloadAllowance": 3, "BAEssentialDownloadAllowance": 120,
        ] as NSDictionary,
        "BAEssentialMaxInstallSize": 1200, "BAMaxInstallSize": 30,
      ])
  }

  @Test func printedKeysPassTheCheck() {
    #expect(found(hosted.propertyList, hosted) == [])
    #expect(found(own.propertyList, own) == [])
  }

  @Test func missingKeysAreErrors() {
    #expect(
      found(list(""), hosted) == [
        "app-info-missing '<dict>': 'BAHasManagedAssetPacks' is missing",
        "app-info-missing '<dict>': 'BAAppGroupID' is missing",
        "app-info-missing '<dict>': 'BAUsesAppleHosting' is missing",
      ])
    #expect(
      found(list("<key>baAppGroupID</key><string>x</string>"), hosted).contains(
        "app-info-missing '<key>baAppGroupID</key>': 'BAAppGroupID' is missing"))
    #expect(
      found(list(""), own).map { $0.split(separator: "'")[3] } == [
        "BAHasManagedAssetPacks", "BAAppGroupID", "BAManifestURL", "BAInitialDownloadRestrictions",
        "BAEssentialMaxInstallSize", "BAMaxInstallSize",
      ])
  }

  @Test func sizesThatAreTooSmallAreErrors() {
    let text = own.propertyList.replacing("<integer>120<", with: "<integer>119<")
      .replacing("<integer>1200<", with: "<integer>7<").replacing("<integer>30<", with: "<real>1<")
      .replacing("</integer>\n\t<key>BAMax", with: "</integer><key>BAMax")
      .replacing("<real>1</integer>", with: "<real>1.5</real>")
    #expect(
      found(text, own) == [
        "app-info-size '<integer>119</integer>': 'BAEssentialDownloadAllowance' is 119, but the "
          + "downloads of 'essential' packs have 120 bytes",
        "app-info-size '<integer>7</integer>': 'BAEssentialMaxInstallSize' is 7, but the files of "
          + "'essential' packs have 1,200 bytes",
        "app-info-value '<real>1.5</real>': 'BAMaxInstallSize' must be a number of bytes",
      ])
  }

  @Test func sizesThatAreBuildSettingsAreNotKnown() {
    let text = own.propertyList.replacing("<integer>30</integer>", with: "<string>$(SIZE)</string>")
    #expect(
      found(text, own) == [
        "app-info-value '<string>$(SIZE)</string>': 'BAMaxInstallSize' is a build setting, "
          + "'$(SIZE)', whose value is not known here"
      ])
    #expect(
      found(text.replacing("$(SIZE)", with: "30 MB"), own) == [
        "app-info-value '<string>30 MB</string>': 'BAMaxInstallSize' must be a number of bytes"
      ])
  }

  @Test func packsOnAnOwnServerAreNotHostedByApple() {
    func flag(_ value: String) -> [String] {
      found(
        own.propertyList.replacing(
          "<key>BAAppGroupID", with: "<key>BAUsesAppleHosting</key>\(value)<key>BAAppGroupID"), own)
    }
    #expect(flag("<false/>") == [])
    let message = "'BAUsesAppleHosting' must be absent or false for packs on your own server"
    for value in ["<true/>", "<string>NO</string>", "<integer>0</integer>"] {
      #expect(flag(value) == ["app-info-value '\(value)': \(message)"])
    }
  }

  @Test func aListWhereADictionaryBelongsIsReportedOnce() {
    let text = own.propertyList.replacing(#/(Restrictions</key>)\s*<dict>[\s\S]*?</dict>/#) {
      $0.output.1 + "<string>x</string>"
    }
    #expect(
      found(text, own) == [
        "app-info-value '<string>x</string>': 'BAInitialDownloadRestrictions' must be a dictionary, "
          + "not a string"
      ])
  }

  @Test func domainsMayBeginWithAWildcard() {
    func domains(_ list: String) -> [String] {
      found(
        own.propertyList.replacing("<string>cdn.example.com</string>", with: list)
          .replacing("\t\t\t<string>packs.example.com</string>\n", with: ""), own)
    }
    #expect(domains("<string>*.example.com</string>") == [])
    #expect(domains("<string>*.EXAMPLE.com</string>") == [])
    #expect(domains("<string>$(HOSTS)</string>") == [])
    #expect(domains("<string>*.cdn.example.com</string>").count == 2)
    #expect(domains("<string>example.com</string>").count == 2)
    #expect(
      domains("<string>*.example.com</string><string>https://a</string><true/>") == [
        "app-info-value '<string>https://a</string>': 'https://a' is not a domain; write it without "
          + "scheme, port and path",
        "app-info-value '<true/>': a domain must be a string, not a boolean",
      ])
  }

  @Test func keysForOwnServersAreErrorsWithApple() {
    let text = hosted.propertyList.replacing(
      "</dict>", with: "<key>BAManifestURL</key><string>https://a/b</string></dict>")
    #expect(
      found(text, hosted) == [
        "app-info-extra '<key>BAManifestURL</key>': 'BAManifestURL' must be absent for packs that "
          + "Apple hosts"
      ])
  }

  @Test func valuesOfAnotherTypeAreErrors() {
    let text = hosted.propertyList.replacing("<true/>", with: "<string>YES</string>")
      .replacing("<string>group.a</string>", with: "<string></string>")
    #expect(
      found(text, hosted) == [
        "app-info-value '<string></string>': 'BAAppGroupID' is empty",
        "app-info-value '<string>YES</string>': 'BAHasManagedAssetPacks' must be true",
        "app-info-value '<string>YES</string>': 'BAUsesAppleHosting' must be true",
      ])
    #expect(
      found(hosted.propertyList.replacing("group.a", with: "$(GROUP)"), hosted) == [])
    #expect(found(hosted.propertyList.replacing("group.a", with: "group.b"), hosted).count == 1)
    #expect(
      found(own.propertyList.replacing("https:", with: "http:"), own).map { $0.prefix(14) } == [
        "app-info-value"
      ])
  }

  @Test func allOfXMLListsIsRead() {
    let text = """
      \u{FEFF}<?xml version="1.0" encoding="utf-8"?>
      <!DOCTYPE plist SYSTEM "file://localhost/System/Library/DTDs/PropertyList.dtd">
      <!-- a > b -->
      <plist version='1.0'>
      <dict><!-- none -->
        <key>BAAppGroup<!-- -->ID</key><string>gr<![CDATA[oup.a]]></string>
        <key>BAHasManagedAssetPacks</key><true></true><key>BAUsesAppleHosting</key><true />
        <key>d</key><date>2026-01-01T00:00:00Z</date><key>e</key><data>AAAA</data>
        <key>f</key><array/><key>g</key><dict></dict><key>h</key><string/>
        <key>i</key><integer>-0x1F</integer>
      </dict>
      </plist>
      """
    #expect(found(text.replacing("-0x1F", with: "0x1F"), hosted) == [])
    #expect(found(text, hosted).count == 1)
    #expect(found(text.replacing("-0x1F", with: " -5 "), hosted) == [])
    #expect(
      found(text.replacing("gr<", with: "&#x67;&#114;<").replacing("-0x1F", with: "1"), hosted)
        == [])
  }

  /// Any bytes result in a value or in one finding.
  @Test func damagedListsAreReadOrRejected() {
    let seed: UInt64 = 62
    var random = SeededGenerator(seed: seed)
    let bytes = Array(own.propertyList.utf8)
    for _ in 0..<1000 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index = Int.random(in: 0..<damaged.count, using: &random)
        if Bool.random(using: &random) {
          damaged[index] = .random(in: 0...255, using: &random)
        } else {
          damaged.removeSubrange(index..<min(damaged.count, index + 9))
        }
      }
      _ = own.check(SourceText(name: "Info.plist", bytes: damaged))
    }
  }
}
