extension PackEntry {
  /// ``archivePath``, if it is valid: relative, no parts that are empty, `.` or `..`, UTF-8,
  /// and at most ``PackFormat/maximumPathLength`` bytes.
  package func safePath() throws(ArchiveDamage) -> RelativePath {
    if archivePath.count > PackFormat.maximumPathLength {
      throw damage(
        .pathLength, "a path of more than \(grouped(PackFormat.maximumPathLength)) bytes")
    }
    if archivePath.first == ASCII.slash {
      throw damage(.pathAbsolute, "an absolute path, which would leave the folder of the pack")
    }
    let parts = archivePath.split(separator: ASCII.slash, omittingEmptySubsequences: false)
    if !archivePath.isEmpty, parts.contains(where: \.isEmpty) {
      throw damage(.pathEmptyPart, "a path with an empty part")
    }
    if let part = parts.first(where: { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) })
    {
      throw damage(
        .pathDots,
        "a path containing '\(printable(part))', which is not allowed")
    }
    guard String(validating: archivePath, as: UTF8.self) != nil,
      let path = RelativePath(archivePath)
    else {
      throw damage(.pathUTF8, "a path that is not UTF-8")
    }
    return path
  }

  /// The path as an app reads it. The root for an entry that none can read: one that isn't in `Contents`,
  /// or whose stored path could escape it.
  public var path: RelativePath { gamePath ?? .root }

  /// The path as an app reads it, relative to `Contents`; nil for `Contents` itself, for entries
  /// outside it, for metadata, and for a path that could escape it. Length and encoding are not
  /// checked.
  package var gamePath: RelativePath? {
    kind == .metadata ? nil : PackFormat.contentsPath(of: archivePath).flatMap { RelativePath($0) }
  }
}

/// Checks the names of an archive's entries, in order, against each other and against the rules.
package struct EntryNames {
  private var tree: NameTree<Int>
  private var last: PackEntry?

  /// Names for `entries`, if they are known before they are added.
  package init(for entries: [PackEntry] = []) {
    tree = NameTree(room: entries.reduce(0) { $0 + $1.archivePath.count })
  }

  /// The maximum number of directories that are in paths but have no entry. Packs have an entry for
  /// each; a single path can name hundreds.
  static let maximumImpliedDirectories = 100_000

  /// The clash of the last entry with an earlier one that only some file systems have.
  package var clash: ArchiveDamage? {
    guard let last, let clash = tree.clash else { return nil }
    return last.damage(
      .pathClash,
      "'\(clash.path)' and '\(clash.other)' are the same name on file systems that ignore case or "
        + "normalization")
  }

  /// Adds an entry; throws if it can't be extracted next to the earlier ones.
  package mutating func add(_ entry: PackEntry) throws(ArchiveDamage) {
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
    guard tree.impliedDirectories <= Self.maximumImpliedDirectories else {
      throw entry.damage(
        .limit,
        "paths go through more than \(grouped(Self.maximumImpliedDirectories)) directories without an "
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

  /// Links must stay within `Contents`, the root of what a device sees.
  private func checkLink(_ entry: PackEntry, _ path: RelativePath) throws(ArchiveDamage) {
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
