import BAPackCore
import TestSupport
import Testing

/// A manifest with these selectors, in JSON5, which stand in its second line.
func manifest(_ selectors: String) throws -> Manifest {
  let text = """
    {"assetPackID": "a", "downloadPolicy": {"onDemand": {}}, "platforms": [], "fileSelectors": [
    \(selectors)
    ]}
    """
  let (manifest, findings) = ManifestDecoder.decode(
    SourceText(name: "Manifest.json", bytes: Array(text.utf8)))
  try #require(findings.isEmpty, "\(findings.map(\.message))")
  return try #require(manifest)
}

/// The layout of all files in `folder`.
func layout(of folder: TemporaryFolder) throws -> ArchiveLayout {
  let manifest = try manifest("{directory: '.'}")
  let (selection, findings) = Selection.resolve(
    manifest, in: SourceRoot(of: manifest, readFrom: nil, option: folder.filePath))
  try #require(findings.isEmpty, "\(findings.map(\.message))")
  return ArchiveLayout(selection, manifest: manifest, modified: .constant)
}
