import BAPackCore

extension Rule.Area {
  package static let appInfo = Rule.Area("Info.plist of the app")
}

extension Rule {
  package static let appInfoRules: [Rule] = [
    .appInfoMissing, .appInfoValue, .appInfoExtra, .appInfoDomain, .appInfoSize,
  ]

  package static let appInfoMissing = Rule(
    "app-info-missing", .error, .appInfo, "A key that asset packs need is missing")
  package static let appInfoValue = Rule(
    "app-info-value", .error, .appInfo, "A key about asset packs has another value or type")
  package static let appInfoExtra = Rule(
    "app-info-extra", .error, .appInfo, "A key that is for packs on your own server only")
  package static let appInfoDomain = Rule(
    "app-info-domain", .error, .appInfo, "The app may not download from a host that it needs")
  package static let appInfoSize = Rule(
    "app-info-size", .error, .appInfo, "A size is smaller than the packs")
}
