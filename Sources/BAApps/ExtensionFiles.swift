import BAPackCore

package struct ExtensionFiles: Sendable {
  let app: String
  let appGroup: String
  let hosting: Hosting

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
        "'\(printable(appGroup.utf8))' is not an app group such as 'group.com.example.game'")
    }
    (self.app, self.appGroup, self.hosting) = (app, appGroup, hosting)
  }

  package var files: [(name: String, bytes: [UInt8])] {
    let isApple = hosting == .apple
    let code = filled(
      PackageResources.extension_txt,
      [
        "@STOREKIT@": isApple ? "\nimport StoreKit" : "",
        "@PROTOCOL@": isApple ? "StoreDownloaderExtension" : "ManagedDownloaderExtension",
      ])
    // macOS needs the sandbox.
    let rights = Array(filled(PackageResources.extension_entitlements, ["@GROUP@": appGroup]).utf8)
    return [
      ("DownloaderExtension.swift", Array(code.utf8)),
      ("Info.plist", PackageResources.extension_plist),
      ("DownloaderExtension.entitlements", rights), ("App.entitlements", rights),
    ]
  }

  /// The steps that are left in Xcode after the files were written to `folder`.
  package func steps(in folder: String) -> String {
    let template = hosting == .apple ? "Apple-Hosted, Managed" : "Self-Hosted, Managed"
    return filled(
      PackageResources.steps_txt, ["@TEMPLATE@": template, "@APP@": app, "@FOLDER@": folder])
  }

  /// The targets for XcodeGen's `project.yml`.
  package func stanza(in folder: String) -> String {
    // A string in double quotes, as in JSON, is YAML.
    let quoted = JSONWriter.text(JSONValue(.string(folder)), .compact)
    return filled(
      PackageResources.xcodegen_yml,
      ["@APP@": app, "\"@FOLDER@": String(quoted.dropLast())])
  }
}

private func isNameByte(_ byte: UInt8) -> Bool {
  ASCII.isDigit(byte) || ASCII.isLetter(byte) || byte == UInt8(ascii: "-")
}
