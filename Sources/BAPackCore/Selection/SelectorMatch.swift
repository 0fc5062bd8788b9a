/// Finds what selectors of a manifest make of a file, by its path below the source root alone.
package struct SelectorMatch: Sendable {
  /// The destinations of a file or folder.
  private var files: [RelativePath: [RelativePath]] = [:]
  private var folders: [RelativePath: [RelativePath]] = [:]
  private var patterns: [Glob] = []
  private let exclusions: Exclusions

  package init(_ selectors: [FileSelector]) {
    exclusions = Exclusions(selectors)
    for selector in selectors {
      switch selector.kind {
      case .file: files[selector.path, default: []].append(selector.place)
      case .directory: folders[selector.path, default: []].append(selector.place)
      case .filePattern: patterns += [selector.glob].compactMap(\.self)
      case .fileExclusion: continue
      }
    }
  }

  /// The destinations of the file at `path`.
  package func destinations(of path: RelativePath) -> Set<RelativePath> {
    guard exclusions.selectors(excludingAnyOf: path, isFolder: false).isEmpty else { return [] }
    var found = Set(files[path] ?? [])
    for above in path.ancestors {
      found.formUnion((folders[above] ?? []).map { path.moved(from: above, to: $0) })
    }
    if patterns.contains(where: { $0.matches(path) }) { found.insert(path) }
    return found
  }
}
