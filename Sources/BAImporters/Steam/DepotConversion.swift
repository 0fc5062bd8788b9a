import BAPackCore

/// Converts a Steam build script to a manifest. The manifest maps the same files to the same
/// destinations as Steam does with the current content root, or the conversion fails; if files
/// added later may differ, there is a warning.
package struct DepotConversion: Sendable {
  /// The manifest; nil if a finding is an error.
  package let manifest: [UInt8]?
  /// Problems, and keys without an equivalent in a manifest, with locations in the script.
  package let findings: [Finding]

  /// The parts of a manifest that a script doesn't contain.
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
      (manifest, findings) = try Self.convert(script, settings, location)
    } catch {
      manifest = nil
      findings = [Finding(.missingRoot, "the content root can't be used: \(error)", at: location)]
    }
  }

  private static func convert(
    _ script: DepotScript, _ settings: Settings, _ location: SourceLocation
  ) throws -> ([UInt8]?, [Finding]) {
    // The manifest as a value with locations in the script, so that findings point there. Its root
    // is the content root relative to the working directory.
    let complete = Manifest(
      source: location.source, assetPackID: Located(settings.assetPackID, at: location),
      downloadPolicy: settings.downloadPolicy, platforms: settings.platforms,
      selectors: [try FileSelector(.directory, Located(".", at: location), at: location)],
      sourceRoot: Located(settings.contentRoot, at: location), embedded: [])
    let root = SourceRoot(of: complete, readFrom: nil, option: nil)
    let all = Selection.resolve(complete, in: root)
    if let missing = all.findings.first(where: { $0.rule == .missingRoot }) {
      return (nil, [missing])
    }
    // Other problems in the tree matter only if a mapping matches them, below.
    let plan = try DepotPlan(script, all.value.files.map(\.source), in: root.path)
    let converted = DepotSelectors(plan)
    var model = complete
    model.selectors = converted.selectors
    var findings = plan.findings + converted.findings
    if !findings.hasErrors {
      let resolved = Selection.resolve(model, in: root)
      findings += resolved.findings
      if !findings.hasErrors {
        findings += differences(resolved.value, plan, location)
        findings += passingErrors(all.findings, of: complete, in: root)
      }
    }
    let manifest = findings.hasErrors ? nil : JSONWriter.bytes(json(model, settings))
    return (manifest, findings.sortedByLocation())
  }

  /// Errors of the first listing that no longer occur, so it may be incomplete. Files that
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
    _ selection: Selection, _ plan: DepotPlan, _ location: SourceLocation
  ) -> [Finding] {
    var left = plan.files
    for file in selection.files {
      guard left.removeValue(forKey: file.destination)?.source == file.source else {
        let message = "'\(file.source)' would be mapped to '\(file.destination)', but not by Steam"
        return [Finding(.depotPath, message, at: location)]
      }
    }
    guard let missed = left.min(by: { $0.key < $1.key }) else { return [] }
    return [
      Finding(
        .depotPath, "'\(missed.value.source)' would be missing, but Steam includes it",
        at: plan.mappings[missed.value.mapping].location)
    ]
  }

  private static func json(_ manifest: Manifest, _ settings: Settings) -> JSONValue {
    .object([
      "assetPackID": settings.assetPackID,
      "downloadPolicy": settings.downloadPolicy,
      "fileSelectors": manifest.selectors.map { selector in
        JSONValue(
          .object(selector.fields.map { JSONMember($0.key, JSONValue($0.path.value)) }))
      },
      "platforms": settings.platforms.map(\.rawValue),
      "sourceRoot": settings.sourceRoot,
      "language": settings.language,
    ])
  }
}
