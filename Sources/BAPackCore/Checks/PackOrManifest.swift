/// Something that a pack comes from.
package enum PackOrManifest: Hashable, Sendable {
  /// A pack.
  case archive(BytePath)
  /// A manifest, from which a pack can be made.
  case manifest(BytePath)

  /// The file that the user named, or that was found in a folder.
  package var path: BytePath {
    switch self {
    case .archive(let path), .manifest(let path): path
    }
  }
}

extension PackOrManifest {
  /// What `paths` stand for, each once, in the order given. A file whose name ends in .json is a
  /// manifest, and any other a pack. A folder stands for the packs in it, files whose names end in
  /// .aar; for the manifests in it if there are none. Hidden files are left out.
  package static func inputs(at paths: [BytePath]) throws(PackPathsError) -> [PackOrManifest] {
    var seen: Set<PackOrManifest> = []
    var inputs: [PackOrManifest] = []
    for path in paths {
      for input in try Self.inputs(at: path) where seen.insert(input).inserted {
        inputs.append(input)
      }
    }
    return inputs
  }

  /// The packs that `paths` stand for, each once, in the order given. A folder stands for the packs
  /// in it, files whose names end in .aar; hidden files are left out.
  package static func packs(at paths: [BytePath]) throws(PackPathsError) -> [BytePath] {
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

  private static func inputs(at path: BytePath) throws(PackPathsError) -> [PackOrManifest] {
    guard path.isFolder else {
      return [path.hasExtension("json") ? .manifest(path) : .archive(path)]
    }
    let packs = try packs(inFolder: path)
    if !packs.isEmpty { return packs.map(PackOrManifest.archive) }
    do throws(ManifestFilesError) {
      return try AppCheck.manifests(at: [path]).map(PackOrManifest.manifest)
    } catch {
      if case .noManifest = error { throw .nothing(in: path) }
      throw .manifests(error)
    }
  }

  private static func packs(inFolder folder: BytePath) throws(PackPathsError) -> [BytePath] {
    let names = try mapping(PackPathsError.system) { () throws(SystemError) in
      try FileDescriptor.directory(folder).names(of: folder)
    }
    return names.filter { $0.first != ASCII.dot }.map { folder.appending($0) }
      .filter { $0.hasExtension("aar") && !$0.isFolder }
  }
}

extension BytePath {
  /// Whether it names a folder.
  package var isFolder: Bool {
    // What can't be looked at fails when it is read.
    !isStandardStream && (try? FileStatus.following(self))?.kind == .directory
  }
}

/// Why the packs in a folder could not be listed.
package enum PackPathsError: Error, Hashable, Sendable {
  /// The system refused to list the folder.
  case system(SystemError)
  /// The manifests in a folder could not be listed.
  case manifests(ManifestFilesError)
  /// The folder contains no packs.
  case noPacks(in: BytePath)
  /// The folder contains neither packs nor manifests.
  case nothing(in: BytePath)
}

extension PackPathsError: CustomStringConvertible {
  /// What is wrong, in one sentence without a final period.
  package var description: String {
    switch self {
    case .system(let error): error.description
    case .manifests(let error): error.description
    case .noPacks(let folder): "no asset packs in '\(folder)': no file name there ends in .aar"
    case .nothing(let folder):
      "no asset packs or manifests in '\(folder)': no file name there ends in .aar or .json"
    }
  }
}
