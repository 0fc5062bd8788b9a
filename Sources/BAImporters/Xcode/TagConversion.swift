import BAPackCore

struct TagConversion {
  private let project: XcodeProject
  private let files: TaggedFiles
  private let projectFolder: BytePath
  private let buildSettings: BuildSettings
  /// The folder that selectors are relative to, and the project's folder relative to it.
  private let root: BytePath
  private let folder: String
  private(set) var findings: [Finding] = []
  /// The number of findings of a severity that may be added.
  private var left: [Severity: Int] = [:]
  /// The paths relative to the root, by tag.
  private var paths: [String: [RelativePath: FileKind]] = [:]
  private var selectors = 0
  /// The maximum number of selectors of all packs: a group of files shares its tags.
  private static let maximumSelectors = 250_000
  /// App Store Connect accepts 200 for an app.
  private static let maximumPacks = 1000

  init(
    _ project: XcodeProject, _ target: JSONValue, _ files: TaggedFiles,
    _ projectFolder: BytePath
  ) throws(Finding) {
    self.project = project
    self.files = files
    self.projectFolder = projectFolder
    buildSettings = BuildSettings(of: target, in: project, folder: projectFolder)
    let all = (files.entries + files.catalogs).map(\.path) + files.folders
    (root, folder) = try Self.root(of: all, projectFolder, project.source)
    for finding in project.findings + files.findings { report(finding) }
  }

  /// The deepest folder that contains the project's folder and all relative `paths`, and the path
  /// from it to the project's folder.
  private static func root(
    of paths: [String], _ folder: BytePath, _ source: SourceText
  ) throws(Finding) -> (BytePath, String) {
    let climbs =
      paths.filter { !$0.hasPrefix("/") }
      .map { $0.split(separator: "/").prefix { $0 == ".." }.count }.max() ?? 0
    if climbs == 0 { return (folder, "") }
    let resolved: BytePath
    do { resolved = try folder.resolved() } catch {
      throw Finding(.onDemandPath, "\(error)", at: nil)
    }
    let parts = resolved.bytes.split(separator: ASCII.slash)
    guard climbs <= parts.count,
      let rest = String(
        validating: parts.suffix(climbs).joined(separator: [ASCII.slash]), as: UTF8.self)
    else {
      throw Finding(
        .onDemandPath, "the paths of the project lead out of the file system, or are not UTF-8",
        at: SourceLocation(source, 0..<0))
    }
    let up = Array(repeating: Array("..".utf8), count: climbs).joined(separator: [ASCII.slash])
    return (folder.appending(Array(up)), rest)
  }

  mutating func run(
    _ platforms: [Platform], _ sourceRoot: (BytePath) throws -> String?
  ) throws(Finding) -> [OnDemandConversion.Pack] {
    for entry in files.entries { add(entry) }
    for catalog in files.catalogs { read(catalog.path, at: catalog.location) }
    for folder in files.folders { findCatalogs(below: folder) }
    guard paths.count <= Self.maximumPacks else {
      throw Finding(
        .onDemandTag, severity: .error,
        "\(grouped(paths.count)) tags have files; at most \(grouped(Self.maximumPacks)) packs can be made",
        at: nil)
    }
    let policies = policies()
    reportSeveralTags()
    let packs = try packs(policies, platforms, sourceRoot)
    if packs.isEmpty, !findings.hasErrors {
      report(.onDemandTarget, "no file with a tag can be packaged", nil)
    }
    findings = findings.sortedByLocation()
    return findings.hasErrors ? [] : packs
  }

  // MARK: Files

  private mutating func add(_ entry: TaggedFiles.Entry) {
    let shown = printable(entry.path.utf8)
    if let remedy = compiledRemedy(entry.path) {
      if !entry.path.hasSuffix(".xcassets") {
        report(
          .onDemandCompiled, "'\(shown)' is left out: Xcode compiles it", entry.location,
          note: remedy)
      }
      return
    }
    guard let path = relativePath(entry.path) else {
      return report(
        .onDemandPath, "'\(shown)' is not below the project's folder or one above it",
        entry.location)
    }
    guard let kind = kind(of: path), [.file, .directory].contains(kind) else {
      return report(
        .onDemandPath, "there is no file '\(shown)'", entry.location,
        note: "paths are relative to the project's folder, '\(projectFolder)'")
    }
    select(path, kind, tags: entry.tags, at: entry.location)
  }

  private mutating func select(
    _ path: RelativePath, _ kind: FileKind, tags: [String], at location: SourceLocation
  ) {
    for tag in tags {
      selectors += 1
      guard selectors <= Self.maximumSelectors else {
        return report(
          .onDemandTag, severity: .error,
          "the packs would have more than \(grouped(Self.maximumSelectors)) selectors", location)
      }
      paths[tag, default: [:]][path] = kind
    }
  }

  /// The kind of file at `path`, following links; nil if there is none, or if its status can't be
  /// read, which is reported.
  private mutating func kind(of path: RelativePath) -> FileKind? {
    let full = root.appending(path.bytes)
    do {
      return try FileStatus.ifPresent(full).map { _ in try FileStatus.following(full).kind }
    } catch {
      reportUnlessMissing(error)
      return nil
    }
  }

  private mutating func reportUnlessMissing(_ error: any Error) {
    if (error as? SystemError)?.code != .noSuchFile { report(.unreadableFile, "\(error)", nil) }
  }

  private func relativePath(_ path: String) -> RelativePath? {
    var text = path
    if path.hasPrefix("/") {
      // A root that can't be resolved has been reported.
      guard let top = try? root.resolved(), path.utf8.starts(with: top.bytes + [ASCII.slash]),
        let rest = String(path.utf8.dropFirst(top.bytes.count + 1))
      else { return nil }
      text = rest
    } else {
      text = joined(folder, path)
    }
    return text.isEmpty ? nil : RelativePath(text.utf8)
  }

  /// A remedy for a type of file that Xcode compiles; nil for other types.
  private func compiledRemedy(_ path: String) -> String? {
    switch path.split(separator: ".").last.map({ $0.lowercased() }) {
    case "xcassets", "atlas", "spriteatlas":
      "compile it in a build step and select the result, or load the pictures by their paths"
    case "mlmodel", "mlpackage": "select the .mlmodelc folder that 'xcrun coremlc compile' makes"
    case "scnassets": "select the folder that 'xcrun scntool' makes"
    case "metal": "select the .metallib file that 'xcrun metal' makes"
    case "xcdatamodeld", "xcdatamodel": "select the .momd folder that 'xcrun momc' makes"
    case "storyboard", "xib": "leave it in the app: code and nib files can't be downloaded"
    default: nil
    }
  }

  // MARK: Catalogs

  /// Reads the asset catalogs in a folder whose files aren't listed in the project.
  private mutating func findCatalogs(below folder: String) {
    guard let path = relativePath(folder) ?? (joined(self.folder, folder).isEmpty ? .root : nil)
    else { return }
    var folders = [path]
    let excluded = Set(files.excluded.compactMap(relativePath))
    while let next = folders.popLast() {
      do {
        let children = try root.appending(next.bytes).subfolders().map { next.appending($0) }
        for child in children where !excluded.contains(child) {
          if child.name.suffix(9).elementsEqual(".xcassets".utf8) {
            read(child)
          } else {
            folders.append(child)
          }
        }
      } catch {
        reportUnlessMissing(error)
      }
    }
  }

  private mutating func read(_ path: String, at location: SourceLocation) {
    guard let path = relativePath(path), kind(of: path) == .directory else {
      report(.onDemandPath, "there is no asset catalog '\(printable(path.utf8))'", location)
      return
    }
    read(path)
  }

  private mutating func read(_ path: RelativePath) {
    let catalog = AssetCatalog(at: path, below: root)
    for finding in catalog.findings { report(finding) }
    for asset in catalog.assets {
      let files = asset.dataFiles.compactMap { name in
        RelativePath(name.utf8).map { asset.path.appending($0.bytes) }
      }.filter { kind(of: $0) == .file }
      for file in files { select(file, .file, tags: asset.tags, at: asset.location) }
      if let file = files.first {
        report(
          .onDemandCatalog,
          "'\(asset.path)' becomes the file '\(file)', which the app must read by its path",
          asset.location)
      } else {
        report(
          .onDemandCatalog,
          "'\(asset.path)' is left out of \(named(asset.tags)): assets of a catalog are compiled "
            + "into the app", asset.location,
          note: "move its pictures into a folder, and load them by their paths")
      }
    }
  }

  // MARK: Policies

  private static let initialKey = "ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS"
  private static let prefetchKey = "ON_DEMAND_RESOURCES_PREFETCH_ORDER"

  /// The download policies of tags that are in the build settings.
  private mutating func policies() -> [String: DownloadPolicy] {
    let initial = buildSettings.words(Self.initialKey)
    let prefetched = buildSettings.words(Self.prefetchKey)
    for finding in buildSettings.fileFindings + buildSettings.findings(Self.initialKey)
      + buildSettings.findings(Self.prefetchKey)
    {
      report(finding)
    }
    if buildSettings.words("ENABLE_ON_DEMAND_RESOURCES").first?.uppercased() == "NO" {
      report(
        .onDemandSettings, "On-Demand Resources are disabled in this target",
        buildSettings.location("ENABLE_ON_DEMAND_RESOURCES"))
    }
    let events = InstallationEventType.known
    var policies: [String: DownloadPolicy] = [:]
    for tag in prefetched { policies[tag] = .prefetch(events) }
    for tag in initial { policies[tag] = .essential(events) }
    for (key, words) in [(Self.initialKey, initial), (Self.prefetchKey, prefetched)] {
      for tag in words where paths[tag] == nil && !tag.contains("$") {
        report(
          .onDemandTag, "the tag '\(printable(tag.utf8))' in \(key) has no files to package",
          buildSettings.location(key))
      }
    }
    let used = prefetched.filter { paths[$0] != nil && policies[$0] == .prefetch(events) }
    if let first = used.first, let second = used.first(where: { $0 != first }) {
      report(
        .onDemandOrder,
        "packs have no order: '\(printable(second.utf8))' may be downloaded before "
          + "'\(printable(first.utf8))'", buildSettings.location(Self.prefetchKey))
    }
    // A tag whose files are missing is reported with them.
    if !findings.hasErrors { reportUnusedTags(Set(initial + prefetched)) }
    return policies
  }

  private mutating func reportUnusedTags(_ reported: Set<String>) {
    for tag in project.root["attributes"]?["KnownAssetTags"]?.array ?? [] {
      guard let name = tag.string, paths[name] == nil, !reported.contains(name) else { continue }
      report(
        .onDemandTag, "the tag '\(printable(name.utf8))' has no files to package in this target",
        SourceLocation(project.source, tag.range))
    }
  }

  // MARK: Packs

  private mutating func reportSeveralTags() {
    var tags: [RelativePath: [String]] = [:]
    for (tag, files) in paths { for path in files.keys { tags[path, default: []].append(tag) } }
    let several = tags.filter { $0.value.count > 1 }
    guard let first = several.min(by: { $0.key < $1.key }) else { return }
    let rest = several.count - 1
    let names = named(first.value.sorted())
    report(
      .onDemandSeveralTags,
      rest == 0
        ? "'\(first.key)' has several tags, \(names), and is in the pack of each"
        : "'\(first.key)' (\(names)) and \(counted(rest, "more file")) have several tags, and are in "
          + "the pack of each", nil)
  }

  private mutating func packs(
    _ policies: [String: DownloadPolicy], _ platforms: [Platform],
    _ sourceRoot: (BytePath) throws -> String?
  ) throws(Finding) -> [OnDemandConversion.Pack] {
    let found: String?
    do { found = try sourceRoot(root) } catch {
      throw Finding(.onDemandPath, "\(error)", at: nil)
    }
    guard let sourceRoot = found else {
      throw Finding(
        .onDemandPath, "the path of the project's folder '\(projectFolder)' is not UTF-8", at: nil)
    }
    var packs: [OnDemandConversion.Pack] = []
    var known: Set<String> = []
    for tag in paths.keys.sorted() {
      let identifier = identifier(of: tag, &known)
      let selectors = (paths[tag] ?? [:]).sorted { $0.key < $1.key }.map { path, kind in
        JSONValue.object([
          kind == .file ? "file" : "directory": String(decoding: path.bytes, as: UTF8.self)
        ])
      }
      let policy = policies[tag] ?? .onDemand
      let manifest: JSONValue = .object([
        "assetPackID": identifier,
        "downloadPolicy": policy,
        "fileSelectors": selectors,
        "platforms": platforms.map(\.rawValue),
        "sourceRoot": sourceRoot,
      ])
      packs.append(
        OnDemandConversion.Pack(
          identifier: identifier, manifest: JSONWriter.bytes(manifest), selectors: selectors.count,
          policy: policy.kind.rawValue))
    }
    return packs
  }

  private mutating func identifier(of tag: String, _ known: inout Set<String>) -> String {
    let identifier = AssetPackIdentifier.make(from: tag, except: &known)
    if identifier != tag {
      report(
        .onDemandTag, "the pack of the tag '\(printable(tag.utf8))' is called '\(identifier)'", nil)
    }
    return identifier
  }

  private mutating func report(
    _ rule: Rule, severity: Severity? = nil, _ message: String, _ location: SourceLocation?,
    note: String? = nil
  ) {
    report(
      Finding(
        rule, severity: severity, message, at: location, notes: note.map { [Note($0)] } ?? []))
  }

  /// Adds a finding, up to a maximum of each severity.
  private mutating func report(_ finding: Finding) {
    left[finding.severity, default: [Finding].limit] -= 1
    if left[finding.severity, default: 0] >= 0 { findings.append(finding) }
  }
}

/// `'a', 'b'`, with the number of the others if there are many.
private func named(_ tags: [String]) -> String {
  let names = tags.prefix(8).map { "'\(printable($0.utf8))'" }.joined(separator: ", ")
  return tags.count > 8 ? names + " and \(grouped(tags.count - 8)) more" : names
}
