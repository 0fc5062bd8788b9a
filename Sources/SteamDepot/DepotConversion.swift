import BAPackCore

/// Makes a manifest of a Steam build script. The manifest takes the same files to the same places as
/// Steam would from the content root as it is now, or the conversion fails; where it might not do so
/// for files that come later, a warning says it.
public struct DepotConversion: Sendable {
  /// The manifest; nil where a finding is an error.
  public let manifest: [UInt8]?
  /// What is wrong, and what has no counterpart, with the lines of the script.
  public let findings: [Finding]

  /// What a script does not say.
  public struct Settings: Sendable {
    /// The identifier of the pack.
    public var assetPackID: String
    /// When a device downloads the pack.
    public var downloadPolicy: DownloadPolicy
    /// The platforms of the pack; none for every platform.
    public var platforms: [Platform]
    /// The language of the pack, a BCP-47 tag.
    public var language: String?
    /// The content root, as seen from the working directory.
    public var contentRoot: String
    /// The content root as the manifest says it: relative to the manifest's folder.
    public var sourceRoot: String

    /// Settings with no language.
    public init(
      assetPackID: String, downloadPolicy: DownloadPolicy, platforms: [Platform],
      language: String? = nil, contentRoot: String, sourceRoot: String
    ) {
      self.assetPackID = assetPackID
      self.downloadPolicy = downloadPolicy
      self.platforms = platforms
      self.language = language
      self.contentRoot = contentRoot
      self.sourceRoot = sourceRoot
    }
  }

  /// Converts `script` against the files below the content root.
  public init(of script: DepotScript, _ settings: Settings) {
    let location = script.contentRoot?.location ?? script.location
    let everything = Selector(.directory(Located(".", at: location)), at: location)
    var model = Self.manifest(settings, [everything], location)
    let root = SourceRoot(of: model, readFrom: nil, option: nil)
    let all = Selection.resolve(model, in: root)
    if let missing = all.findings.first(where: { $0.rule == .missingRoot }) {
      manifest = nil
      findings = [missing]
      return
    }
    // What else is wrong in the tree counts only where a mapping meets it, below.
    let tree = all.value.files.map(\.source)
    let plan = DepotPlan(script, tree, in: root.path)
    let files = DepotFiles(plan.mappings, plan.exclusions, of: tree)
    let converted = DepotSelectors(plan, files, tree)
    model.selectors = converted.selectors
    var findings = plan.findings + converted.findings
    if !findings.hasErrors {
      let resolved = Selection.resolve(model, in: root)
      findings += resolved.findings
      if !findings.hasErrors {
        findings += Self.differences(resolved.value, files, plan, location)
      }
    }
    manifest = findings.hasErrors ? nil : JSONWriter.bytes(Self.json(model, settings))
    self.findings = findings.inOrderOfText()
  }

  /// The manifest as a value whose parts stand in the script, so that what is found about them points
  /// there. Its root is where the content root is seen from here.
  private static func manifest(
    _ settings: Settings, _ selectors: [Selector], _ location: SourceLocation
  ) -> Manifest {
    Manifest(
      source: location.source, assetPackID: Located(settings.assetPackID, at: location),
      downloadPolicy: settings.downloadPolicy, platforms: settings.platforms, selectors: selectors,
      sourceRoot: Located(settings.contentRoot, at: location), embedded: [])
  }

  /// Files that the manifest and Steam don't agree on: none, unless a rule of one of them is not
  /// what this program takes it for.
  private static func differences(
    _ selection: Selection, _ files: DepotFiles, _ plan: DepotPlan, _ location: SourceLocation
  ) -> [Finding] {
    var left = files.files
    for file in selection.files {
      guard left.removeValue(forKey: file.destination)?.source == file.source else {
        return [
          Finding(
            .depotPath,
            "'\(file.source)' would come to '\(file.destination)', where Steam does not put it",
            at: location)
        ]
      }
    }
    guard let missed = left.min(by: { $0.key < $1.key }) else { return [] }
    return [
      Finding(
        .depotPath, "'\(missed.value.source)' would not be taken, and Steam takes it",
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

  private static func json(_ selector: Selector) -> JSONValue {
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
