/// One element of `fileSelectors`: files that the pack contains or excludes.
public struct FileSelector: Sendable {
  /// What it selects.
  public let kind: Kind
  /// The whole object in the manifest.
  public let location: SourceLocation

  /// A selector of `kind` at `location`.
  package init(_ kind: Kind, at location: SourceLocation) {
    self.kind = kind
    self.location = location
  }

  /// The kinds of selectors. Paths are as written, not checked yet, relative to the source root
  /// (destinations: to the top of the pack).
  public enum Kind: Sendable {
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
