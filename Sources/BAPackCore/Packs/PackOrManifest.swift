package enum PackOrManifest: Hashable, Sendable {
  case archive(BytePath)
  case manifest(BytePath)

  package var path: BytePath {
    switch self {
    case .archive(let path), .manifest(let path): path
    }
  }

  /// The packs and manifests at `paths`, in order, without duplicates. A file whose name ends in
  /// .json is a manifest, any other a pack. A folder means the packs in it, files whose names end
  /// in .aar, or else the manifests in it. Hidden files are skipped.
  package static func inputs(at paths: [BytePath]) throws -> [PackOrManifest] {
    try paths.flatMap { path -> [PackOrManifest] in
      guard try path.isFolder() else {
        return [path.hasExtension("json") ? .manifest(path) : .archive(path)]
      }
      let packs = try packs(inFolder: path)
      if !packs.isEmpty { return packs.map(PackOrManifest.archive) }
      return try ManifestFiles(at: [path], besidePacks: true).files.map { .manifest($0.path) }
    }.unique()
  }

  /// The packs at `paths`, in order, without duplicates. A folder means the packs in it, files
  /// whose names end in .aar, without hidden files.
  package static func packs(at paths: [BytePath]) throws -> [BytePath] {
    try paths.flatMap { path -> [BytePath] in
      guard try path.isFolder() else { return [path] }
      let packs = try packs(inFolder: path)
      if packs.isEmpty {
        throw PackagingError("no asset packs in '\(path)': no file name there ends in .aar")
      }
      return packs
    }.unique()
  }

  static func packs(inFolder folder: BytePath) throws -> [BytePath] {
    var packs: [BytePath] = []
    for name in try folder.names() where name.first != ASCII.dot {
      let path = folder.appending(name)
      if path.hasExtension("aar"), try !path.isFolder() { packs.append(path) }
    }
    return packs
  }
}

extension BytePath {
  package func isFolder() throws(SystemError) -> Bool {
    if isStandardStream { return false }
    // Reading the file fails with the same error, which is a finding there.
    return try optional(
      .noSuchFile, .notDirectory, .permissionDenied, .tooManyLinks,
      call: FileStatus.following(self).kind) == .directory
  }
}
