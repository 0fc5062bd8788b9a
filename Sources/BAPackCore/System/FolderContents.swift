/// Changes to what a folder holds, by names that stand in it: no link is ever followed, and no path
/// walked, so that nothing outside the folder can be reached.
extension FileDescriptor {
  /// Opens the folder `name`, which must not be a link. Corresponds to `openat(2)` with
  /// `O_NOFOLLOW`.
  package func folder(named name: some Collection<UInt8>) throws(Errno) -> FileDescriptor {
    try Self.opening(rawValue, name, [.directory, .noFollow])
  }

  /// Makes the file `name`, with mode 0666 or 0777 less the umask; fails where anything has that name
  /// already. Corresponds to `openat(2)` with `O_CREAT` and `O_EXCL`.
  package func creating(
    named name: some Collection<UInt8>, executable: Bool
  ) throws(Errno) -> FileDescriptor {
    try Self.opening(
      rawValue, name, [.writing, .creating, .noFollow], mode: executable ? 0o777 : 0o666)
  }

  /// Makes the folder `name`; false where anything has that name already. Corresponds to
  /// `mkdirat(2)`.
  package func makeFolder(named name: some Collection<UInt8>) throws(Errno) -> Bool {
    do throws(Errno) {
      try systemMakeFolder(rawValue, name)
      return true
    } catch {
      if error == .fileExists { return false }
      throw error
    }
  }

  /// Removes a file or an empty folder. Corresponds to `unlinkat(2)`.
  package func remove(named name: some Collection<UInt8>, isFolder: Bool) throws(Errno) {
    try systemRemove(rawValue, name, isFolder: isFolder)
  }
}

extension BytePath {
  /// Makes this folder in its own, which must exist; false where anything is here already.
  @discardableResult package func makeFolder() throws(SystemError) -> Bool {
    let parent = try folder.attempt(.openFolder, FileDescriptor.directory(folder))
    return try attempt(.createFolder, parent.makeFolder(named: name))
  }

  /// Makes this folder, and those above it that are missing. Returns those it made, the outermost
  /// first; if one can't be made, none of them is left. Corresponds to `mkdir(2)`.
  package func makeFolderPath() throws(SystemError) -> [BytePath] {
    do throws(SystemError) {
      if try FileStatus.following(self).kind == .directory { return [] }
      throw SystemError(.createFolder, self, code: .fileExists)
    } catch {
      if error.code != .noSuchFile { throw error }
    }
    var made = folder != self && folder != "." ? try folder.makeFolderPath() : []
    do throws(Errno) {
      try systemMakeFolder(workingDirectory, bytes)
      made.append(self)
    } catch {
      // Another run may have made it.
      if error != .fileExists {
        Self.removeEmptyFolders(made)
        throw SystemError(.createFolder, self, code: error)
      }
    }
    return made
  }

  /// Removes folders that ``makeFolderPath()`` made, unless something is in them by now. Corresponds
  /// to `rmdir(2)`.
  package static func removeEmptyFolders(_ folders: [BytePath]) {
    for folder in folders.reversed() {
      // It is no longer empty, or can't be removed: one of those above can't be either.
      guard (try? systemRemove(workingDirectory, folder.bytes, isFolder: true)) != nil else {
        return
      }
    }
  }
}
