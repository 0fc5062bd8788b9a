import BAPackCore

/// The versions that devices have seen, with their contents, recorded across runs, so a version
/// increases if and only if the contents of a pack change.
struct VersionRecords: Sendable {
  let path: BytePath

  /// Assigns the versions of `packs` and records them. Given versions take precedence.
  func decide(
    _ packs: [PackFacts], given: [Int]?, _ waiting: Waiting
  ) throws -> (versions: [Int], warnings: [String]) {
    try path.folder.withLock(waiting) { try decideLocked(packs, given) }
  }

  private func decideLocked(
    _ packs: [PackFacts], _ given: [Int]?
  ) throws -> (versions: [Int], warnings: [String]) {
    let old = try read()
    // Only versions matter here; URLs depend on each request.
    guard let base = try? DownloadBaseURL("https://localhost/assetpacks".utf8) else {
      preconditionFailure("a valid URL")
    }
    var edit = DownloadManifestEdit(
      replacing: DownloadHistory(DownloadManifest(), old), base: base)
    edit.add(packs.enumerated().map { ($1, given?[$0]) }, for: [])
    // A lower version was requested by the user; other errors prevent serving.
    let errors = edit.findings.filter { $0.severity == .error && $0.rule != .downloadVersion }
    guard errors.isEmpty else {
      throw PackagingError(errors.map(\.message).joined(separator: "; "))
    }
    let versions = packs.map { edit.manifest.version(of: $0.identifier) ?? 0 }
    if edit.records.bytes != old.bytes {
      try path.writePrivately(edit.records.bytes)
    }
    let others = edit.findings.filter { $0.severity == .warning && $0.rule != .downloadVersion }
    return (versions, warnings(packs, versions, old) + others.map(\.message))
  }

  private func warnings(
    _ packs: [PackFacts], _ versions: [Int], _ old: ContentsRecords
  ) -> [String] {
    zip(packs, versions).compactMap { pack, version in
      guard let known = old[pack.identifier] else { return nil }
      let name = printable(pack.identifier.utf8)
      if version < known.version {
        return
          "the version of '\(name)' goes down from \(known.version) to \(version): devices that "
          + "have version \(known.version) keep it"
      }
      if version == known.version, pack.contents != known.contents {
        return
          "the contents of '\(name)' changed, but its version is still \(version): devices that "
          + "have it won't download it again"
      }
      return nil
    }
  }

  private func read() throws -> ContentsRecords {
    guard let bytes = try path.contentsIfPresent(limit: JSONDocument.maximumSize) else {
      return ContentsRecords()
    }
    var findings: [Finding] = []
    let document = JSONDocument(reading: SourceText(name: path.bytes, bytes: bytes))
    guard let records = ContentsRecords(document, findings: &findings) else {
      throw PackagingError(
        "'\(path)' contains no versions of packs: \(findings.first?.message ?? "it is not JSON"). Remove "
          + "it to begin anew; devices then keep packs whose version is higher")
    }
    return records
  }
}
