/// The folder that files are extracted into, and all that was made there, so that it can be taken
/// back.
///
/// Every call names one part of a path in a folder that is open; links are never followed. Names that
/// exist are refused, or replaced in one step by a file that is whole.
final class ExtractionTarget: Sendable {
  let path: FilePath
  private let root: FileDescriptor
  /// Whether the folder itself was made here.
  let isNew: Bool
  private let replaces: Bool
  private let made: Monitor<Made>

  private struct Made {
    var folders: [RelativePath] = []
    var files: [RelativePath] = []
    /// Files that wait for their place, with the temporary names they have in its folder.
    var temporaries: [RelativePath: [UInt8]] = [:]
    /// What was made or walked through, to tell when two names turn out to be one.
    var identities: [FileStatus.Identity: RelativePath] = [:]
  }

  /// Opens the folder at `path`, or makes it.
  init(_ path: FilePath, replaces: Bool) throws(SystemError) {
    let isNew = try createFolder(path)
    let root = try FileDescriptor.directory(path)
    self.path = path
    self.replaces = replaces
    self.isNew = isNew
    made = Monitor(Made())
    self.root = root
  }

  func shown(_ relative: RelativePath) -> FilePath { path.appending(relative.bytes) }

  /// Opens a folder below the target, part by part.
  func open(_ folder: RelativePath) throws(SystemError) -> FileDescriptor {
    var opened = try root.directory(.root)
    for component in folder.components {
      opened = try opened.folder(named: component, shown: shown(folder))
    }
    return opened
  }

  /// Makes a folder whose parent exists, or takes the one that is there.
  func makeFolder(_ folder: RelativePath) throws(ExtractionError) {
    let shown = shown(folder)
    let identity = try system { () throws(SystemError) in
      let parent = try open(folder.parent ?? .root)
      if try parent.makeFolder(named: folder.name, shown: shown) {
        made.withLock { $0.folders.append(folder) }
      } else if try parent.status(named: folder.name, shown: shown).kind == .symbolicLink {
        // Linux would only say that it is no folder.
        throw SystemError("open folder", shown, code: .tooManyLinks)
      }
      return try parent.folder(named: folder.name, shown: shown).status(shown).identity
    }
    let other = made.withLock { $0.identities.updateValue(folder, forKey: identity) }
    if let other { throw .sameName(shown, self.shown(other)) }
  }

  /// Which of `files` exist already.
  func existing(among files: [RelativePath]) -> [FilePath] {
    if isNew { return [] }
    return files.map(shown).filter { (try? FileStatus.notFollowing($0)) != nil }
  }

  /// Makes the file at `path`, whose parent `folder` is.
  func create(
    _ path: RelativePath, executable: Bool, in folder: borrowing FileDescriptor
  ) throws(ExtractionError) -> FileDescriptor {
    let shown = shown(path)
    do throws(SystemError) {
      let file = try folder.creating(named: path.name, executable: executable, shown: shown)
      made.withLock { $0.files.append(path) }
      try note(path, try file.status(shown))
      return file
    } catch {
      if error.code != .fileExists { throw .system(error) }
    }
    let status = try system { () throws(SystemError) in
      try folder.status(named: path.name, shown: shown)
    }
    // The file system may take two names for one, whatever the names look like.
    let known = made.withLock { $0.identities[status.identity] }
    if let known { throw .sameName(shown, self.shown(known)) }
    if status.kind == .directory { throw .folderInTheWay(shown) }
    if !replaces { throw .existing([shown], more: 0) }
    return try createBeside(path, executable: executable, in: folder)
  }

  /// Makes a file that takes the place of another once it is whole.
  private func createBeside(
    _ path: RelativePath, executable: Bool, in folder: borrowing FileDescriptor
  ) throws(ExtractionError) -> FileDescriptor {
    let shown = shown(path)
    var generator = SystemRandomNumberGenerator()
    while true {
      let random = String(generator.next(), radix: 36)
      let name = ".".utf8 + path.name.prefix(200) + ".\(random).tmp".utf8
      do throws(SystemError) {
        let file = try folder.creating(named: name, executable: executable, shown: shown)
        made.withLock { $0.temporaries[path] = Array(name) }
        try note(path, try file.status(shown))
        return file
      } catch {
        if error.code != .fileExists { throw .system(error) }
      }
    }
  }

  private func note(_ path: RelativePath, _ status: FileStatus) throws(SystemError) {
    made.withLock { $0.identities[status.identity] = path }
  }

  /// Closes a file that is whole, and gives it its name if another has it.
  func finish(
    _ path: RelativePath, _ file: consuming FileDescriptor, in folder: borrowing FileDescriptor
  ) throws(ExtractionError) {
    let shown = shown(path)
    do throws(SystemError) {
      try file.close(shown)
      guard let temporary = made.withLock({ $0.temporaries[path] }) else { return }
      try folder.rename(temporary, to: path.name, shown: shown)
      made.withLock { $0.temporaries[path] = nil }
    } catch {
      throw .system(error)
    }
  }

  /// Removes all that was made, but not what replaced a file: that was whole. What can't be removed
  /// stays.
  func undo() {
    let all = made.withLock { $0 }
    for (path, temporary) in all.temporaries {
      remove(path, named: temporary[...], isFolder: false)
    }
    for path in all.files { remove(path, named: path.name, isFolder: false) }
    for path in all.folders.reversed() { remove(path, named: path.name, isFolder: true) }
    if isNew { try? removeFolder(path) }
  }

  private func remove(_ path: RelativePath, named name: ArraySlice<UInt8>, isFolder: Bool) {
    guard let folder = try? open(path.parent ?? .root) else { return }
    try? folder.remove(named: name, isFolder: isFolder, shown: shown(path))
  }
}

/// Calls the system, in the terms of an extraction.
func system<Result: ~Copyable>(
  _ body: () throws(SystemError) -> Result
) throws(ExtractionError) -> Result {
  do throws(SystemError) { return try body() } catch { throw .system(error) }
}
