/// The `fileExclusion` selectors of a manifest. Each is a path, which excludes a file or a folder
/// with everything in it, or a pattern for files; a file whose name looks like a pattern can be
/// excluded by its literal name. Paths and patterns apply to sources.
struct Exclusions {
  private var paths: [RelativePath: [Int]] = [:]
  private var globs = GlobIndex<Int>()

  /// The exclusions among `selectors`.
  init(_ selectors: [FileSelector]) {
    for (index, selector) in selectors.enumerated() where selector.kind == .fileExclusion {
      paths[selector.path, default: []].append(index)
      if let glob = selector.glob { globs.add(glob, index) }
    }
  }

  /// The indices of the selectors that exclude the file or folder at `path` itself.
  func selectors(excluding path: RelativePath, isFolder: Bool) -> [Int] {
    let selectors = paths.isEmpty ? [] : paths[path] ?? []
    return isFolder ? selectors : selectors + globs.values(matching: path)
  }

  /// The indices of the selectors that exclude `path` or a folder above it.
  func selectors(excludingAnyOf path: RelativePath, isFolder: Bool) -> [Int] {
    for folder in path.ancestors {
      if let selectors = paths[folder] { return selectors }
    }
    return selectors(excluding: path, isFolder: isFolder)
  }
}
