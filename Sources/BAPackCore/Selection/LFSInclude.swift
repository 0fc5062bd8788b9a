/// The Git LFS pointers among selected files, as the list of patterns that `git lfs pull --include`
/// expects.
///
/// A folder of which all pointers are selected is one pattern: git-lfs compares each of its files
/// with each pattern.
package struct LFSInclude {
  /// The pointers, as seen from the top of the repository.
  private var paths: Set<RelativePath> = []
  /// The top of the repository, and a pointer in it.
  private var repository: (top: BytePath, file: BytePath)?
  private var tops: [BytePath: BytePath?] = [:]

  package init() {}

  /// Adds the pointers in `selection`, whose pointers must have been read
  /// (``SelectionPolicy/readsPointers``).
  package mutating func add(_ selection: Selection) throws {
    for file in selection.files where file.pointer?.kind == .lfsPointer {
      let shown = selection.root.appending(file.source.bytes)
      // git-lfs knows a file by its path without links.
      let path = try shown.resolved()
      guard let top = try top(of: path.folder), let inside = path.path(inside: top) else {
        throw PackagingError(
          "'\(shown)' is a Git LFS pointer outside any Git repository; fetch it in a clone")
      }
      if let repository, repository.top != top {
        throw PackagingError(
          "'\(repository.file)' and '\(shown)' are in different Git repositories; list the "
            + "manifests of each on their own")
      }
      repository = (top, shown)
      paths.insert(inside)
    }
  }

  /// The patterns, sorted, with commas between them; empty if there is no pointer. Fails if no
  /// pattern can represent one.
  package func line() throws -> [UInt8] {
    guard let top = repository?.top else { return [] }
    let folder = RootFolder(try top.attempt(.openFolder, FileDescriptor.directory(top)), top)
    var covered: [RelativePath] = []
    _ = try cover(.root, paths.sorted()[...], folder, &covered)
    return Array(try covered.map(pattern).joined(separator: [comma]))
  }

  private mutating func top(of folder: BytePath) throws -> BytePath? {
    if let known = tops[folder] { return known }
    let top = try folder.repositoryTop()
    tops[folder] = .some(top)
    return top
  }

  /// Adds folders and files to `covered` that have exactly the pointers `paths`, which are sorted
  /// and in `folder`; returns whether there are no others in it.
  private func cover(
    _ folder: RelativePath, _ paths: ArraySlice<RelativePath>, _ root: RootFolder,
    _ covered: inout [RelativePath]
  ) throws -> Bool {
    let depth = folder.components.count
    var selected: [ArraySlice<UInt8>: ArraySlice<RelativePath>] = [:]
    var rest = paths
    while let first = rest.first {
      let name = first.components[depth]
      let child = folder.appending(name)
      let end = rest.firstIndex { !$0.isInside(child) } ?? rest.endIndex
      selected[name] = rest[..<end]
      rest = rest[end...]
    }
    let start = covered.count
    var isWhole = folder != .root
    for child in try root.listing(of: folder).get().children() {
      let path = folder.appending(child.name)
      switch (child.status.kind, selected[child.name[...]]) {
      case (.directory, let inside?):
        if try !cover(path, inside, root, &covered) { isWhole = false }
      case (.directory, nil):
        // Not worth a search.
        isWhole = false
      case (.file, .some):
        covered.append(path)
      case (.file, nil) where isWhole && child.status.size < Stub.sizeLimit:
        let contents = try root.bytes(of: path, upTo: Int(child.status.size))
        if Stub(contents: contents)?.kind == .lfsPointer { isWhole = false }
      default: break
      }
    }
    if isWhole { covered.replaceSubrange(start..., with: [folder]) }
    return isWhole
  }

  /// The pattern for the file or folder at `path`: with a slash at its start, it matches nothing
  /// below the top.
  private func pattern(_ path: RelativePath) throws -> [UInt8] {
    let last = String(decoding: path.bytes, as: UTF8.self).unicodeScalars.last ?? " "
    // git-lfs drops a space at the end, but not from a set of Latin-1 characters.
    let isWide = last.properties.isWhitespace && last.value > 0xFF
    let bad = path.bytes.first { $0 == comma || $0 < 0x20 }
    if bad != nil || isWide {
      var folder = path.parent ?? .root
      while folder != .root, (try? pattern(folder)) == nil { folder = folder.parent ?? .root }
      // A backslash is shown as two, as patterns need them.
      let shown = "\(folder)".map { "*?[]".contains($0) ? "\\\($0)" : "\($0)" }.joined()
      throw PackagingError(
        "git-lfs can't be told to fetch '\(path)' alone, since "
          + (bad == comma
            ? "commas separate its patterns"
            : bad == nil ? "it drops a space at the end" : "the name has a control character")
          + "; rename it, or fetch its folder with: git lfs pull"
          + (folder == .root ? "" : " --include '/\(shown)'"))
    }
    let pattern =
      [ASCII.slash]
      + path.bytes.flatMap {
        #"\*?[]"#.utf8.contains($0) ? [ASCII.backslash, $0] : [$0]
      }
    // It misreads a backslash at the end, too.
    if last == "\\" { return pattern.dropLast(2) + #"[\\]"#.utf8 }
    guard last.properties.isWhitespace else { return pattern }
    return pattern.dropLast(UTF8.width(last)) + "[\(last)]".utf8
  }
}

private let comma = UInt8(ascii: ",")
