/// One element of `fileSelectors`: files that the pack takes, or leaves out.
public struct Selector: Sendable {
  /// What it selects.
  public let kind: Kind
  /// The whole object in the manifest.
  public let location: SourceLocation

  /// A selector of `kind` that stands at `location`.
  public init(_ kind: Kind, at location: SourceLocation) {
    self.kind = kind
    self.location = location
  }

  /// The kinds of selectors. Paths are as written, relative to the source root (destinations: to the
  /// top of the pack), with no rule of paths checked yet.
  public enum Kind: Sendable {
    /// One file, under its own path.
    case file(Located<String>)
    /// A folder and all below it, under its own path.
    case directory(Located<String>)
    /// Files that match a glob, under their own paths.
    case filePattern(Located<String>)
    /// One file, under another path.
    case fileMapping(source: Located<String>, destination: Located<String>)
    /// What is below a folder, under another folder.
    case directoryMapping(source: Located<String>, destination: Located<String>)
    /// A path or a glob: takes out what other selectors matched.
    case fileExclusion(Located<String>)
  }
}
