/// Finds the selector of a manifest that matches a file, given the file's path in the pack.
package struct SelectorMatch: Sendable {
  private let tests: [(index: Int, test: Test)]

  private enum Test {
    case path(RelativePath)
    case folder(RelativePath)
    case pattern(Glob)
  }

  /// Selectors with invalid paths match nothing.
  package init(_ selectors: [FileSelector]) {
    tests = selectors.enumerated().compactMap { index, selector in
      (try? Self.test(selector.kind)).flatMap(\.self).map { (index, $0) }
    }
  }

  private static func test(_ kind: FileSelector.Kind) throws(Finding) -> Test? {
    switch kind {
    case .file(let written): .path(try .selector(written))
    case .fileMapping(_, let destination): .path(try .destination(ofFile: destination))
    case .directory(let written): .folder(try .selector(written))
    case .directoryMapping(_, let destination): .folder(try .selector(destination))
    case .filePattern(let written): .pattern(try Glob(try .selector(written), at: written.location))
    case .fileExclusion: nil
    }
  }

  /// The index of the first selector that matches the file at `path`; nil if none does.
  package func index(of path: RelativePath) -> Int? {
    tests.first { _, test in
      switch test {
      case .path(let file): file == path
      case .folder(let folder): folder == .root || path.isInside(folder)
      case .pattern(let glob): glob.matches(path)
      }
    }?.index
  }
}
