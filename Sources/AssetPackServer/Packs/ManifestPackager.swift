import BAPackCore

/// Makes packs from manifests, in a cache folder.
struct ManifestPackager: Sendable {
  /// The folder of the archives: one per manifest, each with a file that identifies what it was
  /// made from.
  let folder: BytePath
  let settings: PackStore.Settings

  /// Makes the pack of the manifest at `path`, unless the cached one was made from the same manifest
  /// and files. Returns the archive, and the files that it was made from, including the manifest;
  /// nil if errors were added to `findings`.
  func package(
    _ path: BytePath, _ findings: inout [Finding]
  ) throws -> (archive: BytePath, sources: PackSources)? {
    guard let (selection, manifest) = select(path, &findings) else { return nil }
    let sources = PackSources(
      folders: [path.folder, selection.root] + selection.folders,
      files: [path] + selection.files.map { selection.root.appending($0.source.bytes) })
    let recipe = recipe(manifest, selection)
    let (archive, note) = try names(of: path)
    if let known = try? note.contents(limit: 1 << 10), known == recipe,
      (try? FileStatus.following(archive))?.kind == .file
    {
      return (archive, sources)
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
    return (archive, sources)
  }

  private func select(
    _ path: BytePath, _ findings: inout [Finding]
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

package struct PackSources: Sendable, Equatable {
  package var folders: Set<BytePath>
  /// Files whose contents matter. Each is in one of the folders.
  package var files: Set<BytePath>

  init(folders: [BytePath] = [], files: [BytePath] = []) {
    self.folders = Set(folders)
    self.files = Set(files)
  }

  mutating func add(_ other: PackSources) {
    folders.formUnion(other.folders)
    files.formUnion(other.files)
  }
}

extension Selection {
  /// The folders below the root that contain the files, and their parents, without duplicates.
  fileprivate var folders: [BytePath] {
    var seen: Set<[UInt8]> = []
    for file in files {
      var path = file.source.bytes[...]
      while let slash = path.lastIndex(of: UInt8(ascii: "/")) {
        path = path[..<slash]
        if !seen.insert(Array(path)).inserted { break }
      }
    }
    return seen.map { root.appending($0) }
  }
}
