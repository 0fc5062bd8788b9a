/// The names and limits of an asset pack: an Apple Archive with `Manifest.json` and `Contents`.
package enum PackFormat {
  /// The most bytes of a path in an archive, as other readers of the format allow it.
  package static let maximumPathLength = 1023
  /// The most bytes of an embedded manifest that readers accept; larger ones are never written.
  package static let maximumManifestSize = 1 << 24

  /// The path of `path`, which is relative to `Contents`, in the archive.
  package static func archivePath(of path: RelativePath) -> RelativePath {
    path.prefixed(by: .contents)
  }

  /// The part of an archive's path that is relative to `Contents`; nil for paths outside it.
  package static func contentsPath(of path: some Collection<UInt8>) -> [UInt8]? {
    path.starts(with: contentsPrefix) ? Array(path.dropFirst(contentsPrefix.count)) : nil
  }

  private static let contentsPrefix = RelativePath.contents.bytes + [ASCII.slash]
}

extension RelativePath {
  /// The folder of a pack's files.
  package static let contents = RelativePath(unchecked: Array("Contents".utf8))
  /// A pack's manifest: outside `Contents`, where a file of the same name may be.
  package static let manifest = RelativePath(unchecked: Array("Manifest.json".utf8))
}
