import BAPackCore

extension Rule.Area {
  package static let appInfo = Rule.Area("Info.plist of the app")
}

extension Rule {
  package static let appInfoRules: [Rule] = [
    .appInfoMissing, .appInfoValue, .appInfoExtra, .appInfoDomain, .appInfoSize,
  ]

  package static let appInfoMissing = Rule(
    "app-info-missing", .error, .appInfo, "A key that asset packs need is missing",
    reason: """
      Every app with asset packs needs `BAHasManagedAssetPacks` and `BAAppGroupID`; for packs that \
      Apple hosts, `BAUsesAppleHosting`; for packs on your own server, `BAManifestURL`, \
      `BAInitialDownloadRestrictions` with a list of domains and two allowances, \
      `BAEssentialMaxInstallSize` and `BAMaxInstallSize`. Without them the framework stops the app, \
      or the upload is rejected.
      """,
    remedy: """
      Add the key; on a Mac, `/usr/libexec/PlistBuddy -c 'Merge Keys.plist' Info.plist` adds them.
      """)

  package static let appInfoValue = Rule(
    "app-info-value", .error, .appInfo, "A key about asset packs has another value or type",
    reason: """
      The system reads each key with one type, and ignores or rejects any other. Sizes are whole \
      numbers of bytes. A value with a build setting such as `$(GROUP)` is known only when the app is \
      built, and is a warning where it is a size.
      """,
    remedy: "Correct the value.")

  package static let appInfoExtra = Rule(
    "app-info-extra", .error, .appInfo, "A key that is for packs on your own server only",
    reason: """
      Apple's documentation of Apple-hosted packs says to omit all keys of Background Assets but \
      `BAAppGroupID`, `BAHasManagedAssetPacks` and `BAUsesAppleHosting`. What happens otherwise is \
      not documented.
      """,
    remedy: "Remove the key, or check for packs on your own server.")

  package static let appInfoDomain = Rule(
    "app-info-domain", .error, .appInfo, "The app may not download from a host that it needs",
    reason: """
      Before the first launch, the system downloads only from the domains in \
      `BADownloadDomainAllowList`. A domain that begins with `*.` stands for all of its subdomains, but \
      not for itself.
      """,
    remedy: "Add the host of the download manifest, and those of the packs.")

  package static let appInfoSize = Rule(
    "app-info-size", .error, .appInfo, "A size is smaller than the packs",
    reason: """
      `BAEssentialDownloadAllowance` and `BADownloadAllowance` limit what the system downloads before \
      the first launch: compressed bytes of `essential` packs, and of `prefetch` packs without them. \
      `BAEssentialMaxInstallSize` and `BAMaxInstallSize` are the uncompressed bytes, which the App \
      Store shows. Packs that are downloaded on demand or with updates only are not counted. Whether \
      the download manifest itself counts towards an allowance is not documented.
      """,
    remedy: """
      Raise the number, with room for later versions of the packs in the allowances. Don't overstate \
      the installed sizes.
      """)
}
