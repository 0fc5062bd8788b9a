import BAPackCore

/// The parts of a Steam build script about one depot that a manifest can express.
public struct DepotScript: Sendable {
  /// The ID of the depot; nil if the script has none.
  public var id: String?
  /// The folder that local paths are relative to, itself relative to the folder of the script in
  /// which it is written; nil if there is none.
  public var contentRoot: Located<[UInt8]>?
  /// The mappings of files, in the order written.
  public var mappings: [FileMapping]
  /// Patterns of excluded files.
  public var exclusions: [Located<[UInt8]>]
  /// The key of the depot's block.
  public let location: SourceLocation

  /// A `FileMapping`: files in the content root, and their folder in the depot.
  public struct FileMapping: Sendable {
    /// A file, or a pattern for names in a folder.
    public let localPath: Located<[UInt8]>
    /// The folder of the depot.
    public let depotPath: Located<[UInt8]>
    /// Whether the pattern also matches names in folders below.
    public let isRecursive: Bool
  }
}
