import BAPackCore

/// Makes packs from manifests, in a cache folder.
struct ManifestPackager: Sendable {
  /// The folder of the archives: one per manifest, each with a file that identifies what it was
  /// made from.
  let folder: BytePath
  let settings: PackStore.Settings

  /// Makes the pack of the manifest at `path`, unless the cached one was made from the same manifest
  /// and files. Returns the archive; nil if errors were added to `findings`. Adds what it depends on
  /// to `sources`, also if it can't be made.
  func package(
    _ path: BytePath, _ findings: inout [Finding], _ sources: inout PackSources
  ) throws -> BytePath? {
    sources.folders.insert(path.folder)
    sources.files.insert(path)
    guard let (selection, manifest) = select(path, &findings, &sources) else { return nil }
    let recipe = recipe(manifest, selection)
    let (archive, note) = try names(of: path)
    if let known = try? note.contents(limit: 1 << 10), known == recipe,
      (try? FileStatus.following(archive))?.kind == .file
    {
      return archive
    }
    try folder.makeFolders()
    // Until the archive exists, nothing marks it as up to date.
    try? note.removeFile()
    var packager = Packager()
    packager.compression = settings.compression
    packager.replacesOutput = true
    let job = PackBatch.Job(manifest, selection, modified: .constant, to: archive)
    if case .failed(let error) = PackBatch(packager, keepsGoing: false).make([job])[0] {
      throw error
    }
    try note.writePrivately(recipe)
    return archive
  }

  private func select(
    _ path: BytePath, _ findings: inout [Finding], _ sources: inout PackSources
  ) -> (selection: Selection, manifest: Manifest)? {
    // The App Store's own requirements don't prevent testing a pack.
    let project = Project.find()
    guard !project.findings.hasErrors else {
      findings += project.findings
      return nil
    }
    let check = ManifestCheck(
      reading: path,
      project.value.options(
        hosting: .`self`, root: settings.root, links: settings.links,
        allowsStubs: settings.allowsStubs))
    findings += check.findings
    if let pack = check.pack { sources.add(pack) }
    guard let pack = check.pack, let selection = pack.selection, !check.findings.hasErrors else {
      return nil
    }
    return (selection, pack.manifest)
  }

  /// A digest of everything that the pack's bytes depend on.
  private func recipe(_ manifest: Manifest, _ selection: Selection) -> [UInt8] {
    var text = Array("\(toolVersion) \(settings.compression)\n".utf8) + manifest.embedded
    for file in selection.files {
      text += file.destination.bytes + [0] + file.source.bytes + [0]
      text += "\(file.size) \(file.version) \(file.isExecutable)\n".utf8
    }
    text += [0] + selection.root.bytes
    return Array(hexadecimal(SHA256.digest(of: text)).utf8)
  }

  /// The paths of the archive for the manifest at `path`, and of the file next to it.
  private func names(of path: BytePath) throws -> (archive: BytePath, note: BytePath) {
    let name = Array(hexadecimal(SHA256.digest(of: try path.resolved().bytes)).utf8.prefix(24))
    return (
      folder.appending(name + ".aar".utf8), folder.appending(name + ".recipe".utf8)
    )
  }
}

/// The files and folders that packs are made of. Any may be missing.
package struct PackSources: Sendable, Equatable {
  package var folders: Set<BytePath> = []
  /// Files whose contents matter. Each is in one of the folders.
  package var files: Set<BytePath> = []

  mutating func add(_ other: PackSources) {
    folders.formUnion(other.folders)
    files.formUnion(other.files)
  }

  /// Adds the source root, and in it the files, the folders that were searched for them, and what
  /// selectors name, with the folders above.
  fileprivate mutating func add(_ pack: CheckedPack) {
    guard let selection = pack.selection else { return }
    let root = selection.root
    folders.insert(root)
    for file in selection.files { files.insert(root.appending(file.source.bytes)) }
    let named = pack.manifest.selectors.compactMap(\.kind.source)
    for path in selection.files.map(\.source.bytes) + named {
      var folder = path[...]
      while let slash = folder.lastIndex(of: UInt8(ascii: "/")) {
        folder = folder[..<slash]
        if !folders.insert(root.appending(folder)).inserted { break }
      }
    }
    for folder in selection.folders { folders.insert(root.appending(folder.bytes)) }
  }
}

extension FileSelector.Kind {
  /// The file or folder that it names; nil for a pattern and for an exclusion.
  fileprivate var source: [UInt8]? {
    switch self {
    case .file(let path), .directory(let path), .fileMapping(let path, _),
      .directoryMapping(let path, _):
      Array(path.value.utf8)
    case .filePattern, .fileExclusion: nil
    }
  }
}
