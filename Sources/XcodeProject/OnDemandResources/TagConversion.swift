import BAPackCore

/// Turns the tagged files of a target into manifests.
struct TagConversion {
  private let source: SourceText
  private let project: XcodeProject
  private let target: PropertyListValue
  private let files: TaggedFiles
  private let settings: OnDemandConversion.Settings
  private let buildSettings: BuildSettings
  /// The folder that selectors start from, and the project's folder below it.
  private let root: BytePath
  private let folder: String
  private(set) var findings: [Finding]
  /// The paths below the root, by tag.
  private var paths: [String: [RelativePath: Kind]] = [:]

  private enum Kind { case file, directory }

  private static let initialKey = "ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS"
  private static let prefetchKey = "ON_DEMAND_RESOURCES_PREFETCH_ORDER"

  init(
    _ project: XcodeProject, _ target: PropertyListValue, _ files: TaggedFiles,
    _ settings: OnDemandConversion.Settings
  ) throws(Finding) {
    self.project = project
    self.target = target
    self.files = files
    self.settings = settings
    source = project.source
    buildSettings = BuildSettings(of: target, in: project)
    findings = project.findings + files.findings
    let all = (files.entries + files.catalogues).map(\.path) + files.folders
    (root, folder) = try Self.root(of: all, settings.folder, source)
  }

  /// The deepest folder that the project's folder and all relative `paths` are in, and the path from
  /// it to the project's folder.
  private static func root(
    of paths: [String], _ folder: BytePath, _ source: SourceText
  ) throws(Finding) -> (BytePath, String) {
    let climbs =
      paths.filter { !$0.hasPrefix("/") }
      .map { $0.split(separator: "/").prefix { $0 == ".." }.count }.max() ?? 0
    if climbs == 0 { return (folder, "") }
    let resolved: BytePath
    do throws(SystemError) {
      resolved = try folder.resolved()
    } catch {
      throw Finding(.onDemandPath, error.description, at: nil)
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

  mutating func run() throws(Finding) -> [OnDemandConversion.Pack] {
    for entry in files.entries { add(entry) }
    for catalogue in files.catalogues { read(catalogue.path, at: catalogue.location) }
    for folder in files.folders { findCatalogues(below: folder) }
    let policies = policies()
    reportSeveralTags()
    let packs = try packs(policies)
    findings = findings.sortedByLocation()
    if packs.isEmpty, !findings.hasErrors {
      findings.append(
        Finding(.onDemandTarget, "no file with a tag can be packaged", at: nil))
    }
    return findings.hasErrors ? [] : packs
  }

  // MARK: Files

  private mutating func add(_ entry: TaggedFiles.Entry) {
    let shown = printable(entry.path.utf8)
    if let remedy = compiledRemedy(entry.path) {
      if !entry.path.hasSuffix(".xcassets") {
        findings.append(
          Finding(
            .onDemandCompiled, "'\(shown)' is left out: Xcode compiles it", at: entry.location,
            notes: [Note(remedy)]))
      }
      return
    }
    guard let path = relativePath(entry.path) else {
      findings.append(
        Finding(
          .onDemandPath, "'\(shown)' is not below the project's folder or one above it",
          at: entry.location))
      return
    }
    let kind: Kind
    switch (try? FileStatus.following(root.appending(path.bytes)))?.kind {
    case .file: kind = .file
    case .directory: kind = .directory
    default:
      findings.append(
        Finding(
          .onDemandPath, "there is no file '\(shown)'", at: entry.location,
          notes: [Note("paths are relative to the project's folder, '\(settings.folder)'")]))
      return
    }
    for tag in entry.tags { paths[tag, default: [:]][path] = kind }
  }

  private func relativePath(_ path: String) -> RelativePath? {
    var text = path
    if path.hasPrefix("/") {
      guard let top = try? root.resolved(),
        let rest = path.utf8.starts(with: top.bytes + [ASCII.slash])
          ? String(path.utf8.dropFirst(top.bytes.count + 1)) : nil
      else { return nil }
      text = rest
    } else {
      text = joined(folder, path)
    }
    return text.isEmpty ? nil : RelativePath(text.utf8)
  }

  /// What to do about a kind of file that Xcode compiles; nil for others.
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

  // MARK: Catalogues

  private mutating func findCatalogues(below folder: String) {
    guard let path = relativePath(folder) ?? (joined(self.folder, folder).isEmpty ? .root : nil)
    else { return }
    var folders = [path]
    while let next = folders.popLast() {
      let full = root.appending(next.bytes)
      guard let names = try? FileDescriptor.directory(full).names(of: full) else { continue }
      for name in names where name.first != ASCII.dot {
        let child = next.appending(name)
        guard (try? FileStatus.notFollowing(root.appending(child.bytes)))?.kind == .directory else {
          continue
        }
        if name.suffix(9).elementsEqual(".xcassets".utf8) {
          read(child)
        } else {
          folders.append(child)
        }
      }
    }
  }

  private mutating func read(_ path: String, at location: SourceLocation) {
    guard let path = relativePath(path),
      (try? FileStatus.following(root.appending(path.bytes)))?.kind == .directory
    else {
      findings.append(
        Finding(
          .onDemandPath, "there is no asset catalogue '\(printable(path.utf8))'", at: location))
      return
    }
    read(path)
  }

  private mutating func read(_ path: RelativePath) {
    let catalogue = AssetCatalogue(at: path, below: root)
    findings += catalogue.findings
    for asset in catalogue.assets {
      let files = asset.dataFiles.compactMap { name in
        RelativePath(name.utf8).map { asset.path.appending($0.bytes) }
      }.filter { (try? FileStatus.following(root.appending($0.bytes)))?.kind == .file }
      for tag in asset.tags {
        for file in files { paths[tag, default: [:]][file] = .file }
      }
      let tags = asset.tags.map { "'\(printable($0.utf8))'" }.joined(separator: ", ")
      findings.append(
        Finding(
          .onDemandCatalogue,
          files.isEmpty
            ? "'\(asset.path)' is left out of \(tags): assets of a catalogue are compiled into the app"
            : "'\(asset.path)' becomes the file '\(files[0])', which the app must read by its path",
          at: asset.location,
          notes: files.isEmpty
            ? [Note("move its pictures into a folder, and load them by their paths")] : []))
    }
  }

  // MARK: Policies and packs

  private mutating func policies() -> [String: DownloadPolicy] {
    let initial = buildSettings.words(Self.initialKey)
    let prefetched = buildSettings.words(Self.prefetchKey)
    findings += buildSettings.findings(Self.initialKey) + buildSettings.findings(Self.prefetchKey)
    if buildSettings.words("ENABLE_ON_DEMAND_RESOURCES").first?.uppercased() == "NO" {
      report(
        .onDemandSettings, "On-Demand Resources are disabled in this target",
        buildSettings.range("ENABLE_ON_DEMAND_RESOURCES"))
    }
    for file in buildSettings.files { checkSettings(file) }
    let events = InstallationEventType.allCases
    var policies: [String: DownloadPolicy] = [:]
    for tag in prefetched { policies[tag] = .prefetch(events) }
    for tag in initial { policies[tag] = .essential(events) }
    for (key, words) in [(Self.initialKey, initial), (Self.prefetchKey, prefetched)] {
      for tag in words where paths[tag] == nil && !tag.contains("$") {
        report(
          .onDemandTag, "the tag '\(printable(tag.utf8))' in \(key) has no files to package",
          buildSettings.range(key))
      }
    }
    let used = prefetched.filter { paths[$0] != nil && !initial.contains($0) }
    if used.count > 1 {
      report(
        .onDemandOrder,
        "packs have no order: '\(printable(used[1].utf8))' may be downloaded before "
          + "'\(printable(used[0].utf8))'", buildSettings.range(Self.prefetchKey))
    }
    // A tag whose files are missing is reported with them.
    if !findings.hasErrors { reportUnusedTags(initial + prefetched) }
    return policies
  }

  private mutating func reportUnusedTags(_ reported: [String]) {
    for tag in project.root["attributes"]?["KnownAssetTags"]?.array ?? [] {
      guard let name = tag.string, paths[name] == nil, !reported.contains(name) else { continue }
      report(
        .onDemandTag, "the tag '\(printable(name.utf8))' has no files to package in this target",
        tag.range)
    }
  }

  private mutating func checkSettings(_ file: XcodeProject.File) {
    guard let path = relativePath(file.path),
      let text = try? root.appending(path.bytes).contents(limit: 1 << 20),
      String(decoding: text, as: UTF8.self).contains("ON_DEMAND_RESOURCES_")
    else { return }
    report(
      .onDemandSettings,
      "'\(printable(file.path.utf8))' has settings of On-Demand Resources, which are not read",
      file.range)
  }

  private mutating func reportSeveralTags() {
    var tags: [RelativePath: [String]] = [:]
    for (tag, files) in paths { for path in files.keys { tags[path, default: []].append(tag) } }
    let several = tags.filter { $0.value.count > 1 }
    guard let first = several.min(by: { $0.key < $1.key }) else { return }
    let rest = several.count - 1
    let names = first.value.sorted().map { "'\(printable($0.utf8))'" }.joined(separator: ", ")
    findings.append(
      Finding(
        .onDemandSeveralTags,
        rest == 0
          ? "'\(first.key)' has several tags, \(names), and is in the pack of each"
          : "'\(first.key)' (\(names)) and \(counted(rest, "more file")) have several tags, and are in "
            + "the pack of each", at: nil))
  }

  private mutating func packs(
    _ policies: [String: DownloadPolicy]
  ) throws(Finding) -> [OnDemandConversion.Pack] {
    let sourceRoot: String?
    do throws(SystemError) {
      sourceRoot = try settings.sourceRoot(root)
    } catch {
      throw Finding(.onDemandPath, error.description, at: nil)
    }
    guard let sourceRoot else {
      throw Finding(
        .onDemandPath, "the path of the project's folder '\(settings.folder)' is not UTF-8", at: nil
      )
    }
    var packs: [OnDemandConversion.Pack] = []
    var known: Set<String> = []
    for tag in paths.keys.sorted() {
      let identifier = identifier(of: tag, &known)
      let selectors: [JSONValue] = (paths[tag] ?? [:]).sorted { $0.key < $1.key }.map {
        path, kind in
        let text = JSONValue(String(decoding: path.bytes, as: UTF8.self))
        return kind == .file ? ["file": text] : ["directory": text]
      }
      let policy = policies[tag] ?? .onDemand
      let manifest: JSONValue = .object([
        "assetPackID": identifier,
        "downloadPolicy": policy,
        "fileSelectors": selectors,
        "platforms": settings.platforms.map(\.rawValue),
        "sourceRoot": sourceRoot,
      ])
      packs.append(
        OnDemandConversion.Pack(
          identifier: identifier, manifest: JSONWriter.bytes(manifest), selectors: selectors.count,
          policy: policy.name))
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

  private mutating func report(_ rule: Rule, _ message: String, _ range: Range<Int>?) {
    findings.append(
      Finding(rule, message, at: range.map { SourceLocation(source, $0) }))
  }
}

extension DownloadPolicy {
  fileprivate var name: String {
    switch self {
    case .essential: "essential"
    case .prefetch: "prefetch"
    case .onDemand: "onDemand"
    }
  }
}
