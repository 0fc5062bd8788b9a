/// A download manifest with the records beside it: what is known of the versions that devices have
/// seen.
public struct DownloadHistory: Sendable {
  /// What is listed.
  public let manifest: DownloadManifest
  /// What the versions held.
  public let records: ContentsRecords

  /// A manifest with its records.
  public init(_ manifest: DownloadManifest, _ records: ContentsRecords) {
    self.manifest = manifest
    self.records = records
  }

  /// The highest version of a pack, and what it held as far as that is recorded.
  typealias Newest = (version: Int, contents: ContentsDigest.Value?)

  /// The highest version of the pack called `identifier`; nil where nothing is known of it.
  func newest(of identifier: String) -> Newest? {
    let record = records[identifier]
    let versions = [manifest.version(of: identifier), record?.version]
    guard let version = versions.compactMap(\.self).max() else { return nil }
    return (version, record?.version == version ? record?.contents : nil)
  }
}
