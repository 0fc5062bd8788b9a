import BAPackCore

/// The parts of a Steam build script about one depot that a manifest can express.
package struct DepotScript: Sendable {
  package var id: String?
  /// The folder that local paths are relative to, itself relative to the folder of the script in
  /// which it is written.
  package var contentRoot: Located<[UInt8]>?
  /// The mappings of files, in the order written.
  package var mappings: [FileMapping] = []
  package var exclusions: [Located<[UInt8]>] = []
  /// The key of the depot's block.
  package let location: SourceLocation

  /// A `FileMapping`: files in the content root, and their folder in the depot.
  package struct FileMapping: Sendable {
    package let localPath: Located<[UInt8]>
    package let depotPath: Located<[UInt8]>
    /// Whether the pattern also matches names in folders below.
    package let isRecursive: Bool
  }

  /// The content root relative to the working directory: `option`, or the script's `ContentRoot`,
  /// which is relative to the folder of the script. Fails for a Windows path, and if there is none.
  package func contentRoot(option: BytePath?) throws(Finding) -> BytePath {
    if let option { return option }
    guard let written = contentRoot else {
      throw Finding(.depotValue, "the depot has no 'ContentRoot'", at: location)
    }
    guard let path = DepotPath(written.value).filePath else {
      throw Finding(
        .depotPath, "'\(printable(written.value))' is a Windows path", at: written.location)
    }
    return BytePath(written.location.source.name).folder.appending(path.bytes)
  }
}
