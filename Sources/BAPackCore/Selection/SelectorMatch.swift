/// Finds what selectors of a manifest make of a file, by its path below the source root alone.
package struct SelectorMatch: Sendable {
  /// The destinations of a file or folder.
  private var files: [RelativePath: [RelativePath]] = [:]
  private var folders: [RelativePath: [RelativePath]] = [:]
  private var patterns: [Glob] = []
  private let exclusions: Exclusions

  /// Selectors with invalid paths match nothing.
  package init(_ selectors: [FileSelector]) {
    var findings: [Finding] = []
    exclusions = Exclusions(selectors, &findings)
    for selector in selectors where selector.kind != .fileExclusion {
      guard let (source, destination, glob) = try? selector.target() else { continue }
      switch (selector.kind, glob) {
      case (_, let glob?): patterns.append(glob)
      case (.file, nil): files[source, default: []].append(destination)
      default: folders[source, default: []].append(destination)
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
