/// A change to a pack in a download manifest.
package struct DownloadManifestChange: Sendable, Equatable {
  /// The pack.
  package let identifier: String
  /// Its archive.
  package let path: BytePath
  /// ``PackFacts/serverName``.
  package let serverName: String
  /// The previous version; nil for a new pack.
  package let from: Int?
  /// The new version.
  package let to: Int
  /// Whether the caller chose the version.
  package let isGiven: Bool
  /// How the contents compare with the highest previous version.
  package let contents: Contents
  /// The keys of the element whose values have changed.
  package let keys: [String]

  /// How the contents of a pack compare with its highest previous version.
  package enum Contents: Sendable {
    /// The same.
    case same
    /// Different.
    case other
    /// There is no such version, or no record of its contents.
    case unknown
  }

  /// Whether the archive differs from the one that is served, or has a new URL: a new pack,
  /// different contents, another URL, or the same contents compressed to another size.
  package var needsUpload: Bool {
    from == nil || contents != .same
      || keys.contains { ["version", "url", "downloadSize"].contains($0) }
  }

  /// The name of the file on a server, percent-encoded in the URL. Nil if it can't be a file name,
  /// or contains a control character.
  package var fileName: String? {
    let isName = serverName.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != ASCII.slash }
    return isName ? serverName : nil
  }
}

/// A pack that an edit removes from the list.
package struct DroppedPack: Sendable, Equatable {
  /// The pack.
  package let identifier: String
  /// Its highest known version.
  package let version: Int
}

extension [DownloadManifestChange] {
  /// Findings about packs that can't be in a list of uploads, which has a line with name and path
  /// for each pack.
  package var uploadFindings: [Finding] {
    filter(\.needsUpload).compactMap { change in
      let name = printable(change.identifier.utf8)
      if change.fileName == nil {
        return Finding(
          .downloadURL,
          "'\(change.path)' can't be listed for upload: its identifier '\(name)' is not a valid "
            + "file name", at: nil)
      }
      if change.path.bytes.contains(UInt8(ascii: "\n")) {
        return Finding(
          .downloadURL,
          "'\(change.path)' can't be listed for upload: its path has several lines; rename the "
            + "file",
          at: nil)
      }
      return nil
    }
  }
}
