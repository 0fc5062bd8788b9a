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
  /// The keys as in manifests, each with its path.
  package var fields: [(key: String, path: Located<String>)] {
    switch self {
    case .file(let path): [("file", path)]
    case .directory(let path): [("directory", path)]
    case .filePattern(let path): [("filePattern", path)]
    case .fileMapping(let source, let destination):
      [("fileSource", source), ("fileDestination", destination)]
    case .directoryMapping(let source, let destination):
      [("directorySource", source), ("directoryDestination", destination)]
    case .fileExclusion(let path): [("fileExclusion", path)]
    }
  }

  /// `file`, `directory`, `filePattern` or `fileExclusion`, and the paths, escaped for display; a
  /// mapping's as `to <- from`.
  package var words: (key: String, paths: String) {
    let paths = fields.reversed().map { printable($0.path.value.utf8) }
    let key = fields[0].key
    return (
      key.hasSuffix("Source") ? String(key.dropLast("Source".count)) : key,
      paths.joined(separator: " <- ")
    )
  }
}

extension FileSelector {
  /// The path of the source up to the first name with a wildcard; nil for an exclusion, and if there
  /// is none.
  var start: RelativePath? {
    if case .fileExclusion = kind { return nil }
    guard let written = kind.fields.first?.path, let path = try? RelativePath.selector(written)
    else { return nil }
    guard case .filePattern = kind else { return path }
    let names = path.components.prefix { !Glob.isPattern(Array($0)) }
    return names.isEmpty
      ? nil : RelativePath(unchecked: Array(names.joined(separator: [ASCII.slash])))
  }
}
