extension ArchiveLayout {
  /// The layout of an asset pack: `Contents` with all directories and files, and `Manifest.json`
  /// next to it. All entries have the time `modified`.
  package init(_ selection: Selection, manifest: Manifest, modified: ArchiveTime) {
    var entries: [ArchiveEntry] = []
    entries.reserveCapacity(selection.files.count + selection.files.count / 8 + 16)
    let embedded = ArchiveEntry.Kind.file(
      .bytes(manifest.embedded), size: UInt64(manifest.embedded.count), isExecutable: false)
    entries.append(ArchiveEntry(.root, .directory))
    entries.append(ArchiveEntry(.contents, .directory))
    // Files are sorted, so a directory is new if and only if the previous file isn't in it.
    var folders = Folders()
    for file in selection.files {
      for folder in folders.entered(by: file.destination) {
        entries.append(ArchiveEntry(PackFormat.archivePath(of: folder), .directory))
      }
      entries.append(
        ArchiveEntry(
          PackFormat.archivePath(of: file.destination),
          .file(
            .file(file.source, version: file.version), size: file.size,
            isExecutable: file.isExecutable)))
    }
    entries.append(ArchiveEntry(.manifest, embedded))
    self.init(entries, modified: modified)
  }
}

extension Packager {
  /// Writes the pack with the files of `selection` and with `manifest` to `output`, completely or
  /// not at all. All entries have the same constant time.
  ///
  /// - Throws: ``PackagingError`` if a file changed since it was selected, if the output exists or
  ///   can't be written, or if a signal asked to stop.
  public func write(
    _ selection: Selection, of manifest: Manifest, to output: BytePath
  ) throws(PackagingError) -> PackedCounts {
    let layout = ArchiveLayout(selection, manifest: manifest, modified: .constant)
    try checkManifest(layout)
    return try write(layout, root: selection.root, to: output)
  }

  func checkManifest(_ layout: ArchiveLayout) throws(PackagingError) {
    guard case .file(.bytes(let manifest), _, _)? = layout.entries.last?.kind,
      manifest.count > PackFormat.maximumManifestSize
    else { return }
    throw .manifestTooLarge(manifest.count)
  }
}

/// The directories of the current file, in an iteration over sorted files.
private struct Folders {
  private var present: [RelativePath] = []

  /// Moves to `file`; returns its directories that don't contain the previous file, outermost
  /// first.
  mutating func entered(by file: RelativePath) -> ArraySlice<RelativePath> {
    while let last = present.last, !file.isInside(last) { present.removeLast() }
    let known = present.count
    let start = present.last.map { $0.bytes.count + 1 } ?? 0
    for cut in file.bytes.indices[start...] where file.bytes[cut] == ASCII.slash {
      present.append(RelativePath(unchecked: Array(file.bytes[..<cut])))
    }
    return present[known...]
  }
}

extension ArchiveTime {
  /// The default time of entries, without `SOURCE_DATE_EPOCH`: 2001-01-01T00:00:00Z, Apple's
  /// reference date. It is constant so that packs don't change if only times do.
  package static let constant = ArchiveTime(seconds: 978_307_200)
}
