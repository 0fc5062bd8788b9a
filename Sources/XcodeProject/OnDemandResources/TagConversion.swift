import BAPackCore

/// Converts the tagged files of a target to manifests.
struct TagConversion {
  private let source: SourceText
  let project: XcodeProject
  let target: PropertyListValue
  let files: TaggedFiles
  let settings: OnDemandConversion.Settings
  let buildSettings: BuildSettings
  /// The folder that selectors are relative to, and the project's folder relative to it.
  let root: BytePath
  let folder: String
  var findings: [Finding]
  /// The paths relative to the root, by tag.
  var paths: [String: [RelativePath: Kind]] = [:]

  enum Kind { case file, directory }

  init(
    _ project: XcodeProject, _ target: PropertyListValue, _ files: TaggedFiles,
    _ settings: OnDemandConversion.Settings
  ) throws(Finding) {
    self.project = project
    self.target = target
    self.files = files
    self.settings = settings
    source = project.source
    buildSettings = BuildSettings(of: target, in: project, folder: settings.folder)
    findings = project.findings + files.findings
    let all = (files.entries + files.catalogues).map(\.path) + files.folders
    (root, folder) = try Self.root(of: all, settings.folder, source)
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
    let resolved = try mapping(
      { Finding(.onDemandPath, "\($0 as SystemError)", at: nil) }, folder.resolved())
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
    switch self.kind(of: path) {
    case .file?: kind = .file
    case .directory?: kind = .directory
    default:
      findings.append(
        Finding(
          .onDemandPath, "there is no file '\(shown)'", at: entry.location,
          notes: [Note("paths are relative to the project's folder, '\(settings.folder)'")]))
      return
    }
    for tag in entry.tags { paths[tag, default: [:]][path] = kind }
  }

  /// The kind of file at `path`, following links; nil if there is none, or if its status can't be
  /// read, which is reported.
  mutating func kind(of path: RelativePath) -> FileKind? {
    let full = root.appending(path.bytes)
    do throws(SystemError) {
      return try FileStatus.ifPresent(full).map { (_) throws(SystemError) in
        try FileStatus.following(full).kind
      }
    } catch {
      if error.code != .noSuchFile {
        findings.append(Finding(.unreadableFile, error.description, at: nil))
      }
      return nil
    }
  }

  func relativePath(_ path: String) -> RelativePath? {
    var text = path
    if path.hasPrefix("/") {
      // A root that can't be resolved has been reported.
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

  // MARK: Policies and packs

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
    let sourceRoot = try mapping(
      { Finding(.onDemandPath, "\($0 as SystemError)", at: nil) }, settings.sourceRoot(root))
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

  mutating func report(_ rule: Rule, _ message: String, _ location: SourceLocation?) {
    findings.append(Finding(rule, message, at: location))
  }

  /// The location of `range` in the project.
  func location(_ range: Range<Int>) -> SourceLocation { SourceLocation(source, range) }
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
