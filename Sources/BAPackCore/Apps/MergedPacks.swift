/// A file of a pack, as apps see it.
package struct PackedFile: Sendable {
  package let pack: Int
  package let entry: PackEntry

  /// Whether its path is that in the archive rather than the one that apps use.
  let isOfArchive: Bool

  /// The path as apps use it, or as in the archive.
  package var path: RelativePath {
    isOfArchive ? RelativePath(unchecked: entry.archivePath) : entry.gamePath ?? .root
  }
}

/// Several packs as a device merges them: a single namespace of everything in their `Contents`.
package struct MergedPacks: Sendable {
  package let packs: [PackIndex]
  /// Files and symbolic links, sorted by path.
  package let files: [PackedFile]
  package let directories: [RelativePath]

  /// Merges what apps read of `packs`, or all of these archives. All names must be valid in a file
  /// system. A file may be in several packs if it is the same in all; the first one is used.
  package init(
    _ packs: [PackIndex], wholeArchives: Bool = false, jobs: Int = Processors.available
  ) throws {
    var merger = PackMerger(packs.map(\.path), wholeArchives: wholeArchives)
    for (number, pack) in packs.enumerated() {
      try pack.checkNames(ofAsset: !wholeArchives)
      for entry in pack.entries { try merger.add(entry, of: number) }
    }
    self.packs = packs
    // All begin with `Contents/`, so this is also the order of the paths that apps use.
    files = merger.files.sorted {
      RelativePath(unchecked: $0.entry.archivePath) < RelativePath(unchecked: $1.entry.archivePath)
    }
    directories = merger.directories.sorted()
    try checkCopies(merger.copies, jobs: jobs)
  }

  /// Compares files that are in several packs with the first of each.
  private func checkCopies(_ copies: [PackedFile], jobs: Int) throws {
    var pairs: [[Int]: (contents: EntryPairs, copies: [PackedFile])] = [:]
    for copy in copies {
      guard let first = file(at: copy.path) else { continue }
      guard first.entry.hasSameMetadata(as: copy.entry) else { throw clash(first.pack, copy) }
      if copy.entry.size == 0 { continue }
      let both = [first.pack, copy.pack]
      pairs[both, default: (EntryPairs(), [])].contents.append(old: first.entry, new: copy.entry)
      pairs[both]?.copies.append(copy)
    }
    for (both, pairs) in pairs.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let different = try pairs.contents.differing(
        of: packs[both[0]], and: packs[both[1]], jobs: jobs)
      if let index = different.min() { throw clash(both[0], pairs.copies[index]) }
    }
  }

  private func clash(_ first: Int, _ copy: PackedFile) -> PackagingError {
    .clash(
      "'\(copy.path)' is not the same in '\(packs[first].path)' and '\(packs[copy.pack].path)'")
  }

  package func file(at path: RelativePath) -> PackedFile? {
    let index = files.partitioningIndex { !($0.path < path) }
    return index < files.count && files[index].path == path ? files[index] : nil
  }
}

private struct PackMerger {
  /// Files, and symbolic links, in the order of the packs and their archives.
  private(set) var files: [PackedFile] = []
  private(set) var directories: [RelativePath] = []
  /// Files that an earlier pack contains too, to be compared with it.
  private(set) var copies: [PackedFile] = []
  private var tree = NameTree<Int>()
  private let paths: [BytePath]
  private let wholeArchives: Bool

  /// A merger of the packs at `paths`: of what apps read, or of `wholeArchives`.
  init(_ paths: [BytePath], wholeArchives: Bool) {
    self.paths = paths
    self.wholeArchives = wholeArchives
  }

  /// Adds an entry of pack `number`, which must have passed ``EntryNames``.
  mutating func add(_ entry: PackEntry, of number: Int) throws {
    if wholeArchives, entry.kind == .metadata || entry.archivePath.isEmpty { return }
    guard let path = wholeArchives ? RelativePath(entry.archivePath) : entry.gamePath else {
      return
    }
    let isDirectory = entry.kind == .directory
    if let (other, isOtherDirectory) = tree.owner(of: path), isDirectory || isOtherDirectory {
      if isDirectory && isOtherDirectory { return }
      let (file, directory) = isDirectory ? (other, number) : (number, other)
      throw PackagingError.clash(
        "'\(path)' is a file in '\(paths[file])' and a directory in '\(paths[directory])'")
    }
    let file = PackedFile(pack: number, entry: entry, isOfArchive: wholeArchives)
    switch tree.add(path, isDirectory: isDirectory, number) {
    case nil: break
    case .taken:
      copies.append(file)
      return
    case .belowFile(let file, let other):
      throw PackagingError.clash(
        "'\(path)' in '\(paths[number])' lies below '\(printable(file))', which is a file in "
          + "'\(paths[other])'")
    case .aboveOthers:
      throw PackagingError.clash(
        "'\(path)' is a file in '\(paths[number])' and a directory in another pack")
    }
    if isDirectory { directories.append(path) } else { files.append(file) }
  }
}

extension [PackIndex] {
  /// Fails if the packs of one of the players can't be merged.
  package func checkMerging(jobs: Int = Processors.available) throws {
    for player in players.all where !player.packs.isEmpty {
      _ = try MergedPacks(self[player], jobs: jobs)
    }
  }
}
