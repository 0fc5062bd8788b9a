/// A source of a pack's contents.
package enum PackOrManifest: Hashable, Sendable {
  /// A pack.
  case archive(BytePath)
  /// A manifest.
  case manifest(BytePath)

  /// The file that the user named, or that was found in a folder.
  package var path: BytePath {
    switch self {
    case .archive(let path), .manifest(let path): path
    }
  }
}

extension PackOrManifest {
  /// The packs and manifests at `paths`, in order, without duplicates. A file whose name ends in
  /// .json is a manifest, any other a pack. A folder means the packs in it, files whose names end
  /// in .aar, or else the manifests in it. Hidden files are skipped.
  package static func inputs(at paths: [BytePath]) throws(InputFilesError) -> [PackOrManifest] {
    var seen: Set<PackOrManifest> = []
    var inputs: [PackOrManifest] = []
    for path in paths {
      for input in try Self.inputs(at: path) where seen.insert(input).inserted {
        inputs.append(input)
      }
    }
    return inputs
  }

  /// The packs at `paths`, in order, without duplicates. A folder means the packs in it, files
  /// whose names end in .aar, without hidden files.
  package static func packs(at paths: [BytePath]) throws(InputFilesError) -> [BytePath] {
    var seen: Set<BytePath> = []
    var files: [BytePath] = []
    for path in paths {
      var found = [path]
      if path.isFolder {
        found = try packs(inFolder: path)
        if found.isEmpty { throw .noPacks(in: path) }
      }
      for pack in found where seen.insert(pack).inserted { files.append(pack) }
    }
    return files
  }

  private static func inputs(at path: BytePath) throws(InputFilesError) -> [PackOrManifest] {
    guard path.isFolder else {
      return [path.hasExtension("json") ? .manifest(path) : .archive(path)]
    }
    let packs = try packs(inFolder: path)
    if !packs.isEmpty { return packs.map(PackOrManifest.archive) }
    do throws(InputFilesError) {
      return try AppCheck.manifests(at: [path]).map(PackOrManifest.manifest)
    } catch {
      if case .noManifest = error { throw .nothing(in: path) }
      throw error
    }
  }

  private static func packs(inFolder folder: BytePath) throws(InputFilesError) -> [BytePath] {
    let names = try mapping(InputFilesError.system, folder.names())
    return names.filter { $0.first != ASCII.dot }.map { folder.appending($0) }
      .filter { $0.hasExtension("aar") && !$0.isFolder }
  }
}

extension BytePath {
  /// Whether this is a folder.
  package var isFolder: Bool {
    // If the status can't be read, reading the file will fail.
    !isStandardStream && (try? FileStatus.following(self))?.kind == .directory
  }
}
