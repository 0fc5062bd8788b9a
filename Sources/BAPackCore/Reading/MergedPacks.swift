/// A file of a pack as games know it.
public struct PackedFile: Sendable {
  /// The index of the pack that holds it.
  public let pack: Int
  /// Its entry in that pack.
  public let entry: EntryHeader

  /// The path as the game reads it.
  public var path: RelativePath { entry.gamePath ?? .root }
}

/// Several packs as a device merges them: one namespace of all that stands below `Contents`.
public struct MergedPacks: Sendable {
  /// The packs, in the order given.
  public let packs: [Pack]
  /// Files, and symbolic links, in the order of their paths.
  public let files: [PackedFile]
  /// Directories in the order of their paths.
  public let directories: [RelativePath]

  /// Merges `packs`. Each of their names must be fit for a file system. A file may be in several packs
  /// when it is the same in all; then the first counts.
  public init(_ packs: [Pack], jobs: Int = availableProcessors()) throws(MergeError) {
    var tree = NameTree<Int>()
    var files: [PackedFile] = []
    var copies: [PackedFile] = []
    var directories: [RelativePath] = []
    for (number, pack) in packs.enumerated() {
      do throws(ArchiveDamage) { try pack.checkNames() } catch { throw .damage(error, pack.path) }
      for entry in pack.entries {
        guard let path = entry.gamePath else { continue }
        let isDirectory = entry.kind == .directory
        if let (other, isOtherDirectory) = tree.owner(of: path), isDirectory || isOtherDirectory {
          if isDirectory && isOtherDirectory { continue }
          let (file, directory) = isDirectory ? (packs[other], pack) : (pack, packs[other])
          throw .clash(
            "'\(path)' is a file in '\(file.path)' and a directory in '\(directory.path)'" + advice)
        }
        switch tree.add(path, isDirectory: isDirectory, number) {
        case nil: break
        case .taken:
          copies.append(PackedFile(pack: number, entry: entry))
          continue
        case .belowFile(let file, let other):
          throw .clash(
            "'\(path)' in '\(pack.path)' lies below '\(printable(file))', which is a file in "
              + "'\(packs[other].path)'" + advice)
        case .aboveOthers:
          throw .clash(
            "'\(path)' is a file in '\(pack.path)' and a directory in another pack" + advice)
        }
        if isDirectory {
          directories.append(path)
        } else {
          files.append(PackedFile(pack: number, entry: entry))
        }
      }
    }
    self.packs = packs
    // All begin with `Contents/`, so this is the order of the paths that games read.
    files.sort {
      RelativePath(unchecked: $0.entry.path) < RelativePath(unchecked: $1.entry.path)
    }
    self.files = files
    self.directories = directories.sorted()
    try checkCopies(copies, jobs: jobs)
  }

  /// Holds files that several packs have against the first of each.
  private func checkCopies(_ copies: [PackedFile], jobs: Int) throws(MergeError) {
    var pairs: [[Int]: [EntryPair]] = [:]
    for (id, copy) in copies.enumerated() {
      guard let first = file(at: copy.path) else { continue }
      guard first.entry.looksLike(copy.entry) else { throw clash(first.pack, copy) }
      pairs[[first.pack, copy.pack], default: []].append(
        EntryPair(id: id, old: first.entry, new: copy.entry))
    }
    for (both, pairs) in pairs.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let different: Set<Int>
      do throws(PackFailure) {
        different = try pairsThatDiffer(pairs, of: packs[both[0]], and: packs[both[1]], jobs: jobs)
      } catch {
        throw .archive(error.error, error.pack)
      }
      if let id = different.min() { throw clash(both[0], copies[id]) }
    }
  }

  private func clash(_ first: Int, _ copy: PackedFile) -> MergeError {
    .clash(
      "'\(copy.path)' is not the same in '\(packs[first].path)' and '\(packs[copy.pack].path)'"
        + advice)
  }

  /// The file or link at `path`.
  public func file(at path: RelativePath) -> PackedFile? {
    var low = 0
    var high = files.count
    while low < high {
      let middle = (low + high) / 2
      if files[middle].path < path { low = middle + 1 } else { high = middle }
    }
    return low < files.count && files[low].path == path ? files[low] : nil
  }
}

private let advice = "; devices merge all packs of an app into one folder"

/// Why packs can't be merged.
public enum MergeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A name in the pack at that path is unfit for a file system.
  case damage(ArchiveDamage, FilePath)
  /// Two packs can't stand in one folder, explained.
  case clash(String)
  /// The pack at that path can't be read.
  case archive(ArchiveError, FilePath)

  /// What is wrong, with the name of the pack.
  public var description: String {
    switch self {
    case .damage(let damage, let path): "'\(path)': \(damage)"
    case .clash(let explanation): explanation
    case .archive(.damage(let damage), let pack): "'\(pack)': \(damage)"
    case .archive(let error, _): error.description
    }
  }
}

extension Pack {
  /// Holds all names against the rules and each other, and asks for something that games can read.
  func checkNames() throws(ArchiveDamage) {
    var names = EntryNames()
    for entry in entries { try names.add(entry) }
    let contents = RelativePath.contents.bytes
    guard entries.contains(where: { $0.path == contents || $0.gamePath != nil }) else {
      throw .noContents
    }
  }

  /// Hands the contents of one file to `body`, in order. Only the blocks that hold them are decoded.
  public func readContents(
    of entry: EntryHeader, jobs: Int = availableProcessors(),
    _ body: @escaping @Sendable (RawSpan) throws(SystemError) -> Void
  ) throws(ArchiveError) {
    guard let range = entry.contents, !range.isEmpty else { return }
    try readPieces(
      input, container, [StreamRange(id: 0, range: range)], jobs: jobs, into: ContentsSink(body))
  }
}

private final class ContentsSink: PieceSink {
  typealias Worker = Void
  private let body: @Sendable (RawSpan) throws(SystemError) -> Void

  init(_ body: @escaping @Sendable (RawSpan) throws(SystemError) -> Void) { self.body = body }

  func orderedPiece(_ id: Int, _ offset: UInt64, _ bytes: RawSpan) throws(ArchiveError) {
    do throws(SystemError) { try body(bytes) } catch { throw .system(error) }
  }
}
