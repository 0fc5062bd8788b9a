/// One element of `fileSelectors`: files that the pack contains or excludes.
package struct FileSelector: Sendable {
  /// The kinds of selectors, by the keys that they have alone.
  package enum Kind: String, Sendable {
    case file
    /// A folder with everything in it.
    case directory
    case filePattern
    /// A path or a pattern that excludes what other selectors match.
    case fileExclusion
  }

  package let kind: Kind
  /// A path or a pattern as written, not checked yet, relative to the source root.
  package let source: Located<String>
  /// The path in the pack as written; nil for that of the source.
  package let destination: Located<String>?
  /// The whole object in the manifest.
  package let location: SourceLocation

  package init(
    _ kind: Kind, _ source: Located<String>, to destination: Located<String>? = nil,
    at location: SourceLocation
  ) {
    self.kind = kind
    self.source = source
    self.destination = destination
    self.location = location
  }

  /// The keys as in manifests, each with its path.
  package var fields: [(key: String, path: Located<String>)] {
    guard let destination else { return [(kind.rawValue, source)] }
    return [("\(kind)Source", source), ("\(kind)Destination", destination)]
  }

  /// The source, escaped for display, or `destination <- source`.
  package var paths: String {
    fields.reversed().map { printable($0.path.value.utf8) }.joined(separator: " <- ")
  }

  /// The path of the source up to the first name with a wildcard; nil for an exclusion, and if there
  /// is none.
  package var start: RelativePath? {
    guard kind != .fileExclusion, let path = try? RelativePath.selector(source) else { return nil }
    guard kind == .filePattern else { return path }
    let names = path.components.prefix { !Glob.isPattern(Array($0)) }
    return names.isEmpty
      ? nil : RelativePath(unchecked: Array(names.joined(separator: [ASCII.slash])))
  }

  /// A selector's file or folder, where that is in the pack, and the pattern for files below.
  typealias Target = (source: RelativePath, destination: RelativePath, glob: Glob?)

  /// What is selected; not for exclusions.
  func target() throws(Finding) -> Target {
    let path = try RelativePath.selector(source)
    if kind == .filePattern { return (.root, .root, try Glob(path, at: source.location)) }
    guard let destination else { return (path, path, nil) }
    return (
      path, kind == .file ? try .destination(ofFile: destination) : try .selector(destination), nil
    )
  }
}
