/// The folder that files are extracted into, and all that was made there, so that it can be taken
/// back.
///
/// Every call names one part of a path in a folder that is open; links are never followed. Names that
/// exist are refused, or replaced at the end, when all files are whole, each in one step.
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
    /// The files that are to be replaced.
    var replaced: [FileStatus.Identity: RelativePath] = [:]
  }

  /// Opens the folder at `path`, or makes it.
  init(_ path: FilePath, replaces: Bool) throws(SystemError) {
    let isNew = try createFolder(path)
    let root: FileDescriptor
    do throws(SystemError) {
      root = try FileDescriptor.directory(path)
    } catch {
      if isNew { try? removeFolder(path) }
      throw error
    }
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

  /// Makes the file at `path`, whose parent `folder` is: under another name, where it is to take the
  /// place of one that exists.
  ///
  /// A file is made and known in one step, so that no other thread can take it for one that was there
  /// before.
  func create(
    _ path: RelativePath, executable: Bool, in folder: borrowing FileDescriptor
  ) throws(ExtractionError) -> FileDescriptor {
    let shown = shown(path)
    return try made.withLock { (made) throws(ExtractionError) in
      if let file = try make(path.name, shown, executable: executable, in: folder) {
        made.files.append(path)
        let status = try system { () throws(SystemError) in try file.status(shown) }
        made.identities[status.identity] = path
        return file
      }
      try checkReplacing(path, in: folder, &made)
      while true {
        let name = temporaryName(for: path.name)
        if let file = try make(name[...], shown, executable: executable, in: folder) {
          made.temporaries[path] = name
          return file
        }
      }
    }
  }

  /// Makes a file; nil where the name is taken.
  private func make(
    _ name: ArraySlice<UInt8>, _ shown: FilePath, executable: Bool,
    in folder: borrowing FileDescriptor
  ) throws(ExtractionError) -> FileDescriptor? {
    do throws(SystemError) {
      return try folder.creating(named: name, executable: executable, shown: shown)
    } catch {
      if error.code == .fileExists { return nil }
      throw .system(error)
    }
  }

  /// Whether `path` may take the place of what has its name.
  private func checkReplacing(
    _ path: RelativePath, in folder: borrowing FileDescriptor, _ made: inout Made
  ) throws(ExtractionError) {
    let shown = shown(path)
    let status = try system { () throws(SystemError) in
      try folder.status(named: path.name, shown: shown)
    }
    // The file system may take two names for one, whatever the names look like.
    if let known = made.identities[status.identity] { throw .sameName(shown, self.shown(known)) }
    if status.kind == .directory { throw .folderInTheWay(shown) }
    if !replaces { throw .existing([shown], more: 0) }
    let other = made.replaced.updateValue(path, forKey: status.identity)
    // Names that are unlike are links to one file, and part ways here.
    if let other, caseFolded(other.bytes) == caseFolded(path.bytes) {
      throw .sameName(shown, self.shown(other))
    }
  }

  /// Closes a file that is whole.
  func finish(
    _ path: RelativePath, _ file: consuming FileDescriptor
  ) throws(ExtractionError) {
    do throws(SystemError) { try file.close(shown(path)) } catch { throw .system(error) }
  }

  /// Puts the files that were made under other names in their places, once all are whole.
  func publish() throws(ExtractionError) {
    for (path, temporary) in made.withLock({ $0.temporaries }).sorted(by: { $0.key < $1.key }) {
      try system { () throws(SystemError) in
        try open(path.parent ?? .root).rename(temporary, to: path.name, shown: shown(path))
      }
      made.withLock { $0.temporaries[path] = nil }
    }
  }

  /// Removes all that was made, but not what has replaced a file. What can't be removed stays.
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
