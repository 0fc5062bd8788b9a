import BAPackCore

/// Converts the on-demand resources of an app's target: makes a manifest for each tag.
package struct OnDemandConversion: Sendable {
  package struct Pack: Sendable {
    /// The identifier, which is also the file name without its extension.
    package let identifier: String
    package let manifest: [UInt8]
    package let selectors: Int
    package let policy: String
  }

  /// The manifests, sorted by identifier; empty if a finding is an error.
  package let packs: [Pack]
  /// Problems, and settings without an equivalent, with locations in the project.
  package let findings: [Finding]

  /// Converts `target`, or else the only one that has tags, of a project whose paths are relative to
  /// `folder`. `sourceRoot` returns the path from the manifests' folder to a folder; nil if it isn't
  /// UTF-8.
  package init(
    of source: SourceText, in folder: BytePath, target: String?, platforms: [Platform],
    sourceRoot: (BytePath) throws -> String?
  ) {
    do {
      let project = try XcodeProject(source)
      let (target, files) = try Self.target(of: project, target)
      var conversion = try TagConversion(project, target, files, folder)
      packs = try conversion.run(platforms, sourceRoot)
      findings = conversion.findings
    } catch {
      packs = []
      findings = [error]
    }
  }

  /// Targets may share build phases, so the time depends on their product.
  private static let maximumTargets = 1000

  /// The target to convert: the one named `name`, or the only one that has tags.
  private static func target(
    of project: XcodeProject, _ name: String?
  ) throws(Finding) -> (JSONValue, TaggedFiles) {
    var targets: [(value: JSONValue, files: TaggedFiles, reference: Range<Int>)] = []
    var names: [String] = []
    let references = project.references(project.root["targets"])
    guard references.count <= maximumTargets else {
      throw Finding(
        .xcodeProject, "the project has more than \(grouped(maximumTargets)) targets",
        at: SourceLocation(project.source, project.root.range))
    }
    for reference in references {
      guard let id = reference.string, let target = project.object(reference) else { continue }
      let targetName = target["name"]?.string ?? id
      names.append("'\(printable(targetName.utf8))'")
      let files = TaggedFiles(of: target, named: id, in: project)
      // What the project file shows; catalogs may have tags, and findings may be about some.
      let mayHaveTags =
        !files.entries.isEmpty || !files.catalogs.isEmpty || !files.findings.isEmpty
      if name.map({ $0 == targetName }) ?? mayHaveTags {
        targets.append((target, files, reference.range))
      }
    }
    let location = SourceLocation(
      project.source, project.root["targets"]?.range ?? project.root.range)
    guard let first = targets.first else {
      let all = names.isEmpty ? "none" : names.joined(separator: ", ")
      throw Finding(
        .onDemandTarget,
        name.map { "there is no target '\(printable($0.utf8))'" }
          ?? "no target has files with tags",
        at: location, notes: [Note("targets: \(all)")])
    }
    guard targets.count == 1 else {
      throw Finding(
        .onDemandTarget, "\(counted(targets.count, "target")) have files with tags", at: location,
        notes: [Note("choose one: \(names.joined(separator: ", "))")])
    }
    return (first.value, first.files)
  }
}
