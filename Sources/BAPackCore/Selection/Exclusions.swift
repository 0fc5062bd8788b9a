/// The `fileExclusion` selectors of a manifest. Each is a path, which excludes a file or a folder
/// with everything in it, or a pattern for files; a file whose name looks like a pattern can be
/// excluded by its literal name. Paths and patterns apply to sources.
struct Exclusions {
  private var paths: [RelativePath: [Int]] = [:]
  private var globs: [(glob: Glob, selector: Int)] = []
  /// The path or pattern of each, by the index of the selector.
  private(set) var written: [Int: RelativePath] = [:]

  /// The exclusions among `selectors`; appends findings about invalid ones.
  init(_ selectors: [FileSelector], _ findings: inout [Finding]) {
    for (index, selector) in selectors.enumerated() {
      guard selector.kind == .fileExclusion else { continue }
      do {
        let path = try RelativePath.selector(selector.source)
        written[index] = path
        paths[path, default: []].append(index)
        if Glob.isPattern(path.bytes) {
          globs.append((try Glob(path, at: selector.source.location), index))
        }
      } catch {
        findings.append(error)
      }
    }
  }

  /// The indices of the selectors that exclude the file or folder at `path` itself.
  func selectors(excluding path: RelativePath, isFolder: Bool) -> [Int] {
    var selectors = paths.isEmpty ? [] : paths[path] ?? []
    if isFolder || globs.isEmpty { return selectors }
    for (glob, selector) in globs where glob.matches(path) { selectors.append(selector) }
    return selectors
  }

  /// The indices of the selectors that exclude `path` or a folder above it.
  func selectors(excludingAnyOf path: RelativePath, isFolder: Bool) -> [Int] {
    for folder in path.ancestors {
      if let selectors = paths[folder] { return selectors }
    }
    return selectors(excluding: path, isFolder: isFolder)
  }
}
