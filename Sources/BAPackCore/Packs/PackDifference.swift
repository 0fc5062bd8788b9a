/// The differences between two packs in what apps read. Times, owners, compression and the order of
/// entries are ignored; the execute bits are not.
public struct PackDifference: Sendable {
  /// A file or symbolic link that was added, removed or changed.
  public struct Change: Sendable {
    /// The path as apps use it.
    public var path: RelativePath { (old ?? new)?.gamePath ?? .root }
    /// The entry in the old pack; nil for an added file.
    public let old: EntryHeader?
    /// The entry in the new pack; nil for a removed file.
    public let new: EntryHeader?
  }

  /// The changes, sorted by path.
  public let changes: [Change]
  /// The number of files that are the same in both.
  package let unchanged: Int
  /// Whether the embedded manifests have the same bytes.
  package let hasSameManifest: Bool

  /// Whether nothing differs.
  public var isEmpty: Bool { changes.isEmpty && hasSameManifest }

  /// Compares two packs. Contents are read only if the sizes are equal.
  public init(
    from old: Pack, to new: Pack, jobs: Int = Processors.available
  ) throws(ArchiveError) {
    try self.init(from: old, to: new, jobs: jobs) { _ in }
  }

  /// Compares two packs, and calls `progress` with the number of bytes of contents compared.
  package init(
    from old: Pack, to new: Pack, jobs: Int, progress: @escaping @Sendable (UInt64) -> Void
  ) throws(ArchiveError) {
    let (oldFiles, newFiles) = (try Self.files(of: old), try Self.files(of: new))
    var changes: [Change] = []
    // For entries whose headers agree, keeps only what comparing their contents needs.
    var alike: [(old: Int32, new: Int32)] = []
    var pairs = EntryPairs()
    var unchanged = 0
    var (i, j) = (0, 0)
    while i < oldFiles.count || j < newFiles.count {
      let left = i < oldFiles.count ? old.entries[Int(oldFiles[i])] : nil
      let right = j < newFiles.count ? new.entries[Int(newFiles[j])] : nil
      let paths = [left, right].compactMap { $0.map { RelativePath(unchecked: $0.path) } }
      let first = paths.min()?.bytes
      let change = Change(
        old: left?.path == first ? left : nil, new: right?.path == first ? right : nil)
      if let left = change.old, let right = change.new, left.looksLike(right) {
        unchanged += 1
        if pairs.append(old: left, new: right) { alike.append((oldFiles[i], newFiles[j])) }
      } else {
        changes.append(change)
      }
      if change.old != nil { i += 1 }
      if change.new != nil { j += 1 }
    }
    let different = try pairsThatDiffer(pairs, of: old, and: new, jobs: jobs, progress: progress)
    changes += different.map { id in
      Change(old: old.entries[Int(alike[id].old)], new: new.entries[Int(alike[id].new)])
    }
    unchanged -= different.count
    self.changes = changes.sorted { $0.path < $1.path }
    self.unchanged = unchanged
    hasSameManifest = old.manifest == new.manifest
  }

  /// All files of a pack that was added or removed.
  init(ofWhole pack: Pack, isAdded: Bool) throws(ArchiveError) {
    changes = try Self.files(of: pack).map { index in
      let entry = pack.entries[Int(index)]
      return Change(old: isAdded ? nil : entry, new: isAdded ? entry : nil)
    }
    unchanged = 0
    hasSameManifest = false
  }

  /// The numbers of the entries that apps read, sorted by path.
  private static func files(of pack: Pack) throws(ArchiveError) -> [Int32] {
    try mapping(pack.input.error, pack.checkNames())
    let entries = pack.entries
    // Limits keep the number of entries far below 2^31.
    let files = entries.indices.filter {
      entries[$0].kind != .directory && entries[$0].gamePath != nil
    }.map { Int32(clamping: $0) }
    return files.sorted {
      RelativePath(unchecked: entries[Int($0)].path)
        < RelativePath(unchecked: entries[Int($1)].path)
    }
  }
}
