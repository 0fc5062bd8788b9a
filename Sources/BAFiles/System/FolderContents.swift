/// Changes the contents of a folder by the names in it. Links are never followed and paths never
/// resolved, so nothing outside the folder can be reached.
extension FileDescriptor {
  /// Opens the folder `name`, which must not be a link.
  package func folder(named name: some Collection<UInt8>) throws(Errno) -> FileDescriptor {
    try Self.opening(rawValue, name, [.directory, .noFollow])
  }

  /// Creates the file `name`, with mode 0666 or 0777 minus the umask; fails if the name exists.
  package func creating(
    named name: some Collection<UInt8>, executable: Bool
  ) throws(Errno) -> FileDescriptor {
    try Self.opening(
      rawValue, name, [.writing, .creating, .noFollow], mode: executable ? 0o777 : 0o666)
  }

  /// Creates the folder `name`; false if the name exists.
  package func makeFolder(named name: some Collection<UInt8>) throws(Errno) -> Bool {
    do {
      try systemMakeFolder(rawValue, name)
      return true
    } catch {
      if error == .fileExists { return false }
      throw error
    }
  }

  /// Removes a file or an empty folder.
  package func remove(named name: some Collection<UInt8>, isFolder: Bool) throws(Errno) {
    try systemRemove(rawValue, name, isFolder: isFolder)
  }
}

extension BytePath {
  /// Creates this folder; its parent must exist. False if the name exists.
  @discardableResult package func makeFolder() throws(SystemError) -> Bool {
    let parent = try folder.attempt(.openFolder, FileDescriptor.directory(folder))
    return try attempt(.createFolder, parent.makeFolder(named: name))
  }

  /// A path in the same folder with a name like this one's, for messages about a missing file; only
  /// with `fileExtension`, if that is given.
  package func similar(_ fileExtension: String? = nil) -> BytePath? {
    // Nothing is suggested from a folder that can't be read.
    let names = ((try? folder.names()) ?? []).compactMap { String(validating: $0, as: UTF8.self) }
    let near = suggestion(
      for: String(decoding: name, as: UTF8.self),
      among: names.filter { name in
        fileExtension.map { BytePath(name.utf8).hasExtension($0) } ?? true
      })
    return near.map { folder.appending($0.utf8) }
  }

  package func removeFile() throws(SystemError) { try attempt(.remove, unlink(self)) }

  /// Creates this folder and its missing parents. Returns those it created, outermost first; if one
  /// fails, none is left.
  package func makeFolderPath() throws(SystemError) -> [BytePath] {
    do throws(SystemError) {
      if try FileStatus.following(self).kind == .directory { return [] }
      throw SystemError(.createFolder, self, code: .fileExists)
    } catch {
      if error.code != .noSuchFile { throw error }
    }
    var made = folder != self && folder != "." ? try folder.makeFolderPath() : []
    do {
      try systemMakeFolder(workingDirectory, bytes)
      made.append(self)
    } catch {
      // Another process may have created it.
      if error != .fileExists {
        Self.removeEmptyFolders(made)
        throw SystemError(.createFolder, self, code: error)
      }
    }
    return made
  }

  /// Removes folders that ``makeFolderPath()`` created, unless they are no longer empty.
  package static func removeEmptyFolders(_ folders: [BytePath]) {
    for folder in folders.reversed() {
      // If it isn't empty or can't be removed, neither can its parents.
      guard (try? systemRemove(workingDirectory, folder.bytes, isFolder: true)) != nil else {
        return
      }
    }
  }
}

extension FileDescriptor {
  /// The names in this folder that may match `only`: just `only` itself, whether it exists or not,
  /// if names are compared as bytes; otherwise all of them.
  package func names(only: [UInt8]?) throws(Errno) -> [[UInt8]] {
    if let only, namesAreBytes { return [only] }
    return try names()
  }

  /// The names in this folder, without `.` and `..`, that are wanted, sorted by their bytes.
  package func names(
    where isWanted: ([UInt8]) -> Bool = { _ in true }
  ) throws(Errno) -> [[UInt8]] {
    var names = try systemNames(in: rawValue, where: isWanted)
    names.sort { $0.lexicographicallyPrecedes($1) }
    return names
  }
}

extension BytePath {
  /// The names in the folder at this path; see ``FileDescriptor/names(where:)``.
  package func names(
    where isWanted: ([UInt8]) -> Bool = { _ in true }
  ) throws(SystemError) -> [[UInt8]] {
    let folder = try attempt(.openFolder, FileDescriptor.directory(self))
    return try attempt(.readFolder, folder.names(where: isWanted))
  }
}
