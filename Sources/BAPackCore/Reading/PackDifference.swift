/// How what games read differs between two packs. Times, owners, compression and the order of entries
/// do not count; the execute bits do.
public struct PackDifference: Sendable {
  /// A file, or a symbolic link, that one of the packs lacks or has otherwise.
  public struct Change: Sendable {
    /// The path as games read it.
    public let path: RelativePath
    /// The entry in the old pack; nil for an added file.
    public let old: EntryHeader?
    /// The entry in the new pack; nil for a removed file.
    public let new: EntryHeader?
  }

  /// What differs, in the order of the paths.
  public let changes: [Change]
  /// How many files are the same in both.
  public let unchanged: Int
  /// Whether the embedded manifests have the same bytes.
  public let hasSameManifest: Bool

  /// Whether nothing differs.
  public var isEmpty: Bool { changes.isEmpty && hasSameManifest }

  /// Compares two packs. Contents are read only where sizes do not tell.
  public init(
    from old: Pack, to new: Pack, jobs: Int = availableProcessors()
  ) throws(MergeError) {
    let (oldFiles, newFiles) = (try MergedPacks([old]).files, try MergedPacks([new]).files)
    var pairs: [Change] = []
    var (i, j) = (0, 0)
    while i < oldFiles.count || j < newFiles.count {
      let left = i < oldFiles.count ? oldFiles[i] : nil
      let right = j < newFiles.count ? newFiles[j] : nil
      let path = [left?.path, right?.path].compactMap(\.self).min() ?? .root
      pairs.append(
        Change(
          path: path, old: left?.path == path ? left?.entry : nil,
          new: right?.path == path ? right?.entry : nil))
      if left?.path == path { i += 1 }
      if right?.path == path { j += 1 }
    }
    // Where headers agree, the bytes decide.
    var isChanged = [Bool](repeating: true, count: pairs.count)
    var alike: [EntryPair] = []
    for (id, pair) in pairs.enumerated() {
      guard let old = pair.old, let new = pair.new, old.looksLike(new) else { continue }
      isChanged[id] = false
      alike.append(EntryPair(id: id, old: old, new: new))
    }
    let different = try mapping(MergeError.archive) { () throws(ArchiveError) in
      try pairsThatDiffer(alike, of: old, and: new, jobs: jobs)
    }
    for id in different { isChanged[id] = true }
    changes = pairs.indices.filter { isChanged[$0] }.map { pairs[$0] }
    unchanged = pairs.count - changes.count
    hasSameManifest = old.manifest == new.manifest
  }
}
