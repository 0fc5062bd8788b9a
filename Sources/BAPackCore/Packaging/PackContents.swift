extension ArchiveLayout {
  /// The layout of an asset pack: `Contents` with every directory and file, and `Manifest.json`
  /// beside it. Every entry bears the time `modified`.
  public init(_ selection: Selection, manifest: Manifest, modified: ArchiveTime) {
    var entries = [ArchiveEntry(.root, .directory)]
    entries.append(
      ArchiveEntry(
        .manifest,
        .file(
          .bytes(manifest.embedded), size: UInt64(manifest.embedded.count), isExecutable: false)))
    entries.append(ArchiveEntry(.contents, .directory))
    // Files are sorted, so a directory is new exactly when the file before is not in it.
    var folders: [RelativePath] = []
    for file in selection.files {
      folders.removeAll { !file.destination.isInside($0) }
      for folder in file.destination.folders.dropFirst(folders.count) {
        folders.append(folder)
        entries.append(ArchiveEntry(folder.prefixed(by: .contents), .directory))
      }
      entries.append(
        ArchiveEntry(
          file.destination.prefixed(by: .contents),
          .file(
            .file(file.source, modified: file.modified), size: file.size,
            isExecutable: file.isExecutable)
        ))
    }
    self.init(entries, modified: modified)
  }
}

extension RelativePath {
  /// Where a pack keeps its files.
  package static let contents = RelativePath(unchecked: Array("Contents".utf8))
  /// Where a pack keeps its manifest: beside the files, one of which may have the same name.
  package static let manifest = RelativePath(unchecked: Array("Manifest.json".utf8))

  /// The directories above, from the top down, without the root.
  fileprivate var folders: [RelativePath] {
    bytes.indices.filter { bytes[$0] == UInt8(ascii: "/") }.map {
      RelativePath(unchecked: Array(bytes[..<$0]))
    }
  }
}

extension ArchiveTime {
  /// The time of entries unless `SOURCE_DATE_EPOCH` says otherwise: 2001-01-01T00:00:00Z, the start
  /// of Apple's reckoning. One time for all keeps packs from changing when only times do.
  public static let constant = ArchiveTime(seconds: 978_307_200)
}
