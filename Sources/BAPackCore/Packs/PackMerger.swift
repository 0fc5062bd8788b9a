/// Merges packs into one namespace, entry by entry.
struct PackMerger {
  /// Files, and symbolic links, in the order of the packs and their archives.
  private(set) var files: [PackedFile] = []
  /// Directories in the same order.
  private(set) var directories: [RelativePath] = []
  /// Files that an earlier pack contains too, to be compared with it.
  private(set) var copies: [PackedFile] = []
  private var tree = NameTree<Int>()
  private let paths: [BytePath]
  let wholeArchives: Bool

  /// The place of an entry.
  enum Place {
    case file(PackedFile)
    case directory(RelativePath)
  }

  /// A merger of the packs at `paths`: of what apps read, or of `wholeArchives`.
  init(_ paths: [BytePath], wholeArchives: Bool) {
    self.paths = paths
    self.wholeArchives = wholeArchives
  }

  /// Adds an entry of pack `number`, which must have passed ``EntryNames``. Returns its place; nil
  /// if it is ignored or exists already.
  mutating func add(_ entry: EntryHeader, of number: Int) throws -> Place? {
    guard let path = wholeArchives ? entry.archivePath : entry.gamePath else { return nil }
    let isDirectory = entry.kind == .directory
    if let (other, isOtherDirectory) = tree.owner(of: path), isDirectory || isOtherDirectory {
      if isDirectory && isOtherDirectory { return nil }
      let (file, directory) = isDirectory ? (other, number) : (number, other)
      throw PackagingError(.kinds(path, file: paths[file], directory: paths[directory]))
    }
    let file = PackedFile(pack: number, entry: entry, isOfArchive: wholeArchives)
    switch tree.add(path, isDirectory: isDirectory, number) {
    case nil: break
    case .taken:
      copies.append(file)
      return nil
    case .belowFile(let file, let other):
      throw PackagingError(.belowFile(path, in: paths[number], file: file, of: paths[other]))
    case .aboveOthers:
      throw PackagingError(.aboveOthers(path, in: paths[number]))
    }
    if isDirectory {
      directories.append(path)
      return .directory(path)
    }
    files.append(file)
    return .file(file)
  }
}
