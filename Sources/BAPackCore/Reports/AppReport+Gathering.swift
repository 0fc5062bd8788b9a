extension AppReport {
  /// How packs are read or measured.
  package struct Options: Sendable {
    /// The compression that the packs of manifests are measured with.
    package var compression = Compression.zlib(level: Compression.defaultLevel)
    /// The source root of manifests, instead of their own.
    package var root: BytePath?
    /// The host of the packs, instead of the project's setting.
    package var hosting: Hosting?
    /// The project of manifests.
    package var project = Project()
    /// The folder whose files are checked for being in a pack.
    package var coverage: BytePath?
    /// Whether all files are hashed, not only potential duplicates.
    package var hashesAll = false
    /// Limits for reading packs.
    package var limits = ReadingLimits()
    /// The number of threads.
    package var jobs = Processors.available

    /// Packs made with zlib at its default level.
    package init() {}
  }

  /// Creates a report on the packs and manifests at `paths`; a folder means those in it, see
  /// ``PackOrManifest/inputs(at:)``.
  package init(of paths: [BytePath], _ options: Options = Options()) throws(ReportError) {
    let inputs = try mapping(ReportError.input, PackOrManifest.inputs(at: paths))
    let app = try Self.check(inputs, options)
    var sources: [Source] = []
    for input in inputs {
      switch input {
      case .archive(let path): sources.append(try Source(pack: path, options))
      case .manifest(let path):
        guard let number = app.manifests.firstIndex(of: path), let pack = app.checks[number].pack,
          let selection = pack.selection
        else { continue }
        sources.append(try Source(manifest: path, pack.manifest, selection, options))
      }
    }
    packs = sources.map(\.pack)
    self.inputs = packs.map(\.path)
    selections = sources.compactMap(\.measured)
    remarks = sources.compactMap { source in source.remark.map { (source.pack.path, $0) } }
    let sizes = Self.sizesThatRepeat(packs)
    for (index, source) in sources.enumerated() {
      let wanted = packs[index].files.indices.filter {
        options.hashesAll || sizes.contains(packs[index].files[$0].size)
      }
      for (file, hash) in try source.hashes(of: wanted, options.jobs) {
        packs[index].files[file].hash = hash
      }
    }
    duplicates = Self.duplicates(packs)
    if let folder = options.coverage {
      let found = try mapping(
        ReportError.system,
        Coverage(
          of: folder, in: sources.compactMap { $0.selection(options) },
          except: sources.map(\.pack.path)))
      if found.problems.hasErrors { throw .findings(found.problems) }
      coverage = found
    }
  }

  /// Checks all manifests together. Warnings are left to `validate`.
  private static func check(
    _ inputs: [PackOrManifest], _ options: Options
  ) throws(ReportError) -> AppCheck {
    let manifests = inputs.compactMap { if case .manifest(let path) = $0 { path } else { nil } }
    let app = AppCheck(
      of: ManifestFiles(files: manifests),
      options.project.options(hosting: options.hosting, root: options.root))
    let errors = app.findings.filter { $0.severity == .error }
    if !errors.isEmpty { throw .findings(errors) }
    return app
  }

  private static func sizesThatRepeat(_ packs: [ReportedPack]) -> Set<UInt64> {
    var seen: Set<UInt64> = []
    var repeated: Set<UInt64> = []
    for file in packs.lazy.flatMap(\.files) where file.size > 0 {
      if !seen.insert(file.size).inserted { repeated.insert(file.size) }
    }
    return repeated
  }

  /// Duplicate contents, by the hashes of the files.
  static func duplicates(_ packs: [ReportedPack]) -> [Duplicate] {
    var copies: [[UInt8]: [Duplicate.Copy]] = [:]
    for (pack, reported) in packs.enumerated() {
      for (file, one) in reported.files.enumerated() where one.size > 0 {
        guard let hash = one.hash else { continue }
        copies[hash, default: []].append(Duplicate.Copy(pack: pack, file: file))
      }
    }
    let duplicates = copies.values.filter { $0.count > 1 }.map { copies in
      let files = copies.map { packs[$0.pack].files[$0.file] }
      let download = files.reduce(0) { $0 + $1.compressedSize }
      return Duplicate(
        size: files[0].size, copies: copies,
        wastedDownload: download - (files.map(\.compressedSize).max() ?? 0))
    }
    return duplicates.sorted { left, right in
      if left.wastedSize != right.wastedSize { return left.wastedSize > right.wastedSize }
      let (a, b) = (left.copies[0], right.copies[0])
      return (a.pack, a.file) < (b.pack, b.file)
    }
  }
}

/// The source of a pack in a report.
private struct Source {
  let pack: ReportedPack
  private let origin: Origin
  /// What is wrong with the embedded manifest.
  let remark: String?

  private enum Origin {
    /// A pack, and the indices of the entries that are its files.
    case pack(Pack, [Int])
    case manifest(Selection)
  }

  /// Reads the pack at `path`.
  init(pack path: BytePath, _ options: AppReport.Options) throws(ReportError) {
    let pack = try mapping(
      ReportError.archive, Pack.read(path, limits: options.limits, jobs: options.jobs))
    guard pack.isFile else { throw .pipe(path) }
    let isPack = pack.isAssetPack
    let indices = pack.entries.indices.filter {
      pack.entries[$0].kind == .file && pack.entries[$0].isFile(ofPack: isPack)
    }
    let (manifest, remark) = pack.manifestWithRemark()
    self.remark = remark
    origin = .pack(pack, indices)
    self.pack = ReportedPack(
      path: path, isFromManifest: false, facts: manifest.map { .init($0) },
      manifestHash: pack.manifest.map { SHA256.digest(of: $0) },
      files: indices.map { pack.reported(pack.entries[$0]) },
      downloadSize: pack.container.packedSize)
  }

  /// Measures the pack of `manifest`, which was read from `path`.
  init(
    manifest path: BytePath, _ manifest: Manifest, _ selection: Selection,
    _ options: AppReport.Options
  ) throws(ReportError) {
    var packager = Packager()
    packager.compression = options.compression
    packager.jobs = options.jobs
    let layout = ArchiveLayout(selection, manifest: manifest, modified: .constant)
    let container = try mapping(
      { ReportError.packaging(path, $0) }, packager.measure(layout, root: selection.root))
    var files: [ReportedFile] = []
    for (index, entry) in layout.entries.enumerated() {
      guard case .file(_, let size, let isExecutable) = entry.kind,
        let path = PackFormat.contentsPath(of: entry.path.bytes)
      else { continue }
      let contents = layout.contents(at: index)
      files.append(
        ReportedFile(
          path: path, size: size, compressedSize: container.share(of: contents),
          blocks: container.blockUse(of: contents), isExecutable: isExecutable))
    }
    origin = .manifest(selection)
    remark = nil
    pack = ReportedPack(
      path: path, isFromManifest: true, facts: .init(manifest),
      manifestHash: SHA256.digest(of: manifest.embedded), files: files,
      downloadSize: container.packedSize)
  }

  /// The hashes of the files at `indices`, by index.
  func hashes(of indices: [Int], _ jobs: Int) throws(ReportError) -> [Int: [UInt8]] {
    switch origin {
    case .manifest(let selection):
      // Both are in the order of the archive.
      return try mapping(
        { ReportError.packaging(pack.path, $0) }, selection.sha256(ofFiles: indices, jobs: jobs))
    case .pack(let pack, let entries):
      let hashes = try mapping(
        ReportError.archive, pack.sha256(ofEntries: indices.map { entries[$0] }, jobs: jobs))
      return Dictionary(
        uniqueKeysWithValues: indices.compactMap { index in
          hashes[entries[index]].map { (index, $0) }
        })
    }
  }

  /// The files of a pack that was measured.
  var measured: Selection? { if case .manifest(let selection) = origin { selection } else { nil } }

  /// The files that the pack was made from: for a pack, those that its manifest would select now.
  func selection(_ options: AppReport.Options) -> Selection? {
    switch origin {
    case .manifest(let selection): return selection
    case .pack(let pack, _):
      guard let manifest = (try? pack.decodedManifest())?.value else { return nil }
      let root = SourceRoot(of: manifest, readFrom: nil, option: options.root)
      return Selection.resolve(manifest, in: root).value
    }
  }
}

extension Pack {
  /// A file of the pack with its share of the blocks that contain it.
  func reported(_ entry: EntryHeader) -> ReportedFile {
    let contents = entry.contents ?? 0..<0
    return ReportedFile(
      path: entry.gamePathBytes ?? entry.path, size: entry.size,
      compressedSize: container.share(of: contents), blocks: container.blockUse(of: contents),
      isExecutable: entry.isExecutable)
  }
}
