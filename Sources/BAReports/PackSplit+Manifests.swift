import BAPackCore

extension PackSplit {
  /// The manifests of the proposed packs, in the same order. `exclusions` are further paths that a
  /// pack's selectors would match, by the index of the pack.
  package func manifests(
    sourceRoot: String?, excluding exclusions: [Int: [RelativePath]] = [:]
  ) throws -> [[UInt8]] {
    for path in packs.lazy.flatMap(\.files)
    where String(validating: path.bytes, as: UTF8.self) == nil {
      throw PackagingError("'\(path)' is not UTF-8, as manifests require")
    }
    let paths = AppPaths(packs.map(\.files))
    let tree = FolderTree(paths)
    return packs.indices.map { index in
      let pack = packs[index]
      let more = (exclusions[index] ?? []).map {
        ProposedSelector(key: "fileExclusion", path: $0.bytes, comment: "in no pack")
      }
      return Array(
        proposedManifest(
          comment: "\(counted(pack.files.count, "file")), \(byteCount(pack.size)); changed in "
            + "\(grouped(pack.changes)) of \(counted(updates.count, "update"))",
          identifier: pack.name, policy: pack.manifest.downloadPolicy, explainsPolicy: false,
          selectors: tree.selectors(of: Set(paths.numbers[index])) + more,
          platforms: pack.manifest.platforms, language: pack.manifest.language?.value,
          sourceRoot: sourceRoot
        ).utf8)
    }
  }
}

/// The folders of files, to select some of the files with few selectors.
private struct FolderTree {
  private struct Folder {
    let path: RelativePath
    var folders: [Int] = []
    var files: [Int] = []
  }

  /// Each after the folder that contains it; the first is the root.
  private var folders = [Folder(path: .root)]
  private var folderNumbers: [RelativePath: Int] = [.root: 0]
  private var files: [RelativePath] = []

  /// The files by their numbers.
  init(_ paths: AppPaths) {
    for (path, number) in zip(paths.packs.joined(), paths.numbers.joined())
    where number == files.count {
      folders[folder(path.parent ?? .root)].files.append(number)
      files.append(path)
    }
  }

  private mutating func folder(_ path: RelativePath) -> Int {
    if let number = folderNumbers[path] { return number }
    let parent = folder(path.parent ?? .root)
    let number = folders.count
    folders[parent].folders.append(number)
    folders.append(Folder(path: path))
    folderNumbers[path] = number
    return number
  }

  /// Selectors that match these files and no others of the tree.
  func selectors(of selected: Set<Int>) -> [ProposedSelector] {
    var all = folders.map(\.files.count)
    var wanted = folders.map { $0.files.count { selected.contains($0) } }
    for (number, folder) in folders.enumerated().reversed() {
      for inner in folder.folders {
        all[number] += all[inner]
        wanted[number] += wanted[inner]
      }
    }
    /// Selectors for what is wanted in each folder, and exclusions of what isn't, deepest first.
    var included = [[ProposedSelector]](repeating: [], count: folders.count)
    var excluded = included
    for (number, folder) in folders.enumerated().reversed() {
      let whole = folder.path.bytes
      // Apple's tool fails on the root as a folder.
      let isRoot = folder.path == .root
      if wanted[number] == all[number], !isRoot {
        included[number] = [.init(key: "directory", path: whole)]
      } else if wanted[number] == 0 {
        excluded[number] = [.init(key: "fileExclusion", path: whole)]
      } else {
        let taken = folder.files.filter { selected.contains($0) }
        let left = folder.files.filter { !selected.contains($0) }
        excluded[number] =
          selectors(of: left, in: folder, as: "fileExclusion", "fileExclusion")
          + folder.folders.flatMap { excluded[$0] }
        let single =
          selectors(of: taken, in: folder, as: "file", "filePattern")
          + folder.folders.flatMap { included[$0] }
        included[number] =
          isRoot || single.count <= excluded[number].count + 1
          ? single : [.init(key: "directory", path: whole)] + excluded[number]
      }
    }
    return included[0]
  }

  /// Selectors for files directly in a folder: a pattern if they are all of them.
  private func selectors(
    of chosen: [Int], in folder: Folder, as fileKey: String, _ patternKey: String
  ) -> [ProposedSelector] {
    let isAll = chosen.count == folder.files.count
    let visible = chosen.count { files[$0].name.first != ASCII.dot }
    var selectors: [ProposedSelector] = []
    if isAll, visible > 1 { selectors.append(.files(in: folder.path, as: patternKey)) }
    for file in chosen
    where !(isAll && visible > 1) || files[file].name.first == ASCII.dot {
      selectors.append(.init(key: fileKey, path: files[file].bytes))
    }
    return selectors
  }
}
