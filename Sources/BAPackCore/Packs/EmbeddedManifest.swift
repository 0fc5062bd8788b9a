extension PackIndex {
  /// The embedded manifest and its findings. Throws if it is missing or isn't JSON.
  ///
  /// - Throws: ``ArchiveDamage`` in both cases.
  public func decodedManifest() throws -> Checked<Manifest?> {
    do { return try decodeEmbeddedManifest(embedded, of: path) } catch { throw error.named(path) }
  }
}

/// Decodes the manifest embedded in the pack at `path`; throws if there is none.
///
/// Apple's version 1.2 embeds the author's file, comments included; 2.0 generates a manifest. So
/// JSON5 is accepted, and an unknown key is only a warning.
package func decodeEmbeddedManifest(
  _ bytes: [UInt8]?, of path: BytePath
) throws(ArchiveDamage) -> Checked<Manifest?> {
  guard let bytes else { throw .noManifest }
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
