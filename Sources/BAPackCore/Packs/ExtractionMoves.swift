/// The end of an extraction: staged files and folders are moved to their destinations.
extension ExtractionTarget {
  /// Syncs everything that was extracted and moves it to its destination, each file as a whole.
  /// After an error the target is unchanged, or the error names what was changed.
  func publish(files: [RelativePath], folders: [RelativePath]) throws {
    try path.attempt(.sync, staging.syncVolume())
    if isNew {
      do throws(SystemError) {
        try checkIsStaging(stagingName)
        try parent.moveExclusively(stagingName, to: path.name, in: parent, shown: path)
        do {
          try checkIsStaging(path.name)
        } catch {
          try? parent.move(path.name, to: stagingName, in: parent, .exclusive)
          throw error
        }
      } catch {
        if error.code == .fileExists { throw PackagingError.filesExist([path], more: 0) }
        throw error
      }
      try whenExtracted(path.folder) { () throws(Errno) in try parent.sync() }
      return
    }
    try move(files, folders)
    // The reason for the failure may be gone by the second attempt.
    let isRemoved = removeStaging() || removeStaging()
    try whenExtracted(path) { () throws(Errno) in try parent.syncVolume() }
    guard isRemoved else {
      throw PackagingError.extracted(
        SystemError(.remove, path.appending(stagingName), code: .current))
    }
  }

  /// Syncs the folder at `path`, which contains all files.
  private func whenExtracted(_ path: BytePath, _ sync: () throws(Errno) -> Void) throws {
    do { try sync() } catch {
      throw PackagingError.extracted(SystemError(.sync, path, code: error))
    }
  }

  /// Fails if another process has put something else in the place of the staging folder.
  private func checkIsStaging(_ name: some Collection<UInt8>) throws(SystemError) {
    let found = try path.attempt(.replace, parent.status(named: name))
    if try found.identity != path.attempt(.lookUp, staging.status()).identity {
      throw SystemError(.replace, path, code: .exchanged)
    }
  }

  private func move(
    _ files: [RelativePath], _ folders: [RelativePath]
  ) throws {
    var moved: [BytePath] = []
    do {
      let present = try moveNewFolders(folders, &moved)
      var pair = try folderPair(.root)
      for path in files {
        let folder = path.parent ?? .root
        guard present.contains(folder) else { continue }
        if pair.path != folder { pair = try folderPair(folder) }
        try move(path, pair)
        moved.append(shown(path))
      }
    } catch {
      if !moved.isEmpty { throw PackagingError.stopped(error, changed: moved) }
      if error.code == .fileExists { throw PackagingError.filesExist([error.path], more: 0) }
      throw error
    }
  }

  /// A folder in the staging folder and in the target.
  private struct FolderPair: ~Copyable {
    let path: RelativePath
    let staged: FileDescriptor
    let target: FileDescriptor
  }

  private func folderPair(_ folder: RelativePath) throws(SystemError) -> FolderPair {
    FolderPair(
      path: folder, staged: try open(folder),
      target: try shown(folder).attempt(.openFolder, parent.descending(folder)))
  }

  /// Moves each folder that the target doesn't have, with its contents. Returns the others.
  private func moveNewFolders(
    _ folders: [RelativePath], _ moved: inout [BytePath]
  ) throws(SystemError) -> Set<RelativePath> {
    var present: Set<RelativePath> = [.root]
    for folder in folders {
      guard let above = folder.parent, present.contains(above) else { continue }
      let pair = try folderPair(above)
      do {
        try pair.staged.moveExclusively(
          folder.name, to: folder.name, in: pair.target, shown: shown(folder))
        moved.append(shown(folder))
      } catch {
        if error.code != .fileExists { throw error }
        present.insert(folder)
      }
    }
    return present
  }

  private func move(
    _ path: RelativePath, _ pair: borrowing FolderPair
  ) throws(SystemError) {
    let shown = shown(path)
    do {
      return try pair.staged.moveExclusively(
        path.name, to: path.name, in: pair.target, shown: shown)
    } catch {
      if error.code != .fileExists || !replaces { throw error }
    }
    try shown.attempt(
      .replace, pair.staged.move(path.name, to: path.name, in: pair.target, .replacing))
  }
}

extension FileDescriptor {
  /// Moves `old` in this folder to `new` in the folder `other`, unless that exists.
  fileprivate func moveExclusively(
    _ old: some Collection<UInt8>, to new: some Collection<UInt8>,
    in other: borrowing FileDescriptor, shown: BytePath
  ) throws(SystemError) {
    do {
      try move(old, to: new, in: other, .exclusive)
    } catch {
      if !error.isUnsupported { throw SystemError(.create, shown, code: error) }
      // Checking first is the best that this file system allows.
      do {
        _ = try other.status(named: new)
      } catch {
        if error != .noSuchFile { throw SystemError(.create, shown, code: error) }
        return try shown.attempt(.replace, move(old, to: new, in: other, .replacing))
      }
      throw SystemError(.create, shown, code: .fileExists)
    }
  }
}
