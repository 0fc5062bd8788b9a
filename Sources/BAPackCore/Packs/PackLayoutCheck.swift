/// Checks the entries of an archive against the layout of an asset pack: a root, `Contents` with
/// the files that apps read, and `Manifest.json` next to it; directories before their contents, and
/// everything in the order of ``RelativePath``.
struct PackLayoutCheck {
  private var last: RelativePath?
  private var directories: Set<RelativePath> = []
  private var hasManifest = false
  /// Missing directories that have been reported.
  private var reportedMissing: Set<RelativePath> = []

  mutating func add(_ entry: PackEntry) -> [ArchiveDamage] {
    guard entry.kind != .metadata, let path = RelativePath(entry.archivePath) else { return [] }
    var problems: [ArchiveDamage] = []
    func report(_ reason: DamageReason, _ message: String) {
      problems.append(entry.damage(reason, message))
    }
    if let last, path < last {
      report(
        .order,
        "the entry is out of order after '\(last)'; "
          + "entries are sorted by the bytes of each path component")
    }
    last = path
    if entry.kind == .directory { directories.insert(path) }
    if let parent = path.parent, parent != .root, parent != .contents,
      !directories.contains(parent), reportedMissing.insert(parent).inserted
    {
      report(.parentMissing, "the directory '\(parent)' has no entry before this one")
    }
    if path == .manifest, entry.kind == .file { hasManifest = true }
    let isAtHome = path.isInside(.contents) || path == .root || path == .manifest
    if !isAtHome, path.parent == .root || !directories.contains(path.parent ?? .root) {
      report(.strayEntry, "an asset pack has only 'Contents' and 'Manifest.json' at its top")
    }
    if entry.kind == .file, entry.contents == nil {
      report(.missingData, "a file without data (DAT); an empty file has 0 bytes of data")
    }
    if entry.kind == .symbolicLink {
      report(.specialFile, "a symbolic link; asset packs contain only files and directories")
    }
    return problems
  }

  /// The missing parts of the pack.
  func missing() -> [ArchiveDamage] {
    var problems: [ArchiveDamage] = []
    if !directories.contains(.root) { problems.append(.noRoot) }
    if !directories.contains(.contents) { problems.append(.noContents) }
    if !hasManifest { problems.append(.noManifest) }
    return problems
  }
}

extension ArchiveDamage {
  fileprivate static let noRoot = ArchiveDamage(
    .noRoot, "there is no entry for the root directory", at: ArchivePlace())
  static let noContents = ArchiveDamage(
    .noContents,
    "there is no directory 'Contents', so this is not an asset pack",
    at: ArchivePlace())
  static let noManifest = ArchiveDamage(
    .noManifest, "there is no 'Manifest.json', so this is not an asset pack",
    at: ArchivePlace())
}

/// Parts of entries other than the name, contents and execute bits of files. `extract` drops them,
/// and whether devices do is undocumented: one warning per kind, at the first entry.
struct DroppedParts {
  private static let kinds: [(message: String, isIn: @Sendable (PackEntry) -> Bool)] = [
    (
      "the set-user-ID, set-group-ID or sticky bit of the mode (MOD) is ignored",
      { ($0.mode ?? 0) & 0o7000 != 0 }
    ),
    ("extended attributes (XAT) are ignored", { $0.hasField("XAT") }),
    ("the access control list (ACL) is ignored", { $0.hasField("ACL") }),
    (
      "the hard link (HLC) is ignored; the file is extracted as a separate copy",
      { $0.hasField("HLC") }
    ),
    (
      "the contents (DAT) of a directory are ignored",
      { $0.kind == .directory && $0.contents != nil }
    ),
  ]

  /// By the index of the kind.
  private var found: [Int: (first: PackEntry, more: Int)] = [:]

  mutating func add(_ entry: PackEntry) {
    for (index, kind) in Self.kinds.enumerated() where kind.isIn(entry) {
      found[index, default: (entry, -1)].more += 1
    }
  }

  var warnings: [ArchiveDamage] {
    found.sorted { ($0.value.first.number, $0.key) < ($1.value.first.number, $1.key) }
      .map { index, entries in
        let more =
          entries.more > 0
          ? "; the same in \(counted(entries.more, "more entry", "more entries"))" : ""
        return entries.first.damage(.notExtracted, Self.kinds[index].message + more)
      }
  }
}

extension PackEntry {
  fileprivate func hasField(_ key: String) -> Bool { otherFields.contains { $0.key == key } }
}

extension PackIndex {
  /// Checks all names against the rules and each other. An asset pack must contain something that
  /// apps can read.
  package func checkNames(ofAsset isRequired: Bool = true) throws {
    do throws(ArchiveDamage) {
      var names = EntryNames(for: entries)
      for entry in entries { try names.add(entry) }
      guard isAssetPack || !isRequired else { throw .noContents }
    } catch {
      throw error.named(path)
    }
  }
}
