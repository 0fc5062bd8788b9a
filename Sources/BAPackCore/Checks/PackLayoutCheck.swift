/// Holds the entries of an archive against the layout of an asset pack: a root, `Contents` with all
/// that games read, and `Manifest.json` beside it; directories before what they hold, and all in the
/// order of ``RelativePath``.
struct PackLayoutCheck {
  private var last: RelativePath?
  private var directories: Set<RelativePath> = []
  private var hasManifest = false
  /// Directories whose absence has been told.
  private var toldMissing: Set<RelativePath> = []

  /// What is wrong with an entry in its place. Paths that break a rule are no matter here.
  mutating func add(_ entry: EntryHeader) -> [ArchiveDamage] {
    guard entry.kind != .metadata, let path = RelativePath(entry.path) else { return [] }
    var problems: [ArchiveDamage] = []
    if let last, path < last {
      problems.append(
        entry.damage(
          .order,
          "the entry sorts before the one that it follows, '\(last)'; "
            + "archives are sorted part by part, each by its bytes"))
    }
    last = path
    if entry.kind == .directory { directories.insert(path) }
    if let parent = path.parent, parent != .root, parent != .contents,
      !directories.contains(parent), toldMissing.insert(parent).inserted
    {
      problems.append(
        entry.damage(.parentMissing, "no entry for the directory '\(parent)' comes before this one")
      )
    }
    if path == .manifest, entry.kind == .file { hasManifest = true }
    let isAtHome = path.isInside(.contents) || path == .root || path == .manifest
    if !isAtHome, path.parent == .root || !directories.contains(path.parent ?? .root) {
      problems.append(
        entry.damage(
          .strayEntry, "an asset pack holds nothing beside 'Contents' but 'Manifest.json'"))
    }
    if entry.kind == .file, entry.contents == nil {
      problems.append(
        entry.damage(
          .missingData, "a file without contents (DAT); an empty one has contents of 0 bytes"))
    }
    if entry.kind == .symbolicLink {
      problems.append(
        entry.damage(
          .specialFile, "a symbolic link, where asset packs hold files and directories only"))
    }
    return problems
  }

  /// What every pack has, and this one has not.
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
  /// `Contents` is not there.
  static let noContents = ArchiveDamage(
    .noContents,
    "there is no directory 'Contents', so this is no asset pack, and games can read nothing from it",
    at: ArchivePlace())
  /// The embedded manifest is not there.
  static let noManifest = ArchiveDamage(
    .noManifest, "there is no 'Manifest.json' beside 'Contents', so this is no asset pack",
    at: ArchivePlace())
}
