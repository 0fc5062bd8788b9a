import BAPackCore

/// Makes packs from manifests, in a folder of the cache.
struct ManifestPackager: Sendable {
  /// Where archives are kept: one for each manifest, and a file that identifies what it was made from.
  let folder: BytePath
  /// How they are compressed.
  let compression: Compression
  /// The folder that selectors start from, where it is not the manifest's.
  let root: BytePath?
  /// What selectors may select.
  let policy: SelectionPolicy

  /// A pack that was made, or is still up to date.
  struct Packed {
    let archive: BytePath
    let findings: [Finding]
    /// The files that it was made from, and the manifest.
    let sources: PackSources
    /// Whether it was made just now.
    let isNew: Bool
  }

  /// Why no pack was made.
  enum Failure: Error {
    case findings([Finding])
    case packaging(PackagingError)
    case refusal(PackRefusal)
  }

  /// Makes the pack of the manifest at `path`, unless the one that is kept is made of the same
  /// manifest and the same files.
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
    // Until the archive is there, nothing says that it is up to date.
    note.remove()
    var packager = Packager()
    packager.compression = compression
    packager.replacesOutput = true
    _ = try mapping(Failure.packaging, packager.write(selection, of: manifest, to: archive))
    try mapping({ Failure.refusal(PackRefusal($0 as SystemError)) }, note.writePrivately(recipe))
    return Packed(archive: archive, findings: findings, sources: sources, isNew: true)
  }

  private func select(_ path: BytePath) throws(Failure) -> (Selection, Manifest, [Finding]) {
    // What only the App Store asks for does not keep a pack from being tried.
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

  /// The archive for the manifest at `path`, and the file next to it.
  private func names(of path: BytePath) throws(Failure) -> (archive: BytePath, note: BytePath) {
    let absolute = try mapping({ Failure.refusal(PackRefusal($0 as SystemError)) }, path.resolved())
    let name = Array(hexadecimal(SHA256.digest(of: absolute.bytes)).utf8.prefix(24))
    return (
      folder.appending(name + ".aar".utf8), folder.appending(name + ".recipe".utf8)
    )
  }
}

/// Where changes to packs would be seen.
package struct PackSources: Sendable, Equatable {
  /// Folders whose entries matter.
  package var folders: Set<BytePath>
  /// Files whose contents matter, each in one of the folders.
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
  /// The folders below the root that hold the files or lead to them, each once.
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
