/// A download manifest and its records: the versions that devices have seen.
package struct DownloadHistory: Sendable {
  /// The manifest.
  package let manifest: DownloadManifest
  /// The records.
  package let records: ContentsRecords

  /// A manifest with its records.
  package init(_ manifest: DownloadManifest, _ records: ContentsRecords) {
    self.manifest = manifest
    self.records = records
  }

  /// The highest version of a pack, and its contents if they are recorded.
  typealias Newest = (version: Int, contents: ContentsDigest.Value?)

  /// The highest version of the pack `identifier`; nil if it is unknown.
  func newest(of identifier: String) -> Newest? {
    let record = records[identifier]
    let versions = [manifest.version(of: identifier), record?.version]
    guard let version = versions.compactMap(\.self).max() else { return nil }
    return (version, record?.version == version ? record?.contents : nil)
  }
}
