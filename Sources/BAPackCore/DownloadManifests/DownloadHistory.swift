/// A download manifest and its records: the versions that devices have seen.
package struct DownloadHistory: Sendable {
  package let manifest: DownloadManifest
  package let records: ContentsRecords
  /// The file with the records, if there is one.
  private(set) var recordsFile: [UInt8]?

  package init(_ manifest: DownloadManifest, _ records: ContentsRecords) {
    self.manifest = manifest
    self.records = records
  }

  /// The paths of a download manifest and its records.
  package static func paths(of manifest: BytePath) -> [BytePath] {
    [manifest, ContentsRecords.path(nextTo: manifest)]
  }

  /// Reads the manifest at `path` and the records next to it, if they exist. Nil, with findings, if
  /// they are invalid. A file that is only replaced may contain anything else, but if it looks like
  /// a download manifest it must be valid, since its versions matter. Fails unless the
  /// manifest `exists`, or doesn't, as given.
  init?(
    at path: BytePath, isReplaced: Bool, exists: Bool? = nil, findings: inout [Finding]
  ) throws {
    let limit = JSONDocument.maximumSize
    var listed: DownloadManifest? = DownloadManifest()
    var recorded: ContentsRecords? = ContentsRecords()
    if let bytes = try path.contentsIfPresent(limit: limit) {
      if exists == false { throw PackagingError.outputExists(path) }
      let document = JSONDocument(reading: SourceText(name: path.bytes, bytes: bytes))
      if !isReplaced || !document.isWellFormed || document.root?["assetPacks"] != nil {
        listed = DownloadManifest(document, findings: &findings)
      }
      if !isReplaced, document.isWellFormed, !document.isStrict {
        findings.append(
          Finding(
            .downloadManifest, severity: .warning,
            "the file is not plain JSON, which devices require; comments are lost when it is "
              + "rewritten", at: SourceLocation(document.source, 0..<0)))
      }
    } else if exists == true {
      throw SystemError(.open, path, code: .noSuchFile)
    }
    let recordsPath = ContentsRecords.path(nextTo: path)
    if let bytes = try recordsPath.contentsIfPresent(limit: limit) {
      recordsFile = bytes
      recorded = ContentsRecords(
        JSONDocument(reading: SourceText(name: recordsPath.bytes, bytes: bytes)),
        findings: &findings)
    }
    guard let listed, let recorded else { return nil }
    (manifest, records) = (listed, recorded)
  }

  /// The highest version of a pack, and its contents if they are recorded.
  typealias Newest = (version: Int, contents: [UInt8]?)

  /// The highest version of the pack `identifier`; nil if it is unknown.
  func newest(of identifier: String) -> Newest? {
    let record = records[identifier]
    let versions = [manifest.version(of: identifier), record?.version]
    guard let version = versions.compactMap(\.self).max() else { return nil }
    return (version, record?.version == version ? record?.contents : nil)
  }
}

extension FolderLock {
  /// A lock for the download manifests in the folder of the list at `manifest`: one run at a time
  /// reads, decides and writes.
  package init(listAt manifest: BytePath, waiting: () -> Void) throws(SystemError) {
    var path = manifest.folder
    if case .file(let file, _) = try manifest.outputTarget() { path = file.folder }
    try self.init(path, waiting: waiting)
  }
}
