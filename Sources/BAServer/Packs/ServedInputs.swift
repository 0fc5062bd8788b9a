import BAPackCore

extension PackOrManifest {
  /// The inputs to serve for `paths`, without duplicates: an archive, the pack of a manifest, or the
  /// archives and manifests in a folder.
  package static func served(at paths: [BytePath]) throws -> [PackOrManifest] {
    try paths.flatMap(Self.served).unique()
  }

  private static func served(at path: BytePath) throws -> [PackOrManifest] {
    guard try FileStatus.following(path).kind == .directory else {
      // The user may name any file; loading it shows whether it is a pack.
      return [path.hasExtension("json") ? .manifest(path) : .archive(path)]
    }
    let found = try path.names()
      .filter { $0.first != UInt8(ascii: ".") }
      .compactMap { input(inFolder: path.appending($0)) }
    if !found.isEmpty { return found }
    throw PackagingError(
      "there is no asset pack (.aar) and no manifest (.json) in the folder '\(path)'")
  }

  /// A file in a folder as an archive or a manifest; nil if it is neither. Of JSON files, only
  /// manifests count: download manifests and records of versions are often next to packs.
  private static func input(inFolder path: BytePath) -> PackOrManifest? {
    if path.hasExtension("aar") { return .archive(path) }
    guard path.hasExtension("json"), (try? FileStatus.following(path))?.kind == .file else {
      return nil
    }
    let bytes: [UInt8]
    do {
      bytes = try path.contents(limit: JSONDocument.maximumSize)
    } catch {
      // It may be a manifest, so the error is reported when it is packaged.
      return error.code == .fileTooLarge ? nil : .manifest(path)
    }
    let root = JSONDocument(reading: SourceText(name: path.bytes, bytes: bytes)).root
    let isManifest = root?["assetPackID"] != nil || root?["fileSelectors"] != nil
    return isManifest ? .manifest(path) : nil
  }
}
