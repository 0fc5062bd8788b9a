extension Pack {
  /// The embedded manifest and what is wrong with it; an error where there is none, or where it is
  /// not JSON.
  public func decodedManifest() throws(ArchiveError) -> Checked<Manifest?> {
    try mapping(input.error, embeddedManifest())
  }

  /// The same for who knows which pack it is about.
  func embeddedManifest() throws(ArchiveDamage) -> Checked<Manifest?> {
    guard let manifest else { throw .noManifest }
    return try decodeEmbeddedManifest(manifest, of: path)
  }

  /// The embedded manifest, if it can be decoded, and what is wrong with it.
  func manifestWithRemark() -> (Manifest?, remark: String?) {
    do throws(ArchiveDamage) {
      let decoded = try embeddedManifest()
      let error = decoded.findings.first { $0.severity == .error }
      return (decoded.value, error.map { "embedded manifest: \($0.message)" })
    } catch {
      return (nil, error.message)
    }
  }
}

/// Decodes the manifest that stands in the pack at `path`.
///
/// Apple's 1.2 embeds what its author wrote, comments and all; 2.0 embeds a manifest of its own. So
/// JSON5 is taken, and a key that nobody knows is no more than a warning.
package func decodeEmbeddedManifest(
  _ bytes: [UInt8], of path: BytePath
) throws(ArchiveDamage) -> Checked<Manifest?> {
  let source = SourceText(name: path.bytes + "/Manifest.json".utf8, bytes: bytes)
  let document = JSONDocument(reading: source)
  guard document.isWellFormed else {
    let finding = document.findings.first
    let place = (finding?.location?.start).map { " (line \($0.line), column \($0.column))" } ?? ""
    throw ArchiveDamage(
      .manifestNotJSON,
      "the embedded manifest is not JSON" + (finding.map { ": \($0.message)\(place)" } ?? ""),
      at: ArchivePlace(path: RelativePath.manifest.bytes))
  }
  let decoded = ManifestDecoder.decode(source)
  let findings = decoded.findings.map { finding in
    var finding = finding
    if finding.rule == .unknownKey { finding.severity = .warning }
    return finding
  }
  return Checked(decoded.value, findings: findings)
}
