/// A file of a pack, as apps see it.
package struct PackedFile: Sendable {
  /// The index of the pack that contains it.
  package let pack: Int
  /// Its entry in that pack.
  package let entry: EntryHeader

  /// Whether its path is that in the archive rather than the one that apps use.
  let isOfArchive: Bool

  /// The path as apps use it, or as in the archive.
  package var path: RelativePath {
    isOfArchive ? RelativePath(unchecked: entry.path) : entry.gamePath ?? .root
  }
}

/// Several packs as a device merges them: a single namespace of everything in their `Contents`.
package struct MergedPacks: Sendable {
  /// The packs, in the order given.
  package let packs: [PackIndex]
  /// Files and symbolic links, sorted by path.
  package let files: [PackedFile]
  /// Directories, sorted by path.
  package let directories: [RelativePath]

  /// Merges `packs`, all of whose names must be valid in a file system. A file may be in several
  /// packs if it is the same in all; the first one is used.
  package init(_ packs: [PackIndex], jobs: Int = Processors.available) throws {
    var merger = PackMerger(packs.map(\.path), wholeArchives: false)
    for (number, pack) in packs.enumerated() {
      try pack.checkNames()
      for entry in pack.entries { _ = try merger.add(entry, of: number) }
    }
    try self.init(packs, merger, jobs: jobs)
  }

  /// The result of `merger` for all entries of `packs`.
  init(_ packs: [PackIndex], _ merger: PackMerger, jobs: Int) throws {
    self.packs = packs
    // All begin with `Contents/`, so this is also the order of the paths that apps use.
    files = merger.files.sorted {
      RelativePath(unchecked: $0.entry.path) < RelativePath(unchecked: $1.entry.path)
    }
    directories = merger.directories.sorted()
    try checkCopies(merger.copies, jobs: jobs)
  }

  /// Compares files that are in several packs with the first of each.
  private func checkCopies(_ copies: [PackedFile], jobs: Int) throws {
    var pairs: [[Int]: (contents: EntryPairs, copies: [PackedFile])] = [:]
    for copy in copies {
      guard let first = file(at: copy.path) else { continue }
      guard first.entry.looksLike(copy.entry) else { throw clash(first.pack, copy) }
      if copy.entry.size == 0 { continue }
      let both = [first.pack, copy.pack]
      pairs[both, default: (EntryPairs(), [])].contents.append(old: first.entry, new: copy.entry)
      pairs[both]?.copies.append(copy)
    }
    for (both, pairs) in pairs.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let different = try pairsThatDiffer(
        pairs.contents, of: packs[both[0]], and: packs[both[1]], jobs: jobs)
      if let index = different.min() { throw clash(both[0], pairs.copies[index]) }
    }
  }

  private func clash(_ first: Int, _ copy: PackedFile) -> PackagingError {
    PackagingError(.contents(copy.path, in: packs[first].path, and: packs[copy.pack].path))
  }

  /// The file or link at `path`.
  package func file(at path: RelativePath) -> PackedFile? {
    let index = files.partitioningIndex { !($0.path < path) }
    return index < files.count && files[index].path == path ? files[index] : nil
  }
}

extension [PackIndex] {
  /// Fails if the packs of a player of some language can't be merged.
  package func checkMerging(jobs: Int = Processors.available) throws {
    for (_, packs) in players where !packs.isEmpty { _ = try MergedPacks(packs, jobs: jobs) }
  }
}

extension PackIndex {
  /// Checks all names against the rules and each other. An asset pack must contain something that
  /// apps can read.
  package func checkNames() throws {
    do throws(ArchiveDamage) {
      var names = EntryNames()
      for entry in entries { try names.add(entry) }
      guard isAssetPack else { throw .noContents }
    } catch {
      throw error.named(path)
    }
  }

  /// Passes the contents of one file to `body`, in order. Only the blocks that contain them are
  /// decoded.
  ///
  /// - Throws: ``ArchiveDamage``, ``SystemError`` if the pack can't be read, ``Interrupted``, and the
  ///   errors of `body`.
  public func readContents(
    of entry: EntryHeader, jobs: Int = Processors.available,
    _ body: @escaping @Sendable (RawSpan) throws -> Void
  ) throws {
    let (input, container) = try archive()
    guard let range = StreamRange(id: 0, contentsOf: entry) else {
      if let problem = EntryDigest(entry)?.problem { throw input.error(problem) }
      return
    }
    try readPieces(input, container, [range], jobs: jobs, into: ContentsSink(body))
  }
}

private final class ContentsSink: PieceSink {
  typealias Worker = Void
  private let body: @Sendable (RawSpan) throws -> Void

  init(_ body: @escaping @Sendable (RawSpan) throws -> Void) { self.body = body }

  func orderedPiece(_ id: Int, _ offset: UInt64, _ bytes: RawSpan) throws { try body(bytes) }
}
