import BAPackCore

package struct ExtensionFiles: Sendable {
  let app: String
  let appGroup: String
  let hosting: Hosting

  private static let target = "DownloaderExtension"
  private static let source = target + ".swift"
  private static let entitlements = target + ".entitlements"
  private static let appEntitlements = "App.entitlements"

  /// Files for the app with this bundle identifier. Throws unless both names are valid.
  package init(app: String, appGroup: String, hosting: Hosting) throws {
    let parts = app.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 1, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isNameByte) })
    else {
      throw PackagingError(
        "'\(printable(app.utf8))' is not a bundle identifier such as 'com.example.game'")
    }
    guard appGroup.utf8.allSatisfy({ isNameByte($0) || $0 == ASCII.dot }), appGroup.contains(".")
    else {
      throw PackagingError(
        "'\(printable(appGroup.utf8))' is not an app group such as 'group.com.example.game'"
      )
    }
    (self.app, self.appGroup, self.hosting) = (app, appGroup, hosting)
  }

  package var files: [(name: String, bytes: [UInt8])] {
    [
      (Self.source, Array(code.utf8)), ("Info.plist", Array(infoList.utf8)),
      (Self.entitlements, Array(rights.utf8)), (Self.appEntitlements, Array(rights.utf8)),
    ]
  }

  private var code: String {
    let (conformance, imports) =
      hosting == .apple
      ? ("StoreDownloaderExtension", "\nimport StoreKit") : ("ManagedDownloaderExtension", "")
    return """
      import BackgroundAssets
      import ExtensionFoundation\(imports)

      /// The system starts this extension to download asset packs, also when the app doesn't run. All
      /// of its work is in the framework.
      @main
      struct DownloaderExtension: \(conformance) {
        /// Whether the system may download this pack now. Without this function it downloads all.
        func shouldDownload(_ assetPack: AssetPack) -> Bool {
          true
        }
      }

      """
  }

  private var infoList: String {
    listText(
      [
        "<key>CFBundleDevelopmentRegion</key>", "<string>$(DEVELOPMENT_LANGUAGE)</string>",
        "<key>CFBundleDisplayName</key>", "<string>$(PRODUCT_NAME)</string>",
        "<key>CFBundleExecutable</key>", "<string>$(EXECUTABLE_NAME)</string>",
        "<key>CFBundleIdentifier</key>", "<string>$(PRODUCT_BUNDLE_IDENTIFIER)</string>",
        "<key>CFBundleInfoDictionaryVersion</key>", "<string>6.0</string>",
        "<key>CFBundleName</key>", "<string>$(PRODUCT_NAME)</string>",
        "<key>CFBundlePackageType</key>", "<string>XPC!</string>",
        "<key>CFBundleShortVersionString</key>", "<string>$(MARKETING_VERSION)</string>",
        "<key>CFBundleVersion</key>", "<string>$(CURRENT_PROJECT_VERSION)</string>",
        "<key>EXAppExtensionAttributes</key>", "<dict>",
        "\t<key>EXExtensionPointIdentifier</key>",
        "\t<string>com.apple.background-asset-downloader-extension</string>", "</dict>",
      ])
  }

  /// macOS needs the sandbox.
  private var rights: String {
    listText(
      [
        "<key>com.apple.security.app-sandbox</key>", "<true/>",
        "<key>com.apple.security.application-groups</key>", "<array>",
        "\t<string>\(appGroup)</string>", "</array>",
      ])
  }

  /// The steps that are left in Xcode after the files were written to `folder`.
  package func steps(in folder: String) -> String {
    let template = hosting == .apple ? "Apple-Hosted, Managed" : "Self-Hosted, Managed"
    return """
      In Xcode:
       1. File > New > Target > Background Download (\(template)), named
          \(Self.target), embedded in the app. Its bundle identifier is
          \(app).\(Self.target).
       2. Replace its source by \(folder)/\(Self.source), and set INFOPLIST_FILE to
          \(folder)/Info.plist.
       3. Set CODE_SIGN_ENTITLEMENTS of the extension to
          \(folder)/\(Self.entitlements), and that of the app to
          \(folder)/\(Self.appEntitlements), or add the app group to the entitlements it has.
          Their sandbox is for macOS.
       4. Choose the same team for both targets, and the same version and build number.
       5. Add the keys for asset packs to the Info.plist of the app.

      """
  }

  /// The targets for XcodeGen's `project.yml`.
  package func stanza(in folder: String) -> String {
    """
    targets:
      \(Self.target):
        type: extensionkit-extension
        platform: iOS
        deploymentTarget: "26.0"
        sources:
          - path: \(quoted(folder + "/" + Self.source))
        settings:
          base:
            PRODUCT_BUNDLE_IDENTIFIER: \(app).\(Self.target)
            INFOPLIST_FILE: \(quoted(folder + "/Info.plist"))
            CODE_SIGN_ENTITLEMENTS: \(quoted(folder + "/" + Self.entitlements))
      # Add this to the target of the app:
      App:
        dependencies:
          - target: \(Self.target)
            embed: true
        settings:
          base:
            CODE_SIGN_ENTITLEMENTS: \(quoted(folder + "/" + Self.appEntitlements))

    """
  }
}

private func isNameByte(_ byte: UInt8) -> Bool {
  ASCII.isDigit(byte) || ASCII.isLetter(byte) || byte == UInt8(ascii: "-")
}

/// A string in double quotes, as in JSON, which is YAML.
private func quoted(_ text: String) -> String {
  JSONWriter.text(JSONValue(.string(text)), .compact)
}
