/// Decides what to extract, entry by entry. Used by one thread at a time.
final class ExtractionPlan: @unchecked Sendable {
  /// The files to extract, in the order of the packs and their archives.
  private(set) var files: [PackedFile] = []
  /// Symbolic links of whole archives.
  private(set) var skippedLinks: [PackedFile] = []
  /// The folders that were created.
  private(set) var folders: Set<RelativePath> = []
  /// All names.
  private(set) var merger: PackMerger
  private let globs: [Glob]
  private let paths: [BytePath]
  private let target: ExtractionTarget
  /// Files that must not be replaced. After the first one nothing more is created.
  private var existing: [RelativePath] = []

  init(_ extraction: Extraction, _ paths: [BytePath], _ target: ExtractionTarget) {
    merger = PackMerger(paths, wholeArchives: extraction.wholeArchives)
    globs = extraction.globs
    self.paths = paths
    self.target = target
  }

  /// Adds an entry of pack `number`, which must have passed ``EntryNames``, and creates its
  /// folders. Returns the file to write, if any.
  func add(_ entry: EntryHeader, of number: Int) throws -> StagedFile? {
    let place = try merger.add(entry, of: number)
    switch place {
    case nil: return nil
    case .directory(let path):
      if globs.isEmpty, existing.isEmpty { try makeFolders(to: path) }
      return nil
    case .file(let file): return try add(file)
    }
  }

  private func add(_ file: PackedFile) throws -> StagedFile? {
    let path = file.path
    guard globs.isEmpty || globs.contains(where: { $0.matchesOrHolds(path) }) else { return nil }
    if file.entry.kind == .symbolicLink {
      guard file.isOfArchive else {
        throw PackagingError.link(path, target: file.entry.linkTarget ?? [], pack: paths[file.pack])
      }
      skippedLinks.append(file)
      return nil
    }
    let folder = path.parent ?? .root
    if existing.isEmpty { try makeFolders(to: folder) }
    if try target.isInTheWay(path) { existing.append(path) }
    files.append(file)
    guard existing.isEmpty else { return nil }
    return StagedFile(
      path: path, folder: folder, size: file.entry.size, isExecutable: file.entry.isExecutable)
  }

  private func makeFolders(to folder: RelativePath) throws {
    var missing: [RelativePath] = []
    var above: RelativePath? = folder
    while let path = above, path != .root, !folders.contains(path) {
      missing.append(path)
      above = path.parent
    }
    for path in missing.reversed() {
      try target.check(folder: path)
      try target.makeFolder(path)
      folders.insert(path)
    }
  }

  /// Fails if files exist that must not be replaced.
  func checkExisting() throws {
    if existing.isEmpty { return }
    let first = existing.sorted().prefix(3).map(target.shown)
    throw PackagingError.filesExist(first, more: existing.count - first.count)
  }
}

/// A file in the staging folder.
final class StagedFile: Sendable {
  let path: RelativePath
  let folder: RelativePath
  let size: UInt64
  let isExecutable: Bool

  init(path: RelativePath, folder: RelativePath, size: UInt64, isExecutable: Bool) {
    self.path = path
    self.folder = folder
    self.size = size
    self.isExecutable = isExecutable
  }
}

extension Glob {
  /// Whether the pattern matches `path` or a folder above it.
  func matchesOrHolds(_ path: RelativePath) -> Bool {
    var above: RelativePath? = path
    while let path = above, path != .root {
      if matches(path) { return true }
      above = path.parent
    }
    return false
  }
}
