import BAPackCore
import BATestSupport
import Testing

/// A manifest with these selectors, in JSON5, on its second line.
func manifest(_ selectors: String) throws -> Manifest {
  let text = """
    {"assetPackID": "a", "downloadPolicy": {"onDemand": {}}, "platforms": [], "fileSelectors": [
    \(selectors)
    ]}
    """
  let checked = ManifestDecoder.decode(
    SourceText(name: "Manifest.json", bytes: Array(text.utf8)))
  try #require(checked.findings.isEmpty, "\(checked.findings.map(\.message))")
  return try #require(checked.value)
}

/// The layout of all files in `folder`.
func layout(of folder: TemporaryFolder) throws -> ArchiveLayout {
  let manifest = try manifest("{directory: '.'}")
  let checked = Selection.resolve(
    manifest, in: SourceRoot(of: manifest, readFrom: nil, option: folder.filePath))
  try #require(checked.findings.isEmpty, "\(checked.findings.map(\.message))")
  return ArchiveLayout(checked.value, manifest: manifest, modified: .constant)
}
