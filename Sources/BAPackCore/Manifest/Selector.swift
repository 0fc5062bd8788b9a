/// One element of `fileSelectors`: files that the pack contains or excludes.
package struct FileSelector: Sendable {
  package let kind: Kind
  /// The whole object in the manifest.
  package let location: SourceLocation

  package init(_ kind: Kind, at location: SourceLocation) {
    self.kind = kind
    self.location = location
  }

  /// The kinds of selectors. Paths are as written, not checked yet, relative to the source root
  /// (destinations: to the top of the pack).
  package enum Kind: Sendable {
    /// A file, at its own path.
    case file(Located<String>)
    /// A folder with everything in it, at its own path.
    case directory(Located<String>)
    /// Files that match a pattern, at their own paths.
    case filePattern(Located<String>)
    /// A file, at another path.
    case fileMapping(source: Located<String>, destination: Located<String>)
    /// The contents of a folder, in another folder.
    case directoryMapping(source: Located<String>, destination: Located<String>)
    /// A path or a pattern that excludes what other selectors match.
    case fileExclusion(Located<String>)
  }
}

extension FileSelector.Kind {
  /// The kind and its paths, byte for byte: equal for equivalent selectors.
  var identity: [[UInt8]] {
    switch self {
    case .file(let path): ["f", path.value].map { Array($0.utf8) }
    case .directory(let path): ["d", path.value].map { Array($0.utf8) }
    case .filePattern(let path): ["p", path.value].map { Array($0.utf8) }
    case .fileMapping(let source, let destination):
      ["F", source.value, destination.value].map { Array($0.utf8) }
    case .directoryMapping(let source, let destination):
      ["D", source.value, destination.value].map { Array($0.utf8) }
    case .fileExclusion(let path): ["x", path.value].map { Array($0.utf8) }
    }
  }
}

extension FileSelector.Kind {
  /// The kind as in manifests, and its paths, escaped for display; a mapping's as `to <- from`.
  package var words: (key: String, paths: String) {
    switch self {
    case .file(let path): ("file", shown(path))
    case .directory(let path): ("directory", shown(path))
    case .filePattern(let path): ("filePattern", shown(path))
    case .fileMapping(let source, let destination):
      ("file", "\(shown(destination)) <- \(shown(source))")
    case .directoryMapping(let source, let destination):
      ("directory", "\(shown(destination)) <- \(shown(source))")
    case .fileExclusion(let path): ("fileExclusion", shown(path))
    }
  }

  private func shown(_ path: Located<String>) -> String { printable(path.value.utf8) }
}
