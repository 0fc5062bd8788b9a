import BAPackCore

/// The parts of a Steam build script about one depot that a manifest can express.
package struct DepotScript: Sendable {
  /// The ID of the depot; nil if the script has none.
  package var id: String?
  /// The folder that local paths are relative to, itself relative to the folder of the script in
  /// which it is written; nil if there is none.
  package var contentRoot: Located<[UInt8]>?
  /// The mappings of files, in the order written.
  package var mappings: [FileMapping]
  /// Patterns of excluded files.
  package var exclusions: [Located<[UInt8]>]
  /// The key of the depot's block.
  package let location: SourceLocation

  /// A `FileMapping`: files in the content root, and their folder in the depot.
  package struct FileMapping: Sendable {
    /// A file, or a pattern for names in a folder.
    package let localPath: Located<[UInt8]>
    /// The folder of the depot.
    package let depotPath: Located<[UInt8]>
    /// Whether the pattern also matches names in folders below.
    package let isRecursive: Bool
  }
}
