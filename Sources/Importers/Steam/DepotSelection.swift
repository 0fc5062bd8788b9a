import BAPackCore

/// The files that the selectors of a converted manifest match, before exclusions.
struct DepotSelection {
  private var files: Set<RelativePath> = []
  private var folders: [RelativePath] = []
  private var patterns: [Glob] = []

  init(_ selectors: [FileSelector] = []) {
    for selector in selectors {
      switch selector.kind {
      case .file(let path), .fileMapping(let path, _):
        RelativePath(path.value.utf8).map { _ = files.insert($0) }
      case .directory(let path), .directoryMapping(let path, _):
        folders.append(RelativePath(path.value.utf8) ?? .root)
      case .filePattern(let pattern):
        if let path = RelativePath(pattern.value.utf8), let glob = try? Glob(path) {
          patterns.append(glob)
        }
      case .fileExclusion: break
      }
    }
  }

  func contains(_ path: RelativePath) -> Bool {
    files.contains(path) || folders.contains { path.isInside($0) }
      || patterns.contains { $0.matches(path) }
  }
}
