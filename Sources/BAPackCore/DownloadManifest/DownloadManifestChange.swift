/// What an edit does to a pack.
public struct DownloadManifestChange: Sendable, Equatable {
  /// The pack.
  public let identifier: String
  /// Its archive.
  public let path: FilePath
  /// The version that was listed; nil for a pack that was not.
  public let from: Int?
  /// The version that is listed now.
  public let to: Int
  /// Whether the version was given, and not decided on here.
  public let isGiven: Bool
  /// What the contents are beside those of the highest version before.
  public let contents: Contents
  /// The keys of the entry whose values are other than before.
  public let keys: [String]

  /// What the contents of a pack are beside those of its highest version before.
  public enum Contents: Sendable {
    /// The same.
    case same
    /// Others.
    case other
    /// Nothing is recorded of that version's contents, or there is none.
    case unknown
  }

  /// Whether the archive is another than the one that is served, or is to be served elsewhere: a new
  /// pack, other contents, another address, or the same contents packed to another size.
  public var needsUpload: Bool {
    from == nil || contents != .same
      || keys.contains { ["version", "url", "downloadSize"].contains($0) }
  }

  /// The file that a server looks for at the pack's address: the identifier as it is, where the
  /// address has it percent-encoded. Nil where that is no name of a file, or could end a line.
  public var fileName: String? {
    let isName = identifier.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != ASCII.slash }
    return isName ? identifier : nil
  }
}

/// A pack that an edit takes off a list.
public struct DroppedPack: Sendable, Equatable {
  /// The pack.
  public let identifier: String
  /// The highest version that it is known to have had.
  public let version: Int
}

extension [DownloadManifestChange] {
  /// What can't stand in a list of uploads, which has a line for each with name and path.
  public var uploadFindings: [Finding] {
    filter(\.needsUpload).compactMap { change in
      let name = printable(change.identifier.utf8)
      if change.fileName == nil {
        return Finding(
          .downloadURL,
          "'\(change.path)' is called '\(name)', which is no name for a file on a server: choose "
            + "another identifier, or do without --print-uploads", at: nil)
      }
      if change.path.bytes.contains(UInt8(ascii: "\n")) {
        return Finding(
          .downloadURL,
          "the path '\(change.path)' can't stand on a line of --print-uploads: rename the archive",
          at: nil)
      }
      return nil
    }
  }
}
