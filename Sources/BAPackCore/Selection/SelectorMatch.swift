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
    for selector in selectors { try? add(selector.kind) }
  }

  private mutating func add(_ kind: FileSelector.Kind) throws {
    switch kind {
    case .file(let written):
      let path = try RelativePath.selector(written)
      files[path, default: []].append(path)
    case .fileMapping(let written, let destination):
      try files[.selector(written), default: []].append(.destination(ofFile: destination))
    case .directory(let written):
      let path = try RelativePath.selector(written)
      folders[path, default: []].append(path)
    case .directoryMapping(let written, let destination):
      try folders[.selector(written), default: []].append(.selector(destination))
    case .filePattern(let written):
      patterns.append(try Glob(try .selector(written), at: written.location))
    case .fileExclusion:
      break
    }
  }

  /// The destinations of the file at `path`.
  package func destinations(of path: RelativePath) -> Set<RelativePath> {
    guard exclusions.selectors(excludingAnyOf: path, isFolder: false).isEmpty else { return [] }
    var found = Set(files[path] ?? [])
    var folder = path.parent
    while let above = folder {
      found.formUnion((folders[above] ?? []).map { path.moved(from: above, to: $0) })
      folder = above.parent
    }
    if patterns.contains(where: { $0.matches(path) }) { found.insert(path) }
    return found
  }
}
