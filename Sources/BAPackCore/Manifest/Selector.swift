/// One element of `fileSelectors`: files that the pack contains or excludes.
public struct FileSelector: Sendable {
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
  /// A path or a pattern as written, relative to the source root.
  package let source: Located<String>
  /// The path in the pack as written; nil for that of the source.
  package let destination: Located<String>?
  /// The whole object in the manifest.
  package let location: SourceLocation
  /// The source without needless parts: a path, or a pattern.
  let path: RelativePath
  /// Where the file or folder is in the pack.
  let packPath: RelativePath
  /// The pattern of a `filePattern`, and of an exclusion that can be one.
  let glob: Glob?

  /// Fails if a path leads out of the source root or the pack, or can't be a path or pattern at all.
  package init(
    _ kind: Kind, _ source: Located<String>, to destination: Located<String>? = nil,
    at location: SourceLocation
  ) throws(Finding) {
    self.kind = kind
    self.source = source
    self.destination = destination
    self.location = location
    path = try .selector(source)
    packPath =
      switch destination {
      case let written? where kind == .file: try .destination(ofFile: written)
      case let written?: try .selector(written)
      case nil: path
      }
    let isPattern =
      kind == .filePattern || kind == .fileExclusion && Glob.isPattern(path.bytes)
    glob = isPattern ? try Glob(path, at: source.location) : nil
  }

  /// A selector made in code, whose path is checked with the manifest, from its text.
  private init(_ kind: Kind, _ source: String, to destination: String?) {
    let location = SourceLocation(SourceText(name: [], bytes: []), 0..<0)
    self.kind = kind
    self.source = Located(source, at: location)
    self.destination = destination.map { Located($0, at: location) }
    self.location = location
    path = (try? .selector(self.source)) ?? .root
    packPath = path
    glob = nil
  }

  /// A file at a path below the source root, at `destination` in the pack, or else at the same path.
  public static func file(_ path: String, to destination: String? = nil) -> FileSelector {
    FileSelector(.file, path, to: destination)
  }

  /// A folder with everything in it, at `destination` in the pack, or else at the same path.
  public static func directory(_ path: String, to destination: String? = nil) -> FileSelector {
    FileSelector(.directory, path, to: destination)
  }

  /// The files whose paths match a pattern such as `Levels/**/*.json`.
  public static func pattern(_ pattern: String) -> FileSelector {
    FileSelector(.filePattern, pattern, to: nil)
  }

  /// Excludes what other selectors match: a file, a folder or a pattern.
  public static func exclusion(_ pathOrPattern: String) -> FileSelector {
    FileSelector(.fileExclusion, pathOrPattern, to: nil)
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
    if kind == .fileExclusion { return nil }
    guard kind == .filePattern else { return path }
    let names = path.components.prefix { !Glob.isPattern(Array($0)) }
    return names.isEmpty
      ? nil : RelativePath(unchecked: Array(names.joined(separator: [ASCII.slash])))
  }
}
