/// Finds the selectors of a manifest that match a file by its path alone: its source, below the
/// source root, or its destination, in the pack.
package struct SelectorMatch: Sendable {
  /// The paths of a file.
  package enum Path: Sendable {
    case source, destination
  }

  /// The index of a selector, and the other path of the file or folder.
  private typealias Match = (index: Int, other: RelativePath)

  private let path: Path
  private var files: [RelativePath: [Match]] = [:]
  private var folders: [RelativePath: [Match]] = [:]
  private var patterns: [(index: Int, glob: Glob)] = []
  private let exclusions: Exclusions

  /// Selectors with invalid paths match nothing.
  package init(_ selectors: [FileSelector], by path: Path) {
    self.path = path
    var findings: [Finding] = []
    exclusions = Exclusions(selectors, &findings)
    for (index, selector) in selectors.enumerated() { try? add(selector.kind, index) }
  }

  private mutating func add(_ kind: FileSelector.Kind, _ index: Int) throws {
    switch kind {
    case .file(let written):
      let path = try RelativePath.selector(written)
      files[path, default: []].append((index, path))
    case .fileMapping(let written, let destination):
      let ends = ends(try .selector(written), try .destination(ofFile: destination))
      files[ends.key, default: []].append((index, ends.other))
    case .directory(let written):
      let path = try RelativePath.selector(written)
      folders[path, default: []].append((index, path))
    case .directoryMapping(let written, let destination):
      let ends = ends(try .selector(written), try .selector(destination))
      folders[ends.key, default: []].append((index, ends.other))
    case .filePattern(let written):
      patterns.append((index, try Glob(try .selector(written), at: written.location)))
    case .fileExclusion:
      break
    }
  }

  private func ends(
    _ source: RelativePath, _ destination: RelativePath
  ) -> (key: RelativePath, other: RelativePath) {
    path == .source ? (source, destination) : (destination, source)
  }

  /// The indices of the selectors that match the file at `path`, each with the file's other path.
  package func matches(_ path: RelativePath) -> [(index: Int, other: RelativePath)] {
    var found = files[path] ?? []
    var folder = path.parent
    while let above = folder {
      found += (folders[above] ?? []).map { ($0, path.moved(from: above, to: $1)) }
      folder = above.parent
    }
    for (index, glob) in patterns where glob.matches(path) { found.append((index, path)) }
    return found.filter { _, other in
      let source = self.path == .source ? path : other
      return exclusions.selectors(excludingAnyOf: source, isFolder: false).isEmpty
    }
  }
}
