import BAPackCore

extension AppParts {
  /// Reads the application's target of an Xcode project, and the targets of its extensions. `path`
  /// is that of the `.xcodeproj`. Throws a ``Finding`` or a ``SystemError``.
  init(project path: BytePath) throws {
    let file = path.appending("project.pbxproj".utf8)
    let source = SourceText(
      name: file.bytes, bytes: try file.contents(limit: PropertyListLimits.size))
    let targets = AppTargets(try XcodeProject(source), folder: path.folder)
    let apps = targets.named("application")
    var extensions = try targets.named("extensionkit-extension").map {
      try targets.part($0, .extensions)
    }
    extensions += try targets.named("app-extension").map { try targets.part($0, .plugIns) }
    // Of several apps, the one with a downloader.
    let embedding = apps.first { app in
      extensions.contains { $0.isDownloader && targets.embeds(app, $0) }
    }
    guard let app = embedding ?? apps.first else {
      throw Finding(
        .xcodeProject, "the project has no target of an application",
        at: SourceLocation(
          source, targets.project.root.range.lowerBound..<targets.project.root.range.lowerBound))
    }
    self.init(
      app: try targets.part(app, .app),
      extensions: extensions.map { part in
        var part = part
        if !targets.embeds(app, part) { part.place = .notEmbedded }
        return part
      })
  }
}

private struct AppTargets {
  let project: XcodeProject
  let folder: BytePath
  private let targets: [PropertyListValue]

  private static let maximumTargets = 200
  private static let maximumList = 1 << 20

  init(_ project: XcodeProject, folder: BytePath) {
    self.project = project
    self.folder = folder
    targets = Array(project.objects(project.root["targets"]).prefix(Self.maximumTargets))
  }

  func named(_ type: String) -> [PropertyListValue] {
    targets.filter { $0["productType"]?.string == "com.apple.product-type." + type }
  }

  /// Whether the app's target copies the product of the extension's.
  func embeds(_ app: PropertyListValue, _ part: AppPart) -> Bool {
    guard let product = targets.first(where: { name($0) == part.name })?["productReference"]?.string
    else { return false }
    return project.objects(app["buildPhases"]).contains { phase in
      phase["isa"]?.string == "PBXCopyFilesBuildPhase"
        && project.objects(phase["files"]).contains { $0["fileRef"]?.string == product }
    }
  }

  private func name(_ target: PropertyListValue) -> String {
    "the target '\(brief(target["name"]?.string ?? ""))'"
  }

  func part(_ target: PropertyListValue, _ place: AppPart.Place) throws -> AppPart {
    let values = SettingValues(
      settings: BuildSettings(of: target, in: project, folder: folder),
      known: [
        "TARGET_NAME": target["name"]?.string ?? "", "SRCROOT": ".", "PROJECT_DIR": ".",
      ])
    func list(_ key: String, isInfo: Bool) throws -> PropertyList? {
      guard let path = values.value(key), !path.isEmpty else { return nil }
      let file = folder.appending(pathOrAbsolute: path)
      return try PropertyList(
        SourceText(name: file.bytes, bytes: try file.contents(limit: Self.maximumList)),
        isInfo: isInfo)
    }
    // Without a file, all keys are those of the target.
    let info =
      try list("INFOPLIST_FILE", isInfo: true)
      ?? PropertyList(
        source: project.source,
        root: PropertyListValue(
          content: .dictionary([]),
          range: target.range.lowerBound..<(target.range.lowerBound + 1)))
    let entitlements = try list("CODE_SIGN_ENTITLEMENTS", isInfo: false)
    var part = AppPart(
      name: name(target), place: place, info: info,
      entitlements: .known(
        entitlements?.root ?? PropertyListValue(content: .dictionary([]), range: 0..<0)))
    part.resolve = { values.resolved($0) }
    part.defaults = [
      "CFBundleIdentifier": "$(PRODUCT_BUNDLE_IDENTIFIER)",
      "CFBundleShortVersionString": "$(MARKETING_VERSION)",
      "CFBundleVersion": "$(CURRENT_PROJECT_VERSION)",
    ]
    for platform in ["IPHONEOS", "TVOS", "XROS"]
    where values.value(platform + "_DEPLOYMENT_TARGET") != nil {
      part.defaults["MinimumOSVersion"] = "$(\(platform)_DEPLOYMENT_TARGET)"
    }
    if values.value("MACOSX_DEPLOYMENT_TARGET") != nil {
      part.defaults["LSMinimumSystemVersion"] = "$(MACOSX_DEPLOYMENT_TARGET)"
    }
    return part
  }
}

/// The values of a target's build settings, with those of other settings in them replaced.
private struct SettingValues {
  let settings: BuildSettings
  let known: [String: String]

  private static let maximumDepth = 16
  private static let maximumSize = 10_000
  private static let maximumSettings = 1000

  /// The value of a setting; nil if it has none, or depends on one that is unknown.
  func value(_ name: String) -> String? {
    var left = Self.maximumSettings
    return value(name, 0, &left)
  }

  private func value(_ name: String, _ depth: Int, _ left: inout Int) -> String? {
    left -= 1
    let words = settings.words(name)
    guard left > 0 else { return nil }
    guard depth < Self.maximumDepth, !words.isEmpty else { return known[name] }
    return resolved(words.joined(separator: " "), depth + 1, &left)
  }

  /// `text` with build settings replaced; nil if one is unknown.
  func resolved(_ text: String) -> String? {
    var left = Self.maximumSettings
    return resolved(text, 0, &left)
  }

  private func resolved(_ text: String, _ depth: Int, _ left: inout Int) -> String? {
    var result = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "$"), result.utf8.count < Self.maximumSize {
      result += rest[..<start]
      rest = rest[rest.index(after: start)...]
      guard let opening = rest.first, opening == "(" || opening == "{" else {
        result += "$"
        continue
      }
      // Modifiers, as in '$(PRODUCT_NAME:rfc1034identifier)', are not evaluated.
      guard let end = rest.firstIndex(of: opening == "(" ? ")" : "}"),
        let value = value(String(rest[rest.index(after: rest.startIndex)..<end]), depth, &left)
      else { return nil }
      result += value
      rest = rest[rest.index(after: end)...]
    }
    return result.utf8.count < Self.maximumSize ? result + rest : nil
  }
}
