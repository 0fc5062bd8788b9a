/// Changes to what a folder holds, by names that stand in it: no link is ever followed, and no path
/// walked, so that nothing outside the folder can be reached. `shown` is the path for messages.
extension FileDescriptor {
  /// Opens the folder `name`, which must not be a link. Corresponds to `openat(2)` with
  /// `O_NOFOLLOW`.
  package func folder(
    named name: some Collection<UInt8>, shown: BytePath
  ) throws(SystemError) -> FileDescriptor {
    try Self.opening(.openFolder, shown, rawValue, name, [.directory, .noFollow])
  }

  /// Makes the file `name`, with mode 0666 or 0777 less the umask; fails where anything has that name
  /// already. Corresponds to `openat(2)` with `O_CREAT` and `O_EXCL`.
  package func creating(
    named name: some Collection<UInt8>, executable: Bool, shown: BytePath
  ) throws(SystemError) -> FileDescriptor {
    try Self.opening(
      .create, shown, rawValue, name, [.writing, .creating, .noFollow],
      mode: executable ? 0o777 : 0o666)
  }

  /// What has the name `name`, be it a link. Corresponds to `fstatat(2)`.
  package func status(
    named name: some Collection<UInt8>, shown: BytePath
  ) throws(SystemError) -> FileStatus {
    try mapping({ SystemError(.lookUp, shown, code: $0) }, statusNotFollowing(Array(name)))
  }

  /// Makes the folder `name`; false where anything has that name already. Corresponds to
  /// `mkdirat(2)`.
  package func makeFolder(
    named name: some Collection<UInt8>, shown: BytePath
  ) throws(SystemError) -> Bool {
    do throws(Errno) {
      try systemMakeFolder(rawValue, name)
      return true
    } catch {
      if error == .fileExists { return false }
      throw SystemError(.createFolder, shown, code: error)
    }
  }

  /// Removes a file or an empty folder. Corresponds to `unlinkat(2)`.
  package func remove(
    named name: some Collection<UInt8>, isFolder: Bool, shown: BytePath
  ) throws(SystemError) {
    try mapping(
      { SystemError(.remove, shown, code: $0) }, systemRemove(rawValue, name, isFolder: isFolder))
  }

  /// Writes all of `bytes` at `offset`. Corresponds to `pwrite(2)`.
  package func write(
    _ bytes: RawSpan, at offset: UInt64, to path: BytePath
  ) throws(SystemError) {
    // SAFETY: the span is read within the closure.
    try unsafe bytes.withUnsafeBytes { (buffer) throws(SystemError) in
      var done = 0
      while done < buffer.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
        do throws(Errno) {
          done += try unsafe systemWrite(rawValue, rest, at: offset + UInt64(done))
        } catch {
          throw SystemError(.write, path, code: error)
        }
      }
    }
  }
}

extension BytePath {
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
