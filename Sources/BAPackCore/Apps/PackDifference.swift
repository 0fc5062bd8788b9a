/// The differences between two versions of a pack in what apps read. Times, owners, compression and
/// the order of entries are ignored; the execute bits are not.
public struct PackDifference: Sendable {
  /// How a file or a pack differs.
  public enum Kind: String, Sendable, CaseIterable {
    /// It is new.
    case added
    /// It is gone.
    case removed
    /// It has another hash in its name, and perhaps other contents.
    case renamed
    /// It has other contents, or another execute bit.
    case changed
    /// It is the same.
    case unchanged

    fileprivate init(hasOld: Bool, hasNew: Bool) {
      self = !hasOld ? .added : !hasNew ? .removed : .changed
    }
  }

  /// A file or symbolic link that was added, removed or changed, or that has another hash in its
  /// name.
  public struct Change: Hashable, Sendable {
    /// The path as apps use it; in the new pack, unless the file was removed.
    public var path: RelativePath { RelativePath(unchecked: (new ?? old)?.shownPath ?? []) }
    /// The path in the old pack, of a file that has another hash in its name.
    public var oldPath: RelativePath? {
      old.map { RelativePath(unchecked: $0.shownPath) }.flatMap { $0 == path ? nil : $0 }
    }
    /// The entry in the old pack; nil for an added file.
    public let old: PackEntry?
    /// The entry in the new pack; nil for a removed file.
    public let new: PackEntry?
    /// Whether a file with another hash in its name has the same contents.
    package fileprivate(set) var isOnlyRenamed = false
    /// How the file differs; never ``PackDifference/Kind/unchanged``.
    public var kind: Kind {
      oldPath == nil ? Kind(hasOld: old != nil, hasNew: new != nil) : .renamed
    }
  }

  package let name: String
  package let old: PackIndex?
  package let new: PackIndex?
  /// The changes, sorted by path; all files of an added or removed pack.
  public let changes: [Change]
  /// The number of files that are the same in both.
  public let unchanged: Int
  /// Whether the embedded manifests have the same bytes.
  package var hasSameManifest: Bool {
    old != nil && new != nil && old?.manifestSHA256 == new?.manifestSHA256
  }
  /// The kind of change. A pack that was only compressed differently is unchanged.
  public var kind: Kind {
    let kind = Kind(hasOld: old != nil, hasNew: new != nil)
    return kind == .changed && changes.isEmpty && hasSameManifest ? .unchanged : kind
  }
  /// Whether nothing differs.
  public var isEmpty: Bool { kind == .unchanged }
  /// The bytes that players with the old pack download: the whole pack if anything changed.
  public var downloadSize: UInt64 { isEmpty ? 0 : new?.downloadSize ?? 0 }
}

extension [PackDifference] {
  package var isEqual: Bool { allSatisfy(\.isEmpty) }
  /// The maximum number of bytes that a player with the old packs downloads.
  package var downloadSize: UInt64 {
    Players(map { $0.new?.manifest }).largest { self[$0].downloadSize }.size
  }
}

extension PackIndex {
  /// What differs from an older version of the pack. Contents are read only if the sizes are equal.
  ///
  /// - Throws: ``PackError/Code/unsafeName`` if a pack has invalid names, ``PackError/Code/damaged``.
  public func difference(
    from old: PackIndex, _ work: Work = Work()
  ) throws(PackError) -> PackDifference {
    try work.result { progress in
      try old.checkNames()
      try checkNames()
      return try PackDifference(old, self, jobs: work.threads, progress: progress(size, path))
    }
  }

  /// What differs from an older version of the pack, found on separate threads.
  ///
  /// - Throws: ``PackError/Code/unsafeName`` if a pack has invalid names, ``PackError/Code/damaged``.
  public func difference(
    from old: PackIndex, _ work: Work = Work()
  ) async throws(PackError) -> PackDifference {
    try await work.detached { try self.difference(from: old, $0) }
  }
}

extension PackDifference {
  /// Compares a pack with a newer version, whatever their names; without one of them, all files were
  /// added or removed. Calls `progress` with the number of bytes of contents of archives compared.
  package init(
    _ old: PackIndex?, _ new: PackIndex?, jobs: Int,
    progress: @escaping @Sendable (UInt64) -> Void = { _ in }
  ) throws {
    let hasLinks = ![old, new].contains { $0?.isReport == true }
    let oldFiles = old?.sortedFiles(withLinks: hasLinks) ?? []
    let newFiles = new?.sortedFiles(withLinks: hasLinks) ?? []
    var changes: [Change] = []
    // For entries whose headers agree, keeps only what comparing their contents needs.
    var alike: [(old: Int32, new: Int32)] = []
    var unchanged = 0
    var (i, j) = (0, 0)
    while i < oldFiles.count || j < newFiles.count {
      let left = i < oldFiles.count ? old?.entries[Int(oldFiles[i])] : nil
      let right = j < newFiles.count ? new?.entries[Int(newFiles[j])] : nil
      let paths = [left, right].compactMap { $0.map { RelativePath(unchecked: $0.archivePath) } }
      let first = paths.min()?.bytes
      let change = Change(
        old: left?.archivePath == first ? left : nil, new: right?.archivePath == first ? right : nil
      )
      if let left = change.old, let right = change.new, left.hasSameMetadata(as: right) {
        unchanged += 1
        if left.size > 0 { alike.append((oldFiles[i], newFiles[j])) }
      } else {
        changes.append(change)
      }
      if change.old != nil { i += 1 }
      if change.new != nil { j += 1 }
    }
    changes = changes.withRenamed
    if let old, let new {
      let count = alike.count
      let renamed = changes.indices.filter { index in
        guard changes[index].oldPath != nil, let left = changes[index].old,
          let right = changes[index].new, left.size > 0, left.hasSameMetadata(as: right)
        else { return false }
        alike.append((Int32(clamping: left.number), Int32(clamping: right.number)))
        return true
      }
      let different = try old.differing(alike, in: new, jobs: jobs, progress)
      for (index, change) in renamed.enumerated() where !different.contains(count + index) {
        changes[change].isOnlyRenamed = true
      }
      let changed = different.filter { $0 < count }
      changes += changed.map { index in
        Change(old: old.entries[Int(alike[index].old)], new: new.entries[Int(alike[index].new)])
      }
      unchanged -= changed.count
    }
    name = (new ?? old)?.name ?? ""
    (self.old, self.new) = (old, new)
    self.changes = changes.sorted { $0.path < $1.path }
    self.unchanged = unchanged
  }
}

extension PackIndex {
  /// The indices of those pairs of entries whose contents differ.
  fileprivate func differing(
    _ pairs: [(old: Int32, new: Int32)], in new: PackIndex, jobs: Int,
    _ progress: @escaping @Sendable (UInt64) -> Void
  ) throws -> Set<Int> {
    let areKnown = pairs.allSatisfy {
      hashes[Int($0.old)] != nil && new.hashes[Int($0.new)] != nil
    }
    if isFile, new.isFile, !areKnown {
      var contents = EntryPairs()
      for pair in pairs {
        contents.append(old: entries[Int(pair.old)], new: new.entries[Int(pair.new)])
      }
      return try contents.differing(of: self, and: new, jobs: jobs, progress: progress)
    }
    let oldHashes = try hashes(of: pairs.map { Int($0.old) }, jobs: jobs)
    let newHashes = try new.hashes(of: pairs.map { Int($0.new) }, jobs: jobs)
    return Set(
      pairs.indices.filter { index in
        let hash = oldHashes[Int(pairs[index].old)]
        return hash == nil || hash != newHashes[Int(pairs[index].new)]
      })
  }

  fileprivate var isReport: Bool { if case .report = source { true } else { false } }

  /// The numbers of the entries that apps read, sorted by path.
  fileprivate func sortedFiles(withLinks: Bool) -> [Int32] {
    // Limits keep the number of entries far below 2^31.
    let files = entries.indices.filter {
      entries[$0].isFile(ofPack: isAssetPack) && (withLinks || entries[$0].isFile)
    }
    return files.map { Int32(clamping: $0) }.sorted {
      RelativePath(unchecked: entries[Int($0)].archivePath)
        < RelativePath(unchecked: entries[Int($1)].archivePath)
    }
  }
}

extension [PackIndex] {
  /// Compares packs with newer ones that have the same identifier or, without one, the same file
  /// name. Calls `progress` with the number of bytes of the new packs' archive streams that are
  /// done. The result is sorted by name.
  package func compare(
    to new: [PackIndex], jobs: Int, progress: @escaping @Sendable (UInt64) -> Void = { _ in }
  ) throws -> [PackDifference] {
    let (old, new) = (try byName(), try new.byName())
    var differences: [PackDifference] = []
    var done: UInt64 = 0
    for name in Set(old.keys).union(new.keys).sorted() {
      let start = done
      differences.append(
        try PackDifference(old[name], new[name], jobs: jobs) { progress(start + $0) })
      done += new[name]?.container?.rawSize ?? 0
    }
    return differences
  }

  package func byName() throws -> [String: PackIndex] {
    var named: [String: PackIndex] = [:]
    for pack in self {
      if let other = named.updateValue(pack, forKey: pack.name) {
        throw PackagingError(
          "'\(other.path)' and '\(pack.path)' have the same identifier, '\(pack.name)'; packs are "
            + "compared by identifier")
      }
    }
    return named
  }
}

extension [PackDifference.Change] {
  /// The changes with a removed and an added file as one if their names differ only in a hash, and
  /// no other file's does.
  fileprivate var withRenamed: Self {
    var pairs: [RelativePath: (old: [Int], new: [Int])] = [:]
    for (index, change) in enumerated() where change.old == nil || change.new == nil {
      let name = change.path.withoutHash
      if name == change.path { continue }
      if change.old != nil { pairs[name, default: ([], [])].old.append(index) }
      if change.new != nil { pairs[name, default: ([], [])].new.append(index) }
    }
    var joined = self
    var gone: Set<Int> = []
    for (old, new) in pairs.values where old.count == 1 && new.count == 1 {
      joined[new[0]] = PackDifference.Change(old: self[old[0]].old, new: self[new[0]].new)
      gone.insert(old[0])
    }
    return joined.indices.filter { !gone.contains($0) }.map { joined[$0] }
  }
}

/// Pairs of files in two packs whose contents are to be compared, in a compact form.
struct EntryPairs {
  /// The offsets of the contents in the first pack's stream.
  private var oldStarts: [UInt64] = []
  /// The ranges of the contents in the second pack's stream, of the same sizes.
  private var ranges: [StreamRange] = []

  /// Adds a pair of entries, whose contents must have the same size, which is not 0.
  mutating func append(old: PackEntry, new: PackEntry) {
    guard let oldContents = old.contents, let newContents = new.contents else { return }
    ranges.append(StreamRange(id: ranges.count, range: newContents))
    oldStarts.append(oldContents.lowerBound)
  }

  /// The indices of the pairs whose contents differ, in the order they were added. Calls `progress`
  /// with the number of bytes compared.
  consuming func differing(
    of old: PackIndex, and new: PackIndex, jobs: Int,
    progress: @escaping @Sendable (UInt64) -> Void = { _ in }
  ) throws -> Set<Int> {
    ranges.sort { $0.range.lowerBound < $1.range.lowerBound }
    let ((oldInput, oldFacts), (input, facts)) = (try old.archive(), try new.archive())
    let state = Monitor((different: Set<Int>(), compared: UInt64(0)))
    // Each thread has two blocks of the old pack in memory, besides those of the new one.
    let jobs = affordableJobs(jobs, pieceSize: oldFacts.kind.pieceSize)
    let starts = oldStarts
    try readPieces(
      ranges, of: input, facts, jobs: jobs,
      makeWorker: { () throws(Errno) in try BlockCache(oldInput, oldFacts) },
      piece: { file, offset, bytes, cache in
        if state.withLock({ $0.different.contains(file.id) }) { return }
        let isDifferent = try !cache.contains(bytes, at: starts[file.id] + offset)
        progress(
          state.withLock { state in
            if isDifferent { state.different.insert(file.id) }
            state.compared += UInt64(bytes.byteCount)
            return state.compared
          })
      })
    return state.withLock(\.different)
  }
}

extension PackEntry {
  func hasSameMetadata(as other: PackEntry) -> Bool {
    kind == other.kind && size == other.size && linkTarget == other.linkTarget
      && (kind != .file || isExecutable == other.isExecutable)
  }
}
