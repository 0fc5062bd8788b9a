/// The `fileExclusion` selectors of a manifest. Each is a path, which takes out the file there or
/// all below the folder there, or a glob for files; a file whose name reads like a glob can be
/// named literally. Both are about sources, as all paths of selectors are.
struct Exclusions {
  private let paths: [RelativePath: [Int]]
  private let globs: [(glob: Glob, selector: Int)]
  private let written: [Int: RelativePath]

  /// The exclusions among `selectors`, and findings about those that can't be read.
  init(_ selectors: [Selector], _ findings: inout [Finding]) {
    var paths: [RelativePath: [Int]] = [:]
    var all: [Int: RelativePath] = [:]
    var globs: [(Glob, Int)] = []
    for (index, selector) in selectors.enumerated() {
      guard case .fileExclusion(let written) = selector.kind else { continue }
      do throws(Finding) {
        let path = try RelativePath.selector(written)
        all[index] = path
        paths[path, default: []].append(index)
        if Glob.isPattern(path.bytes) { globs.append((try Glob.selector(path, written), index)) }
      } catch {
        findings.append(error)
      }
    }
    self.paths = paths
    self.globs = globs
    written = all
  }

  /// The indices of all selectors that take out the file or folder at `path`, seen on its own.
  func selectors(excluding path: RelativePath, isFolder: Bool) -> [Int] {
    var selectors = paths.isEmpty ? [] : paths[path] ?? []
    if isFolder || globs.isEmpty { return selectors }
    for (glob, selector) in globs where glob.matches(path) { selectors.append(selector) }
    return selectors
  }

  /// The same for `path` and the folders above it.
  func selectors(excludingAnyOf path: RelativePath, isFolder: Bool) -> [Int] {
    var folder = path.parent
    while let above = folder {
      if let selectors = paths[above] { return selectors }
      folder = above.parent
    }
    return selectors(excluding: path, isFolder: isFolder)
  }

  /// The paths that the selectors with these indices write.
  func paths(of selectors: Set<Int>) -> Set<RelativePath> {
    Set(selectors.compactMap { written[$0] })
  }

  /// Whether selector number `index` is about one of `places` or something below.
  func isInside(_ index: Int, anyOf places: Set<RelativePath>) -> Bool {
    var path = written[index]
    while let here = path {
      if places.contains(here) { return true }
      path = here.parent
    }
    return false
  }
}

extension Glob {
  /// The glob that a selector writes.
  static func selector(
    _ path: RelativePath, _ written: Located<String>
  ) throws(Finding) -> Glob {
    do throws(GlobError) {
      return try Glob(path)
    } catch {
      throw Finding(
        .invalidPattern, "'\(path)' is not a pattern: \(error)", at: written.location)
    }
  }
}

extension GlobError: CustomStringConvertible {
  /// What is wrong and how to write it.
  public var description: String {
    switch self {
    case .unclosedSet: "'[' has no ']'; write '[[]' for the character itself"
    case .emptyRange: "a range in '[…]' runs backwards"
    case .caretSet: "write '[!…]' for all but a set of bytes"
    case .setBeyondASCII: "'[…]' can hold ASCII characters only"
    case .trailingBackslash: "nothing follows the last '\\'"
    case .tooManyParts: "it has more than \(Glob.mostParts) parts"
    }
  }
}
