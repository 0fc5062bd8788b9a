extension FilePath {
  /// The files below this folder that none of `selections` takes, in the order of an archive. What
  /// is taken through a link is taken. The folder's own `.git` is left aside, and so are the files
  /// at `exceptions`.
  public func filesNotTaken(
    by selections: [Selection], except exceptions: [FilePath] = []
  ) throws(SystemError) -> [RelativePath] {
    let top = try resolved()
    var taken: Set<FilePath> = []
    for selection in selections { taken.formUnion(selection.resolvedSources()) }
    for exception in exceptions {
      if let path = try? exception.resolved() { taken.insert(path) }
    }
    let tree = try SourceTree(self, output: nil)
    var missing: [RelativePath] = []
    var folders = [RelativePath.root]
    while let folder = folders.popLast() {
      // A folder that cannot be read has no files to tell of.
      guard let (_, children) = try? tree.children(of: folder) else { continue }
      for child in children where !(folder == .root && child.name == Array(".git".utf8)) {
        let path = folder.appending(child.name)
        switch child.status.kind {
        case .directory: folders.append(path)
        case .file where !taken.contains(top.appending(path.bytes)): missing.append(path)
        default: break
        }
      }
    }
    return missing.sorted()
  }
}

extension Selection {
  /// The absolute paths of the files, without links. A root that is not there gives none.
  fileprivate func resolvedSources() -> [FilePath] {
    var folders: [RelativePath: FilePath] = [:]
    return files.compactMap { file in
      guard let parent = file.source.parent else { return nil }
      let full = root.appending(file.source.bytes)
      // Only links are resolved one by one: it takes the system a while.
      if (try? full.linkTarget()) != nil { return try? full.resolved() }
      if folders[parent] == nil { folders[parent] = try? full.folder.resolved() }
      return folders[parent]?.appending(file.source.name)
    }
  }
}
