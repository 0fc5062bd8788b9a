import BAPackCore

/// Makes packs from manifests, in a cache folder.
struct ManifestPackager: Sendable {
  /// The folder of the archives: one per manifest, each with a file that identifies what it was
  /// made from.
  let folder: BytePath
  /// The compression of packs.
  let compression: Compression
  /// The source root, if it isn't the manifest's.
  let root: BytePath?
  /// Which files selectors may match.
  let policy: SelectionPolicy

  /// A pack that was made or is up to date.
  struct Packed {
    let archive: BytePath
    let findings: [Finding]
    /// The files that it was made from, including the manifest.
    let sources: PackSources
    /// Whether it was just made.
    let isNew: Bool
  }

  /// Why no pack was made.
  enum Failure: Error {
    case findings([Finding])
    case packaging(PackagingError)
    case refusal(PackRefusal)
  }

  /// Makes the pack of the manifest at `path`, unless the cached one was made from the same
  /// manifest and files.
  func package(_ path: BytePath) throws(Failure) -> Packed {
    let (selection, manifest, findings) = try select(path)
    let sources = PackSources(
      folders: [path.folder, selection.root] + selection.folders,
      files: [path] + selection.files.map { selection.root.appending($0.source.bytes) })
    let recipe = recipe(manifest, selection)
    let (archive, note) = try names(of: path)
    if let known = try? note.contents(limit: 1 << 10), known == recipe,
      (try? FileStatus.following(archive))?.kind == .file
    {
      return Packed(archive: archive, findings: findings, sources: sources, isNew: false)
    }
    try mapping({ Failure.refusal(PackRefusal($0 as SystemError)) }, folder.makeFolders())
    // Until the archive exists, nothing marks it as up to date.
    note.remove()
    var packager = Packager()
    packager.compression = compression
    packager.replacesOutput = true
    _ = try mapping(Failure.packaging, packager.write(selection, of: manifest, to: archive))
    try mapping({ Failure.refusal(PackRefusal($0 as SystemError)) }, note.writePrivately(recipe))
    return Packed(archive: archive, findings: findings, sources: sources, isNew: true)
  }

  private func select(_ path: BytePath) throws(Failure) -> (Selection, Manifest, [Finding]) {
    // The App Store's own requirements don't prevent testing a pack.
    let project = Project.find()
    if project.findings.hasErrors { throw .findings(project.findings) }
    let check = ManifestCheck(
      reading: path, project.value.options(hosting: .`self`, root: root, policy: policy))
    guard let pack = check.pack, let selection = pack.selection, !check.findings.hasErrors else {
      throw .findings(check.findings)
    }
    return (selection, pack.manifest, check.findings)
  }

  /// A digest of everything that the pack's bytes depend on.
  private func recipe(_ manifest: Manifest, _ selection: Selection) -> [UInt8] {
    var text = Array("\(toolVersion) \(compression)\n".utf8) + manifest.embedded
    for file in selection.files {
      text += file.destination.bytes + [0] + file.source.bytes + [0]
      text += "\(file.size) \(file.version) \(file.isExecutable)\n".utf8
    }
    text += [0] + selection.root.bytes
    return Array(hexadecimal(SHA256.digest(of: text)).utf8)
  }

  /// The paths of the archive for the manifest at `path`, and of the file next to it.
  private func names(of path: BytePath) throws(Failure) -> (archive: BytePath, note: BytePath) {
    let absolute = try mapping({ Failure.refusal(PackRefusal($0 as SystemError)) }, path.resolved())
    let name = Array(hexadecimal(SHA256.digest(of: absolute.bytes)).utf8.prefix(24))
    return (
      folder.appending(name + ".aar".utf8), folder.appending(name + ".recipe".utf8)
    )
  }
}

/// The files and folders to watch for changes to packs.
package struct PackSources: Sendable, Equatable {
  /// Folders whose entries matter.
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
