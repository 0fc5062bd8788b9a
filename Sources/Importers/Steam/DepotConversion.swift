import BAPackCore

/// Converts a Steam build script to a manifest. The manifest maps the same files to the same
/// destinations as Steam does with the current content root, or the conversion fails; if files
/// added later may differ, there is a warning.
package struct DepotConversion: Sendable {
  /// The manifest; nil if a finding is an error.
  package let manifest: [UInt8]?
  /// Problems, and keys without an equivalent in a manifest, with locations in the script.
  package let findings: [Finding]

  /// What a manifest needs but a script doesn't contain.
  package struct Settings: Sendable {
    package var assetPackID: String
    package var downloadPolicy: DownloadPolicy
    /// The platforms of the pack; empty means every platform.
    package var platforms: [Platform]
    /// The language of the pack, a BCP-47 tag.
    package var language: String?
    /// The content root, relative to the working directory.
    package var contentRoot: String
    /// The content root, relative to the manifest's folder.
    package var sourceRoot: String

    package init(
      assetPackID: String, downloadPolicy: DownloadPolicy, platforms: [Platform],
      language: String? = nil, contentRoot: String, sourceRoot: String
    ) {
      (self.assetPackID, self.downloadPolicy) = (assetPackID, downloadPolicy)
      (self.platforms, self.language) = (platforms, language)
      (self.contentRoot, self.sourceRoot) = (contentRoot, sourceRoot)
    }
  }

  package init(of script: DepotScript, _ settings: Settings) {
    let location = script.contentRoot?.location ?? script.location
    do {
      try self.init(of: script, settings, location)
    } catch {
      let message = "the content root can't be used: \(error)"
      self.init(nil, [Finding(.missingRoot, message, at: location)])
    }
  }

  private init(_ manifest: [UInt8]?, _ findings: [Finding]) {
    self.manifest = manifest
    self.findings = findings
  }

  private init(
    of script: DepotScript, _ settings: Settings, _ location: SourceLocation
  ) throws(SystemError) {
    let everything = FileSelector(.directory(Located(".", at: location)), at: location)
    let complete = Self.manifest(settings, [everything], location)
    var model = complete
    let root = SourceRoot(of: model, readFrom: nil, option: nil)
    let all = Selection.resolve(model, in: root)
    if let missing = all.findings.first(where: { $0.rule == .missingRoot }) {
      manifest = nil
      findings = [missing]
      return
    }
    // Other problems in the tree matter only if a mapping matches them, below.
    let tree = all.value.files.map(\.source)
    let plan = try DepotPlan(script, tree, in: root.path)
    let files = DepotFiles(plan.mappings, plan.exclusions, of: tree)
    let converted = DepotSelectors(plan, files, tree)
    model.selectors = converted.selectors
    var findings = plan.findings + converted.findings
    if !findings.hasErrors {
      let resolved = Selection.resolve(model, in: root)
      findings += resolved.findings
      if !findings.hasErrors {
        findings += Self.differences(resolved.value, files, plan, location)
        findings += Self.passingErrors(all.findings, of: complete, in: root)
      }
    }
    manifest = findings.hasErrors ? nil : JSONWriter.bytes(Self.json(model, settings))
    self.findings = findings.sortedByLocation()
  }

  /// The manifest as a value with locations in the script, so that findings point there. Its root
  /// is the content root relative to the working directory.
  private static func manifest(
    _ settings: Settings, _ selectors: [FileSelector], _ location: SourceLocation
  ) -> Manifest {
    Manifest(
      source: location.source, assetPackID: Located(settings.assetPackID, at: location),
      downloadPolicy: settings.downloadPolicy, platforms: settings.platforms, selectors: selectors,
      sourceRoot: Located(settings.contentRoot, at: location), embedded: [])
  }

  /// Errors of the first listing that no longer occur, so that it may be incomplete. Files that
  /// can't be read either time are not selected.
  private static func passingErrors(
    _ errors: [Finding], of manifest: Manifest, in root: SourceRoot
  ) -> [Finding] {
    let unreadable = errors.filter { $0.rule == .unreadableFile }
    if unreadable.isEmpty { return [] }
    let now = Set(Selection.resolve(manifest, in: root).findings.map(\.message))
    return unreadable.filter { !now.contains($0.message) }
  }

  /// Files on which the manifest and Steam differ: none, unless the conversion has a bug.
  private static func differences(
    _ selection: Selection, _ files: DepotFiles, _ plan: DepotPlan, _ location: SourceLocation
  ) -> [Finding] {
    var left = files.files
    for file in selection.files {
      guard left.removeValue(forKey: file.destination)?.source == file.source else {
        return [
          Finding(
            .depotPath,
            "'\(file.source)' would be mapped to '\(file.destination)', but not by Steam",
            at: location)
        ]
      }
    }
    guard let missed = left.min(by: { $0.key < $1.key }) else { return [] }
    return [
      Finding(
        .depotPath, "'\(missed.value.source)' would be missing, but Steam includes it",
        at: plan.mappings[missed.value.mapping].location)
    ]
  }
}

extension DepotConversion {
  private static func json(_ manifest: Manifest, _ settings: Settings) -> JSONValue {
    .object([
      "assetPackID": settings.assetPackID,
      "downloadPolicy": settings.downloadPolicy,
      "fileSelectors": manifest.selectors.map(json),
      "platforms": settings.platforms.map(\.rawValue),
      "sourceRoot": settings.sourceRoot,
      "language": settings.language,
    ])
  }

  private static func json(_ selector: FileSelector) -> JSONValue {
    switch selector.kind {
    case .file(let path): ["file": JSONValue(path.value)]
    case .directory(let path): ["directory": JSONValue(path.value)]
    case .filePattern(let pattern): ["filePattern": JSONValue(pattern.value)]
    case .fileMapping(let source, let destination):
      ["fileSource": JSONValue(source.value), "fileDestination": JSONValue(destination.value)]
    case .directoryMapping(let source, let destination):
      [
        "directorySource": JSONValue(source.value),
        "directoryDestination": JSONValue(destination.value),
      ]
    case .fileExclusion(let path): ["fileExclusion": JSONValue(path.value)]
    }
  }
}
