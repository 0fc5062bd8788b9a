import BAPackCore

/// What a Steam build script says about one depot, as far as a manifest can say it too.
public struct DepotScript: Sendable {
  /// The folder that local paths start from, relative to the script's own; nil for that folder.
  public var contentRoot: Located<[UInt8]>?
  /// Which files come where, in the order written.
  public var mappings: [FileMapping]
  /// Patterns of files that no mapping takes.
  public var exclusions: [Located<[UInt8]>]
  /// The key of the depot's block.
  public let location: SourceLocation

  /// A `FileMapping`: files of the content root, and the folder of the depot that they come into.
  public struct FileMapping: Sendable {
    /// A file, or a folder with a pattern of names in it.
    public let localPath: Located<[UInt8]>
    /// The folder of the depot.
    public let depotPath: Located<[UInt8]>
    /// Whether the pattern takes names in folders below, too.
    public let isRecursive: Bool
  }
}
