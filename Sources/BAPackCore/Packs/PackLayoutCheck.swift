/// Checks the entries of an archive against the layout of an asset pack: a root, `Contents` with
/// the files that apps read, and `Manifest.json` next to it; directories before their contents, and
/// everything in the order of ``RelativePath``.
struct PackLayoutCheck {
  private var last: RelativePath?
  private var directories: Set<RelativePath> = []
  private var hasManifest = false
  /// Missing directories that have been reported.
  private var reportedMissing: Set<RelativePath> = []

  /// Checks the next entry. Invalid paths are reported elsewhere.
  mutating func add(_ entry: PackEntry) -> [ArchiveDamage] {
    guard entry.kind != .metadata, let path = RelativePath(entry.archivePath) else { return [] }
    var problems: [ArchiveDamage] = []
    if let last, path < last {
      problems.append(
        entry.damage(
          .order,
          "the entry is out of order after '\(last)'; "
            + "entries are sorted by the bytes of each path component"))
    }
    last = path
    if entry.kind == .directory { directories.insert(path) }
    if let parent = path.parent, parent != .root, parent != .contents,
      !directories.contains(parent), reportedMissing.insert(parent).inserted
    {
      problems.append(
        entry.damage(.parentMissing, "the directory '\(parent)' has no entry before this one")
      )
    }
    if path == .manifest, entry.kind == .file { hasManifest = true }
    let isAtHome = path.isInside(.contents) || path == .root || path == .manifest
    if !isAtHome, path.parent == .root || !directories.contains(path.parent ?? .root) {
      problems.append(
        entry.damage(
          .strayEntry, "an asset pack has only 'Contents' and 'Manifest.json' at its top"))
    }
    if entry.kind == .file, entry.contents == nil {
      problems.append(
        entry.damage(
          .missingData, "a file without data (DAT); an empty file has 0 bytes of data"))
    }
    if entry.kind == .symbolicLink {
      problems.append(
        entry.damage(
          .specialFile, "a symbolic link; asset packs contain only files and directories"))
    }
    return problems
  }

  /// What the pack is missing.
  func missing() -> [ArchiveDamage] {
    var problems: [ArchiveDamage] = []
    if !directories.contains(.root) {
      problems.append(
        ArchiveDamage(.noRoot, "there is no entry for the root directory", at: ArchivePlace()))
    }
    if !directories.contains(.contents) { problems.append(.noContents) }
    if !hasManifest { problems.append(.noManifest) }
    return problems
  }
}

extension ArchiveDamage {
  /// `Contents` is missing.
  static let noContents = ArchiveDamage(
    .noContents,
    "there is no directory 'Contents', so this is not an asset pack",
    at: ArchivePlace())
  /// The embedded manifest is missing.
  static let noManifest = ArchiveDamage(
    .noManifest, "there is no 'Manifest.json', so this is not an asset pack",
    at: ArchivePlace())
}
