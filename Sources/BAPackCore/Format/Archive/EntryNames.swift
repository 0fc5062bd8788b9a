extension EntryHeader {
  /// The path, where it keeps the rules of paths in an archive: relative, parts that are neither
  /// empty, `.` nor `..`, UTF-8, and at most ``PackFormat/maximumPathLength`` bytes.
  package func safePath() throws(ArchiveDamage) -> RelativePath {
    if path.count > PackFormat.maximumPathLength {
      throw damage(
        .pathLength, "a path of more than \(grouped(PackFormat.maximumPathLength)) bytes")
    }
    if path.first == ASCII.slash {
      throw damage(.pathAbsolute, "an absolute path, which would leave the folder of the pack")
    }
    let parts = path.split(separator: ASCII.slash, omittingEmptySubsequences: false)
    if !path.isEmpty, parts.contains(where: \.isEmpty) {
      throw damage(.pathEmptyPart, "a path with an empty part")
    }
    if let part = parts.first(where: { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) })
    {
      throw damage(
        .pathDots,
        "a path containing '\(printable(part))', which is not allowed")
    }
    guard String(validating: path, as: UTF8.self) != nil, let path = RelativePath(path) else {
      throw damage(.pathUTF8, "a path that is not UTF-8")
    }
    return path
  }

  /// The path in the archive; nil for the root, for metadata, and for a path with parts that could
  /// lead elsewhere.
  var archivePath: RelativePath? {
    kind == .metadata || path.isEmpty ? nil : RelativePath(path)
  }

  /// The path as a game reads it, below `Contents`; nil for `Contents` itself, for what stands
  /// beside it, for metadata, and for a path with parts that could lead elsewhere. Whether it is UTF-8
  /// and short enough, ``safePath()`` tells.
  public var gamePath: RelativePath? {
    guard kind != .metadata else { return nil }
    return PackFormat.contentsPath(of: path).flatMap { RelativePath($0) }
  }
}

/// Holds the names of an archive against each other and against the rules, in the order of its
/// entries.
package struct EntryNames {
  private var tree = NameTree<Int>()
  private var last: EntryHeader?

  package init() {}

  /// The most directories that paths may lead through without an entry of their own. Packs have an
  /// entry for each; a single path can name hundreds.
  static let mostImpliedDirectories = 100_000

  /// What the last entry has to do with one before it, on some file systems only.
  package var clash: ArchiveDamage? {
    guard let last, let clash = tree.clash else { return nil }
    return last.damage(
      .pathClash,
      "'\(clash.path)' and '\(clash.other)' are the same name on file systems that ignore case or "
        + "normalization")
  }

  /// Adds an entry; throws what keeps it from standing in a folder beside those before it.
  package mutating func add(_ entry: EntryHeader) throws(ArchiveDamage) {
    last = nil
    if entry.kind == .metadata { return }
    let path = try entry.safePath()
    let isDirectory = entry.kind == .directory
    if path == .root, !isDirectory {
      throw entry.damage(
        .rootType, "the root of the archive is \(entry.kind.name), not a directory")
    }
    last = entry
    let problem = tree.add(path, isDirectory: isDirectory, entry.number)
    guard tree.impliedDirectories <= Self.mostImpliedDirectories else {
      throw entry.damage(
        .limit,
        "paths go through more than \(grouped(Self.mostImpliedDirectories)) directories without an "
          + "entry")
    }
    switch problem {
    case nil: break
    case .taken(let other):
      throw entry.damage(.duplicatePath, "entry \(grouped(other)) has the same path")
    case .belowFile(let file, let other):
      throw entry.damage(
        .belowNonDirectory,
        "the parent '\(printable(file))' is not a directory (entry \(grouped(other)))"
      )
    case .aboveOthers:
      throw entry.damage(
        .belowNonDirectory, "earlier entries are inside this path, but it is not a directory")
    }
    switch entry.kind {
    case .file, .directory: break
    case .symbolicLink: try checkLink(entry, path)
    default:
      throw entry.damage(
        .specialFile, "\(entry.kind.name); asset packs contain only files and directories")
    }
  }

  /// The root of what a device sees is `Contents`: a link in it may not climb out of it.
  private func checkLink(_ entry: EntryHeader, _ path: RelativePath) throws(ArchiveDamage) {
    guard let target = entry.linkTarget else {
      throw entry.damage(.missingLink, "a symbolic link without a target (LNK)")
    }
    guard target.count <= PackFormat.maximumPathLength else {
      throw entry.damage(
        .pathLength,
        "a symbolic link with a target of more than \(grouped(PackFormat.maximumPathLength)) bytes")
    }
    var depth = path.components.count - 1
    let floor = path.isInside(.contents) ? 1 : 0
    var leaves = target.isEmpty || target.first == ASCII.slash
    for part in target.split(separator: ASCII.slash) where !part.elementsEqual(".".utf8) {
      if part.elementsEqual("..".utf8) {
        leaves = leaves || depth <= floor
        depth -= 1
      } else {
        depth += 1
      }
    }
    if leaves {
      throw entry.damage(
        .linkOutside, "a symbolic link to '\(printable(target))', which is outside the pack")
    }
  }
}
