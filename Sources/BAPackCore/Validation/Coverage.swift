extension FilePath {
  /// The files below this folder that none of `selections` takes, in the order of an archive. The
  /// folder's own `.git` is left aside, and so are the files at `exceptions`.
  public func filesNotTaken(
    by selections: [Selection], except exceptions: [FilePath] = []
  ) throws(SystemError) -> [RelativePath] {
    let top = try resolved()
    var taken: Set<FilePath> = []
    for selection in selections {
      let root = try selection.root.resolved()
      for file in selection.files { taken.insert(root.appending(file.source.bytes)) }
    }
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
