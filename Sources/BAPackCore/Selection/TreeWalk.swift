/// Finds the files below a root that one selector takes.
///
/// Links are followed while they lead to something inside the root. What can't be packed becomes a
/// finding at the selector; the walk goes on with the rest.
struct TreeWalk {
  /// A file that was found, by its path below the root.
  struct File {
    let path: RelativePath
    let size: UInt64
    let isExecutable: Bool
    let modified: Int64
  }

  private let glob: Glob?
  private let exclusions: Exclusions
  private let location: SourceLocation
  /// The folders from the walk's first to the present one.
  private var ancestors: [FileStatus.Identity] = []
  private(set) var files: [File] = []
  private(set) var findings: [Finding] = []
  /// The exclusions that took something out.
  private(set) var usedExclusions: Set<Int> = []

  /// A walk for the selector at `location`: for all files, or those that `glob` takes.
  init(matching glob: Glob? = nil, except exclusions: Exclusions, for location: SourceLocation) {
    self.glob = glob
    self.exclusions = exclusions
    self.location = location
  }

  /// Visits `folder` and everything below, in the order of an archive.
  mutating func visit(_ folder: RelativePath, of tree: borrowing SourceTree) {
    visit(folder, glob?.start, tree)
  }

  private mutating func visit(
    _ folder: RelativePath, _ progress: Glob.Progress?, _ tree: borrowing SourceTree
  ) {
    let (identity, children): (FileStatus.Identity, [SourceTree.Child])
    do throws(SourceError) {
      (identity, children) = try tree.children(of: folder)
      if ancestors.contains(identity) { throw .linkLoop(".") }
    } catch {
      findings.append(error.finding(folder, at: location))
      return
    }
    ancestors.append(identity)
    defer { ancestors.removeLast() }
    for child in children where !(folder == .root && child.name == Array(".git".utf8)) {
      let progress = progress.flatMap { glob?.advance($0, by: child.name[...]) }
      let takesFile = progress.flatMap { glob?.isComplete($0) } ?? true
      let takesFolder = progress.flatMap { glob?.mayMatchBelow($0) } ?? true
      if takesFile || takesFolder {
        visit(child, folder.appending(child.name), takesFile, takesFolder, progress, tree)
      }
    }
  }

  private mutating func visit(
    _ child: SourceTree.Child, _ path: RelativePath, _ takesFile: Bool, _ takesFolder: Bool,
    _ progress: Glob.Progress?, _ tree: borrowing SourceTree
  ) {
    var status = child.status
    if let exclusion = exclusions.selector(excluding: path, isFolder: status.kind == .directory) {
      usedExclusions.insert(exclusion)
      return
    }
    if status.kind == .symbolicLink {
      do throws(SourceError) {
        status = try tree.status(path)
      } catch {
        // A pattern that only passes by has nothing to say of a broken link.
        if takesFile { findings.append(error.finding(path, at: location)) }
        return
      }
    }
    switch status.kind {
    case .file where !takesFile || tree.isOutput(status): return
    case .directory where !takesFolder: return
    case .file, .directory:
      guard isUTF8(child.name) else {
        findings.append(
          Finding(
            .nameNotUTF8, "the name of '\(path)' is not UTF-8", at: location,
            notes: [Note("rename it: an archive holds UTF-8 paths only")]))
        return
      }
    default:
      guard takesFile else { return }
      findings.append(
        Finding(
          .specialFile, "'\(path)' is \(status.kind), which can't be packed", at: location,
          notes: [Note("move it away or take it out with 'fileExclusion'")]))
      return
    }
    if status.kind == .directory {
      visit(path, progress, tree)
    } else {
      files.append(
        File(
          path: path, size: status.size, isExecutable: status.isExecutable,
          modified: status.modified))
    }
  }
}

private func isUTF8(_ bytes: [UInt8]) -> Bool {
  bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil
}
