import BAPackCore

/// Makes packs from manifests, in a cache folder.
struct ManifestPackager: Sendable {
  /// The folder of the archives and their records.
  let folder: BytePath
  let settings: PackStore.Settings

  /// Makes the pack of the manifest at `path`, unless the cached one has the same bytes. Returns the
  /// archive; nil if errors were added to `findings`. Adds what it depends on to `sources`, also if
  /// it can't be made.
  func package(
    _ path: BytePath, _ findings: inout [Finding], _ sources: inout PackSources
  ) throws -> BytePath? {
    sources.folders.insert(path.folder)
    sources.files.insert(path)
    // The App Store's own requirements don't prevent testing a pack.
    try folder.makeFolders()
    let name = hexadecimal(SHA256.digest(of: try path.resolved().bytes).prefix(12))
    let archive = folder.appending("\(name).aar".utf8)
    var builder = try AssetPackBuilder(
      reading: [path], to: .file(archive),
      Project.find().options(
        hosting: .ownServer, root: settings.root, links: settings.links,
        allowsStubs: settings.allowsStubs), keepingUnchanged: true)
    builder.compression = settings.compression
    findings += builder.check.findings
    if let pack = builder.check.checks[0].pack { sources.add(pack) }
    switch try builder.build()[0].state {
    case .made, .unchanged: return archive
    case .failed(let error): throw error.underlying
    case .invalid, .skipped, .cancelled: return nil
    }
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
    let named = pack.manifest.selectors.compactMap(\.start?.bytes)
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
