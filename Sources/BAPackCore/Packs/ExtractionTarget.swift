/// The destination of extracted files: first a staging folder, then, once all are complete, the
/// target.
///
/// The staging folder has a temporary name and a lock. If the target doesn't exist, the staging
/// folder is next to it and becomes the target by one rename. If it does, the staging folder is
/// inside it and files are moved out one by one (``move(_:_:)``). Every call names a single path
/// component in an open folder and links are never followed. After an error only files are removed
/// whose device and inode show that they were created here.
final class ExtractionTarget: Sendable {
  let path: BytePath
  let isNew: Bool
  let replaces: Bool
  /// The packs that are read, which can't be replaced.
  private let inputs: Set<FileStatus.Identity>
  /// The parent of the staging folder: the target's parent, or the target if it exists.
  let parent: FileDescriptor
  let staging: FileDescriptor
  /// A lock file, where a folder can't be locked itself.
  private let lock: FileDescriptor?
  let stagingName: [UInt8]
  /// Everything that was created in the staging folder.
  let made: Monitor<[FileStatus.Identity: RelativePath]>

  /// Opens the folder at `path`, or prepares to create it.
  init(
    _ path: BytePath, replaces: Bool, inputs: [BytePath] = [], removed: (BytePath) -> Void
  ) throws(SystemError) {
    // A pack that is missing now can't be in the way.
    self.inputs = Set(inputs.compactMap { (try? FileStatus.following($0))?.identity })
    let isNew = try optional(.noSuchFile, call: FileStatus.notFollowing(path)) == nil
    let place = isNew ? path : path.appending("extract".utf8)
    let parent =
      isNew
      ? try path.attempt(.createFolder, FileDescriptor.directory(place.folder))
      : try place.folder.attempt(.openFolder, FileDescriptor.directory(place.folder))
    removeLeftovers(of: place).forEach(removed)
    var name = temporaryName(for: place.name)
    var lock: FileDescriptor?
    var staging = try parent.stagingFolder(named: name, &lock, shown: path)
    while staging == nil {
      name = temporaryName(for: place.name)
      staging = try parent.stagingFolder(named: name, &lock, shown: path)
    }
    guard let staging else { preconditionFailure("no staging folder") }
    do throws(SystemError) {
      made = Monitor([try path.attempt(.lookUp, staging.status()).identity: .root])
      // Another folder may have been put in its place before it was opened.
      guard try path.attempt(.readFolder, staging.names()).isEmpty else {
        throw SystemError(.replace, path, code: .exchanged)
      }
    } catch {
      // If this fails, it is a leftover for the next run.
      try? parent.remove(named: name, isFolder: true)
      throw error
    }
    self.path = path
    self.isNew = isNew
    self.replaces = replaces
    self.parent = parent
    self.staging = staging
    self.lock = lock
    stagingName = name
  }

  func shown(_ relative: RelativePath) -> BytePath { path.appending(relative.bytes) }

  /// Fails if this system can't have a file or folder at `path`: on Windows `a:b` would be a hidden
  /// part of `a`, and `aux.txt` no file at all.
  func check(nameOf path: RelativePath) throws(PackagingError) {
    guard namesAreThoseOfWindows, let problem = path.windowsProblem else { return }
    throw PackagingError("'\(path)' can't be extracted on Windows: \(problem)")
  }

  /// Fails if there is a file in the target where a folder should be.
  func check(folder: RelativePath) throws {
    if isNew { return }
    let shown = shown(folder)
    // If its status can't be read now, moving files will fail.
    switch try? FileStatus.notFollowing(shown).kind {
    case nil, .directory: return
    case .symbolicLink:
      throw PackagingError(
        "'\(shown)' is a symbolic link, and extracted files don't go through links; remove it")
    default: throw SystemError(.openFolder, shown, code: .notDirectory)
    }
  }

  /// Whether a file exists in the target and must not be replaced.
  func isInTheWay(_ path: RelativePath) throws -> Bool {
    // If its status can't be read now, it will not be replaced unless that is allowed.
    guard !isNew, let status = try? FileStatus.notFollowing(shown(path)) else { return false }
    if replaces, status.kind == .directory {
      throw PackagingError("'\(shown(path))' is a folder, where a file is to be extracted")
    }
    if replaces, let target = try? FileStatus.following(shown(path)),
      inputs.contains(target.identity)
    {
      throw PackagingError("'\(shown(path))' is also a pack to extract; extract to another folder")
    }
    return !replaces
  }

  /// Opens a folder in the staging folder, component by component.
  func open(_ folder: RelativePath) throws(SystemError) -> FileDescriptor {
    try checked(folder, try shown(folder).attempt(.openFolder, staging.descending(folder)))
  }

  /// Fails if another folder was substituted for ours, so that nothing is written to it.
  private func checked(
    _ folder: RelativePath, _ opened: consuming FileDescriptor
  ) throws(SystemError) -> FileDescriptor {
    let shown = shown(folder)
    let identity = try shown.attempt(.lookUp, opened.status()).identity
    guard made.withLock({ $0[identity] }) == folder else {
      throw SystemError(.openFolder, shown, code: .noSuchFile)
    }
    return opened
  }

  /// Creates folders, each of which is in the one before it.
  func makeFolders(_ folders: [RelativePath]) throws {
    guard let first = folders.first else { return }
    var parent = try open(first.parent ?? .root)
    for folder in folders { parent = try makeFolder(folder, in: parent) }
  }

  private func makeFolder(
    _ folder: RelativePath, in parent: borrowing FileDescriptor
  ) throws -> FileDescriptor {
    let shown = shown(folder)
    let isNew = try shown.attempt(.createFolder, parent.makeFolder(named: folder.name))
    do {
      let opened = try shown.attempt(.openFolder, parent.folder(named: folder.name))
      let identity = try shown.attempt(.lookUp, opened.status()).identity
      let other = made.withLock { made in
        let other = made[identity]
        if isNew { made[identity] = folder }
        return other
      }
      if isNew { return opened }
      if let other { throw sameName(shown, self.shown(other)) }
      throw SystemError(.createFolder, shown, code: .fileExists)
    } catch {
      if isNew { try? parent.remove(named: folder.name, isFolder: true) }
      throw error
    }
  }

  /// Creates `file` in `folder`, its parent.
  ///
  /// The file is created and recorded in one step, so another thread that finds it knows its name.
  func create(
    _ file: StagedFile, in folder: borrowing FileDescriptor
  ) throws -> FileDescriptor {
    let shown = shown(file.path)
    return try made.withLock { made in
      do throws(SystemError) {
        return try makeFile(file, in: folder, &made)
      } catch {
        // The file system may consider two different names equal.
        if error.code == .fileExists,
          let status = try? folder.status(named: file.path.name),
          let other = made[status.identity]
        {
          throw sameName(shown, self.shown(other))
        }
        throw error
      }
    }
  }

  private func makeFile(
    _ file: StagedFile, in folder: borrowing FileDescriptor,
    _ made: inout [FileStatus.Identity: RelativePath]
  ) throws(SystemError) -> FileDescriptor {
    let (shown, name) = (shown(file.path), file.path.name)
    let opened = try shown.attempt(
      .create, folder.creating(named: name, executable: file.isExecutable))
    do {
      made[try shown.attempt(.lookUp, opened.status()).identity] = file.path
    } catch {
      try? folder.remove(named: name, isFolder: false)
      throw error
    }
    return opened
  }

  /// Removes everything that was created, as far as possible. False if anything is left.
  @discardableResult func removeStaging() -> Bool {
    let made = made.withLock { $0 }
    var names: [RelativePath: [[UInt8]]] = [:]
    for path in made.values {
      if let folder = path.parent { names[folder, default: []].append(Array(path.name)) }
    }
    // Folders come after their contents. Two descriptors at a time are always available.
    var place = RelativePath.root
    var opened: FileDescriptor?
    for (folder, names) in names.sorted(by: { $0.key > $1.key }) {
      // Only the first folder of a chain is opened from the top.
      if let below = opened.take(), place.parent == folder {
        opened = try? checked(
          folder, try shown(folder).attempt(.openFolder, below.folder(named: "..".utf8)))
      }
      // Windows has no `..` in folders.
      if opened == nil { opened = try? open(folder) }
      place = folder
      for name in names {
        guard let status = try? opened?.status(named: name), made[status.identity] != nil else {
          continue
        }
        try? opened?.remove(named: name, isFolder: status.kind == .directory)
      }
    }
    guard let status = try? parent.status(named: stagingName), made[status.identity] == .root
    else { return false }
    return (try? parent.remove(named: stagingName, isFolder: true)) != nil
  }
}

private func sameName(_ path: BytePath, _ other: BytePath) -> PackagingError {
  PackagingError("'\(path)' and '\(other)' are the same name on this file system")
}

extension FileDescriptor {
  /// Creates the folder `name` and locks it; nil if another run mistook it for a leftover first.
  fileprivate func stagingFolder(
    named name: [UInt8], _ lock: inout FileDescriptor?, shown: BytePath
  ) throws(SystemError) -> FileDescriptor? {
    guard try shown.attempt(.createFolder, makeFolder(named: name)) else { return nil }
    do {
      let made = try shown.attempt(.openFolder, folder(named: name))
      if made.lockFolder(named: name, in: rawValue, &lock) == .held { return nil }
      guard try shown.attempt(.lookUp, made.status()).names > 0 else { return nil }
      return made
    } catch {
      try? remove(named: name, isFolder: true)
      throw error
    }
  }

  /// Opens a folder below this one, component by component.
  func descending(_ folder: RelativePath) throws(Errno) -> FileDescriptor {
    var opened = try directory(.root)
    for component in folder.components {
      opened = try opened.folder(named: component)
    }
    return opened
  }
}
