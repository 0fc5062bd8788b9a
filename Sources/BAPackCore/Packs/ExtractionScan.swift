/// Reads the packs of an extraction, one after the other: decides what to extract, entry by entry,
/// and writes the files' contents. Except for ``finish(_:_:_:)``, used by one thread at a time.
final class ExtractionScan: EntryVisitor {
  private(set) var files: [PackedFile] = []
  /// Symbolic links of whole archives.
  private(set) var skippedLinks: [PackedFile] = []
  private(set) var folders: Set<RelativePath> = []
  private(set) var merger: PackMerger
  private let extraction: Extraction
  private let inputs: [ArchiveInput]
  private let target: ExtractionTarget
  private let writer: ExtractionWriter
  /// Files that must not be replaced. After the first one nothing more is created.
  private var existing: [RelativePath] = []

  // The current pack: its index, and the pieces of files in the current block.
  private var number = 0
  private var names = EntryNames()
  /// The number of folders in all paths.
  private var levels = 0
  private static let levelsPerEntry = 32
  private var isAssetPack = false
  private var pieces: [FilePiece] = []
  /// The current file, its bytes so far, and the digest to check.
  private var file: StagedFile?
  private var offset: UInt64 = 0
  private var digest: EntryDigest?

  init(_ extraction: Extraction, _ inputs: [ArchiveInput], _ target: ExtractionTarget) {
    merger = PackMerger(inputs.map(\.path), wholeArchives: extraction.wholeArchives)
    self.extraction = extraction
    self.inputs = inputs
    self.target = target
    writer = ExtractionWriter(target)
  }

  /// Reads a whole pack. The result has no entries, which are in ``files``.
  func read(_ number: Int, progress: @escaping (UInt64) -> Void) throws -> PackIndex {
    self.number = number
    (names, levels, isAssetPack) = (EntryNames(), 0, false)
    (file, digest) = (nil, nil)
    let input = inputs[number]
    let facts = try scanArchive(
      input, limits: extraction.limits, jobs: extraction.jobs, self, progress: progress)
    guard isAssetPack || extraction.wholeArchives else {
      throw PackagingError.notAssetPack(input.path)
    }
    return PackIndex(input.path, .archive(input, facts), [])
  }

  func makeWorker() -> ExtractionWriter.Worker { ExtractionWriter.Worker() }

  func begin(_ entry: PackEntry) throws -> Bool {
    (file, digest, offset) = (nil, nil, 0)
    try names.add(entry)
    if entry.archivePath == RelativePath.manifest.bytes,
      let damage = PackIndex.manifestTooLarge(entry)
    {
      throw damage
    }
    isAssetPack = isAssetPack || entry.isOfContents
    // Each is opened from the top.
    levels += entry.archivePath.count { $0 == ASCII.slash }
    if levels / Self.levelsPerEntry > extraction.limits.entries {
      throw entry.damage(
        .limit, "paths with more than \(Self.levelsPerEntry) folders for each entry allowed"
      ).exceeding(.entries)
    }
    switch try merger.add(entry, of: number) {
    case nil: return false
    case .directory(let path):
      if extraction.globs.isEmpty, existing.isEmpty {
        try target.check(nameOf: path)
        try makeFolders(to: path)
      }
      return false
    case .file(let packed): file = try stage(packed)
    }
    guard let file else { return false }
    digest = EntryDigest(entry)
    if file.size == 0 { pieces.append(FilePiece(file: file, offset: 0, range: 0..<0)) }
    return true
  }

  func contents(_ bytes: RawSpan, _ range: Range<Int>) {
    guard let file else { return }
    digest?.update(bytes)
    pieces.append(FilePiece(file: file, offset: offset, range: range))
    offset += UInt64(range.count)
  }

  func end() throws {
    if let problem = digest?.problem { throw problem }
    (file, digest) = (nil, nil)
  }

  func endBlock() -> [FilePiece] {
    defer { pieces = [] }
    return pieces
  }

  func finish(
    _ pieces: [FilePiece], _ bytes: RawSpan, _ worker: inout ExtractionWriter.Worker
  ) throws {
    for piece in pieces {
      try writer.write(bytes.extracting(piece.range), at: piece.offset, of: piece.file, worker)
    }
  }

  /// Adds a file and creates its folders; nil if it isn't written.
  private func stage(_ file: PackedFile) throws -> StagedFile? {
    let path = file.path
    guard
      extraction.globs.isEmpty || extraction.globs.contains(where: { $0.matchesFolder(of: path) })
    else { return nil }
    if file.entry.kind == .symbolicLink {
      guard file.isOfArchive else {
        throw PackagingError.link(
          path, target: file.entry.linkTarget ?? [], pack: inputs[number].path)
      }
      skippedLinks.append(file)
      return nil
    }
    try target.check(nameOf: path)
    if existing.isEmpty { try makeFolders(to: path.parent ?? .root) }
    if try target.isInTheWay(path) { existing.append(path) }
    files.append(file)
    return existing.isEmpty
      ? StagedFile(path: path, size: file.entry.size, isExecutable: file.entry.isExecutable) : nil
  }

  private func makeFolders(to folder: RelativePath) throws {
    let missing: [RelativePath] = sequence(first: folder, next: \.parent)
      .prefix { $0 != .root && !folders.contains($0) }.reversed()
    for path in missing { try target.check(folder: path) }
    try target.makeFolders(missing)
    folders.formUnion(missing)
  }

  /// Fails if files exist that must not be replaced.
  func checkExisting() throws {
    if existing.isEmpty { return }
    let first = existing.sorted().prefix(3).map(target.shown)
    throw PackagingError.filesExist(first, more: existing.count - first.count)
  }
}

struct FilePiece {
  let file: StagedFile
  let offset: UInt64
  let range: Range<Int>
}

extension Glob {
  /// Whether the pattern matches `path` or a folder above it.
  fileprivate func matchesFolder(of path: RelativePath) -> Bool {
    matches(path) || path.ancestors.contains { $0 != .root && matches($0) }
  }
}
