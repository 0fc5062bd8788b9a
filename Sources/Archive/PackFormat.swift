/// The names and limits of an asset pack: an Apple Archive with `Manifest.json` and `Contents`.
package enum PackFormat {
  /// The maximum length of a path in an archive, in bytes. Other readers have the same limit.
  package static let maximumPathLength = 1023
  /// The maximum size of an embedded manifest, in bytes, for reading and writing.
  package static let maximumManifestSize = 1 << 24

  /// The path in the archive of `path`, which is relative to `Contents`.
  package static func archivePath(of path: RelativePath) -> RelativePath {
    path.prefixed(by: .contents)
  }

  /// The part of an archive path that is relative to `Contents`; nil for paths outside it.
  package static func contentsPath(of path: some Collection<UInt8>) -> [UInt8]? {
    path.starts(with: contentsPrefix) ? Array(path.dropFirst(contentsPrefix.count)) : nil
  }

  private static let contentsPrefix = RelativePath.contents.bytes + [ASCII.slash]
}

extension RelativePath {
  /// The folder of a pack's files.
  package static let contents = RelativePath(unchecked: Array("Contents".utf8))
  /// A pack's manifest. It is outside `Contents`, which may contain a file of the same name.
  package static let manifest = RelativePath(unchecked: Array("Manifest.json".utf8))
}
