import BAPackCore

/// A `FileMapping` with its paths resolved.
struct DepotMapping {
  let folder: RelativePath
  let names: Names
  /// Their folder in the depot.
  let destination: RelativePath
  let isRecursive: Bool
  /// The location of `LocalPath`.
  let location: SourceLocation

  enum Names {
    /// A single file, by its path in the content root.
    case one(RelativePath)
    case pattern(DepotWildcard)
  }

  func destination(of path: RelativePath, ignoringCase: Bool = false) -> RelativePath? {
    switch names {
    case .one(let file):
      guard file.bytes.count == path.bytes.count,
        file == path
          || ignoringCase && file.bytes.map(ASCII.lowercased) == path.bytes.map(ASCII.lowercased)
      else { return nil }
      return destination.appending(file.name)
    case .pattern(let pattern):
      guard path.isInside(folder), path != folder,
        isRecursive || path.parent == folder,
        pattern.matches(path.name, ignoringCase: ignoringCase)
      else { return nil }
      return path.moved(from: folder, to: destination)
    }
  }
}

/// A `FileExclusion` with its path resolved.
struct DepotExclusion {
  /// The pattern for whole paths.
  let pattern: DepotWildcard
  /// Whether it is a folder, which excludes everything in it.
  let isFolder: Bool
  let location: SourceLocation

  func matches(_ path: RelativePath) -> Bool {
    if pattern.matches(path.bytes) { return true }
    guard isFolder else { return false }
    return path.bytes.count > pattern.bytes.count && path.bytes.starts(with: pattern.bytes)
      && path.bytes[pattern.bytes.count] == ASCII.slash
  }
}

/// What Steam would build from a content root: each file of the depot with its source, according to
/// the SteamPipe documentation. The conversion is checked against this.
struct DepotFiles {
  struct File {
    let source: RelativePath
    let mapping: Int
  }

  /// The files of the depot, by destination.
  private(set) var files: [RelativePath: File] = [:]
  /// The files that each mapping matches, even if a later one replaces them.
  private(set) var taken: [[RelativePath]]
  /// The files that each exclusion removes from a mapping.
  private(set) var excluded: [[RelativePath]]
  /// Files that a later mapping replaces: the replaced file, and the destination.
  private(set) var replaced: [(loser: File, destination: RelativePath)] = []

  init(_ mappings: [DepotMapping], _ exclusions: [DepotExclusion], of tree: [RelativePath]) {
    taken = Array(repeating: [], count: mappings.count)
    excluded = Array(repeating: [], count: exclusions.count)
    for path in tree {
      let excluding = exclusions.indices.filter { exclusions[$0].matches(path) }
      for (index, mapping) in mappings.enumerated() {
        guard let destination = mapping.destination(of: path) else { continue }
        if excluding.isEmpty {
          taken[index].append(path)
          put(File(source: path, mapping: index), at: destination)
        } else {
          for exclusion in excluding where excluded[exclusion].last != path {
            excluded[exclusion].append(path)
          }
        }
      }
    }
  }

  /// The later of two mappings wins.
  private mutating func put(_ file: File, at destination: RelativePath) {
    guard let old = files[destination], old.source != file.source else {
      files[destination] = file
      return
    }
    let (loser, winner) = old.mapping <= file.mapping ? (old, file) : (file, old)
    replaced.append((loser, destination))
    files[destination] = winner
  }
}
