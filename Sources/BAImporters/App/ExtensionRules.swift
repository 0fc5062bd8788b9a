import BAPackCore

extension Rule.Area {
  package static let appExtension = Rule.Area("Downloader extension of the app")
}

extension Rule {
  package static let extensionRules: [Rule] = [
    .extensionMissing, .extensionPlace, .extensionPoint, .extensionOldKeys, .extensionIdentifier,
    .extensionVersion, .extensionName, .appGroupOfApp, .appGroupOfExtension, .appGroupsDiffer,
    .entitlementsUnknown, .teamIdentifier, .minimumSystem, .systemOfXcode, .bundleUnreadable,
  ]

  package static let extensionMissing = Rule(
    "extension-missing", .error, .appExtension, "The app has no downloader extension",
    reason: """
      An app with managed asset packs needs an extension that the system starts for downloads. \
      Without it, `AssetPackManager` stops the app.
      """,
    remedy: """
      In Xcode, the template is called Background Download; add the target to the app's phase Embed ExtensionKit Extensions.
      """)

  package static let extensionPlace = Rule(
    "extension-place", .error, .appExtension, "The downloader extension is in another folder",
    reason: """
      The downloader is an ExtensionKit extension, which the system looks for in the app's folder \
      `Extensions`. In `PlugIns` are extensions of the older kind; App Store Connect rejects a \
      downloader there (ITMS-91179).
      """,
    remedy: """
      In the app's target, embed it with the destination ExtensionKit Extensions, which is \
      `$(EXTENSIONS_FOLDER_PATH)`.
      """)

  package static let extensionPoint = Rule(
    "extension-point", .error, .appExtension, "The extension is for another extension point",
    reason: """
      The system finds the downloader by its extension point. An extension with another one, or with \
      none, is never started.
      """,
    remedy: """
      Set `EXExtensionPointIdentifier` in `EXAppExtensionAttributes` of the extension's `Info.plist` \
      to `com.apple.background-asset-downloader-extension`.
      """,
    example: """
      <key>EXAppExtensionAttributes</key>
      <dict>
        <key>EXExtensionPointIdentifier</key>
        <string>com.apple.background-downloader-extension</string>
      </dict>
      """)

  package static let extensionOldKeys = Rule(
    "extension-old-keys", .error, .appExtension, "The downloader extension has NSExtension",
    reason: """
      `NSExtension` is for extensions of the older kind. An ExtensionKit extension has \
      `EXAppExtensionAttributes` only.
      """,
    remedy: "Remove `NSExtension` from the `Info.plist` of the extension.")

  package static let extensionIdentifier = Rule(
    "extension-identifier", .error, .appExtension,
    "The extension's identifier doesn't begin with the app's",
    reason: """
      The bundle identifier of an extension is that of its app, a period and a name. Other extensions \
      are not installed.
      """,
    remedy: "Change `PRODUCT_BUNDLE_IDENTIFIER` of the extension's target.",
    example: """
      app: com.example.game
      extension: com.example.downloader
      """)

  package static let extensionVersion = Rule(
    "extension-version", .warning, .appExtension, "The app and its extension differ in version",
    reason: """
      `CFBundleShortVersionString` and `CFBundleVersion` of an extension should be those of the app; \
      App Store Connect warns of others.
      """,
    remedy: """
      Set `MARKETING_VERSION` and `CURRENT_PROJECT_VERSION` in the project instead of in its targets.
      """)

  package static let extensionName = Rule(
    "extension-name", .error, .appExtension, "The extension has no display name",
    reason: "App Store Connect rejects an extension without `CFBundleDisplayName` (ITMS-90360).",
    remedy: "Add the key to the `Info.plist` of the extension, with the value `$(PRODUCT_NAME)`.")

  package static let appGroupOfApp = Rule(
    "app-group-of-app", .error, .appExtension, "The app lacks the entitlement for its app group",
    reason: """
      `BAAppGroupID` names the app group in which app and extension share the packs. Without the \
      group in the entitlement `com.apple.security.application-groups`, the app has no access to \
      them, and the framework stops it.
      """,
    remedy: "In Xcode, add the capability App Groups to the app's target, with this group.")

  package static let appGroupOfExtension = Rule(
    "app-group-of-extension", .error, .appExtension,
    "The extension lacks the entitlement for the app group",
    reason: """
      The extension stores packs in the app group of `BAAppGroupID`, so that it needs the entitlement \
      `com.apple.security.application-groups` with that group, too.
      """,
    remedy: "In Xcode, add the capability App Groups to the extension's target, with this group.")

  package static let appGroupsDiffer = Rule(
    "app-groups-differ", .error, .appExtension, "The app and its extension have no group in common",
    reason: """
      The entitlement `com.apple.security.application-groups` of both must have one group in common, \
      in which they share the packs.
      """,
    remedy: "In Xcode, choose the same group in the capability App Groups of both targets.")

  package static let entitlementsUnknown = Rule(
    "entitlements-unknown", .warning, .appExtension, "The entitlements can't be checked",
    reason: """
      The entitlements of a built app are in the code signature of its executable. Apps for the \
      simulator and apps that are not signed yet have none there.
      """,
    remedy: "Check the signed app.")

  package static let teamIdentifier = Rule(
    "team-identifier", .warning, .appExtension, "The signature names no team",
    reason: """
      Where the entitlement `com.apple.developer.team-identifier` is missing, the system still \
      prefetches packs, but those that the app requests are never downloaded.
      """,
    remedy: """
      Sign the app and its extension with a provisioning profile of your team: Xcode then adds the \
      entitlement.
      """)

  package static let minimumSystem = Rule(
    "minimum-system", .error, .appExtension, "The app also runs on systems without managed packs",
    adjustment: .all,
    reason: """
      Managed asset packs need version 26.0 of a device's system, and packs with a language 27.0. On an \
      earlier one, the app finds no framework or no packs.
      """,
    remedy: """
      Raise the deployment target, or turn the rule off if the app checks for the system's version.
      """)

  package static let systemOfXcode = Rule(
    "system-of-xcode", .error, .appExtension, "Xcode 27 doesn't build for a system this old",
    reason: """
      App Store Connect rejects an app or an extension that Xcode 27 built with a `MinimumOSVersion` \
      below 15.0 (ITMS-90208).
      """,
    remedy: "Raise the deployment target of the app and of its extension.")

  package static let bundleUnreadable = Rule(
    "bundle-unreadable", .error, .appExtension, "The app can't be read",
    reason: """
      An app is a folder with an `Info.plist`, and an `.ipa` is a zip archive with one app in \
      `Payload`. Links in an app are not followed, and files that are larger than they can sensibly \
      be are not read.
      """,
    remedy: "Build or export the app again.")
}
