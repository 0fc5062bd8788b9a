import BAPackCore

/// Loads packs, assigns versions, and reloads packs that change.
///
/// Used by one thread. Its catalogs may be read by any thread.
package struct PackStore {
  package struct Settings: Sendable {
    package var paths: [BytePath]
    /// Versions for the packs in the order of `paths`; nil to assign them.
    package var versions: [Int]?
    package var compression = Compression.store
    /// The source root, if it isn't the manifest's.
    package var root: BytePath?
    /// Where symbolic links may lead; nil for the policy of the project.
    package var links: LinkPolicy?
    /// Whether placeholders for files are packaged, whatever the project has.
    package var allowsStubs = false

    package init(paths: [BytePath]) { self.paths = paths }
  }

  private let settings: Settings
  private let folders: UserFolders
  private let records: VersionRecords
  private let packager: ManifestPackager
  private let knownPath: BytePath
  private var known: KnownPacks
  /// The packs of the last catalog, by source.
  private var loaded: [PackOrManifest: ServedPack] = [:]
  /// What the last catalog was made of, and what failed since.
  private var sources = PackSources()

  /// A store that keeps its data in a user's folders.
  package init(_ settings: Settings, _ folders: UserFolders) {
    self.settings = settings
    self.folders = folders
    records = VersionRecords(path: folders.data.appending("versions.json".utf8))
    packager = ManifestPackager(
      folder: folders.cache.appending("packs".utf8), settings: settings)
    knownPath = folders.cache.appending("packs.json".utf8)
    known = KnownPacks(readingFrom: knownPath)
  }

  package struct Outcome: Sendable {
    /// The packs that can be served; nil if there are none.
    package var catalog: Catalog?
    package var findings: [Finding] = []
    package var problems: [String] = []
    package var warnings: [String] = []
  }

  /// Loads everything. A pack that can't be loaded, but was before, stays in its previous version;
  /// if there is none, there is no catalog.
  ///
  /// Whatever changes what was loaded makes `watch` readable from now on: what it was not watching
  /// yet is loaded again.
  package mutating func load(watching watch: FolderWatch?, waiting: Waiting) -> Outcome {
    while true {
      var outcome = load(waiting)
      do {
        let watchesMore = try watch?.watch(sources) ?? false
        if !watchesMore || Interruption.pending != nil { return outcome }
      } catch {
        outcome.warnings.append("\(error)")
        return outcome
      }
    }
  }

  private mutating func load(_ waiting: Waiting) -> Outcome {
    var outcome = Outcome()
    var found = PackSources()
    let before = known.bytes
    defer {
      // This only saves time, so errors are ignored.
      if known.bytes != before {
        try? folders.cache.makeFolders()
        try? knownPath.writePrivately(known.bytes)
      }
    }
    defer {
      if outcome.problems.isEmpty { sources = found } else { sources.add(found) }
    }
    do {
      for path in settings.paths {
        let isFolder = (try? FileStatus.following(path))?.kind == .directory
        found.folders.insert(isFolder ? path : path.folder)
      }
      let inputs = try PackOrManifest.served(at: settings.paths)
      var packs: [(input: PackOrManifest, pack: ServedPack)] = []
      for input in inputs {
        if let pack = load(input, &outcome, &found) ?? loaded[input] { packs.append((input, pack)) }
      }
      guard packs.count == inputs.count else { return outcome }
      if let versions = settings.versions, versions.count != packs.count {
        throw PackagingError(
          "\(counted(versions.count, "version")) for \(counted(packs.count, "pack")): give one for "
            + "each, in their order")
      }
      let all = packs.map(\.pack)
      if let (first, second) = all.repeated(by: { Array($0.identifier.utf8) }) {
        throw PackagingError(
          "'\(first.path)' and '\(second.path)' have the same identifier, "
            + "'\(printable(first.identifier.utf8))'")
      }
      try checkContents(all)
      let decision = try records.decide(all.map(\.facts), given: settings.versions, waiting)
      outcome.warnings += decision.warnings
      outcome.catalog = Catalog(
        zip(all, decision.versions).map { pack, version in
          var pack = pack
          pack.version = version
          return pack
        })
      loaded = Dictionary(packs.map { ($0.input, $0.pack) }, uniquingKeysWith: { $1 })
    } catch {
      outcome.problems.append("\(error)")
    }
    return outcome
  }

  private mutating func load(
    _ input: PackOrManifest, _ outcome: inout Outcome, _ sources: inout PackSources
  ) -> ServedPack? {
    do {
      switch input {
      case .archive(let path):
        sources.files.insert(path)
        return try reload(path, shown: path, input)
      case .manifest(let path):
        guard let archive = try packager.package(path, &outcome.findings, &sources) else {
          throw PackagingError("no pack was made of '\(path)'")
        }
        return try reload(archive, shown: path, input)
      }
    } catch {
      outcome.problems.append("\(error)")
      return nil
    }
  }

  /// The pack at `path`: the open one, if the file is still the same.
  private mutating func reload(
    _ path: BytePath, shown: BytePath, _ input: PackOrManifest
  ) throws -> ServedPack {
    if let pack = loaded[input], let status = try? FileStatus.following(path),
      pack.file.status.version == status.version
    {
      return pack
    }
    return try ServedPack.load(path, shown: shown, &known)
  }

  /// Devices merge all packs into one folder, so a path must have the same contents in all packs of
  /// a platform that one player has.
  private mutating func checkContents(_ packs: [ServedPack]) throws {
    for platform in Platform.all(in: packs.map(\.platforms)) {
      let group = packs.filter { $0.isFor(platform) }
      let digests = group.map(\.sha256)
      guard group.count > 1, !known.agree(digests) else { continue }
      let archives = try group.map { pack in
        do {
          return try PackIndex.read(pack.file.input).named(pack.path)
        } catch let damage as ArchiveDamage {
          throw damage.named(pack.path)
        }
      }
      try archives.checkMerging()
      known.setAgree(digests)
    }
  }
}
