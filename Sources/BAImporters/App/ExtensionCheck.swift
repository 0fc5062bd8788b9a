import BAPackCore

struct AppParts {
  let app: AppPart
  let extensions: [AppPart]
}

extension AppInfo {
  func check(_ parts: AppParts) -> [Finding] {
    var check = ExtensionCheck(app: parts.app, info: self)
    check.run(parts.extensions)
    return self.check(parts.app.info) + check.findings
  }
}

private struct ExtensionCheck {
  let app: AppPart
  let info: AppInfo
  var findings: [Finding] = []

  mutating func run(_ extensions: [AppPart]) {
    checkSystem()
    checkGroup(of: app, .appGroupOfApp)
    checkBuild(app)
    // The first that is where it belongs.
    let downloaders = extensions.filter(\.isDownloader)
    if let part = downloaders.first(where: { $0.place == .extensions }) ?? downloaders.first {
      return check(part)
    }
    guard let part = extensions.first(where: \.isLikeDownloader) else {
      let others = extensions.prefix(5).map(\.name).joined(separator: ", ")
      return findings.report(
        .extensionMissing, "\(app.name) has no downloader extension", at: app.location(),
        notes: others.isEmpty ? [] : [Note("other extensions: \(others)")])
    }
    let point = (part.point ?? part.oldPoint)?.string
    findings.report(
      .extensionPoint,
      point.map {
        "the extension point of \(part.name) is '\(brief($0))', not '\(AppPart.downloaderPoint)'"
      } ?? "\(part.name) has no extension point; that of a downloader is "
        + "'\(AppPart.downloaderPoint)'",
      at: part.location("EXAppExtensionAttributes", "EXExtensionPointIdentifier"))
  }

  private mutating func check(_ part: AppPart) {
    if part.place == .plugIns {
      findings.report(
        .extensionPlace, "\(part.name) is embedded in 'PlugIns', not in 'Extensions'",
        at: part.location())
    }
    if part.info.root["NSExtension"] != nil {
      findings.report(
        .extensionOldKeys, "\(part.name) has the key 'NSExtension'",
        at: part.location("NSExtension"))
    }
    if let identifier = part.identifier, let prefix = app.identifier,
      !identifier.hasPrefix(prefix + ".")
    {
      findings.report(
        .extensionIdentifier,
        "the identifier of \(part.name) is '\(brief(identifier))', which doesn't begin with "
          + "'\(brief(prefix))', that of the app, and a period",
        at: part.location("CFBundleIdentifier")
      )
    }
    let versions = ["CFBundleShortVersionString", "CFBundleVersion"].compactMap {
      key -> (key: String, own: String, other: String)? in
      guard let own = part.text(key), let other = app.text(key), own != other else { return nil }
      return (key, own, other)
    }
    if let first = versions.first {
      findings.report(
        .extensionVersion,
        versions.map {
          "'\($0.key)' of \(part.name) is \(brief($0.own)), but \(brief($0.other)) in the app"
        }
        .joined(separator: "; "), at: part.location(first.key))
    }
    checkGroups(part)
    checkBuild(part)
    if part.info.root["CFBundleDisplayName"] == nil {
      findings.report(
        .extensionName, "\(part.name) has no 'CFBundleDisplayName'; App Store Connect requires it",
        at: part.location())
    }
  }

  /// What Xcode leaves in a built app or extension.
  private mutating func checkBuild(_ part: AppPart) {
    if let xcode = part.text("DTXcode").flatMap({ Int($0) }), xcode >= 2700,
      let version = part.text("MinimumOSVersion"),
      let major = Int(version.prefix { $0 != "." }), major < 15
    {
      findings.report(
        .systemOfXcode,
        "'MinimumOSVersion' of \(part.name) is \(brief(version)), but Xcode 27 needs 15.0",
        at: part.location("MinimumOSVersion"))
    }
    if case .known(let list) = part.entitlements,
      list["com.apple.developer.team-identifier"]?.string == nil
    {
      findings.report(
        .teamIdentifier, "the entitlements of \(part.name) name no team", at: part.location())
    }
  }

  /// The app and its extension share a group if each has that of the `Info.plist`.
  private mutating func checkGroups(_ part: AppPart) {
    if !findings.contains(where: { $0.rule == .appGroupOfApp }), let own = app.groups,
      let others = part.groups, !own.isEmpty, !others.isEmpty,
      own.isDisjoint(with: others)
    {
      return findings.report(
        .appGroupsDiffer,
        "\(app.name) and \(part.name) have no app group in common: \(list(own)) and \(list(others))",
        at: part.location())
    }
    checkGroup(of: part, .appGroupOfExtension)
  }

  private mutating func checkGroup(of part: AppPart, _ rule: Rule) {
    if case .unknown(let why) = part.entitlements {
      return findings.report(
        .entitlementsUnknown, "the entitlements of \(part.name) can't be checked: \(why)",
        at: part.location())
    }
    guard let group = app.text("BAAppGroupID"), !group.isEmpty, let groups = part.groups,
      !groups.contains(group)
    else { return }
    findings.report(
      rule,
      "the entitlements of \(part.name) have "
        + (groups.isEmpty ? "no app group" : "the app group \(list(groups))")
        + ", but 'BAAppGroupID' is '\(brief(group))'", at: part.location())
  }

  private func list(_ groups: Set<String>) -> String {
    groups.sorted().prefix(5).map { "'\(brief($0))'" }.joined(separator: ", ")
  }

  private mutating func checkSystem() {
    for key in ["MinimumOSVersion", "LSMinimumSystemVersion"] {
      guard let version = app.text(key), let major = Int(version.prefix { $0 != "." }) else {
        continue
      }
      let needed = info.downloads.isLocalized ? 27 : 26
      guard major < needed else { continue }
      findings.report(
        .minimumSystem,
        "'\(key)' is \(brief(version)), but managed asset packs need \(needed).0"
          + (needed == 27 ? ", because one of them has a language" : ""), at: app.location(key))
    }
  }
}
