/// Where the folder of an extraction will be.
struct TargetFolder {
  /// The path as it was given, for messages.
  let shown: BytePath
  /// The path itself, or that of the folder that it links to.
  let path: BytePath
  /// The empty folder there.
  let old: FileStatus?

  /// Fails if there is anything but an empty folder at `path`, or one that can't be replaced.
  init(_ path: BytePath) throws {
    shown = path
    guard try FileStatus.ifPresent(path) != nil else {
      (self.path, old) = (path, nil)
      return
    }
    guard let status = try optional(.noSuchFile, call: FileStatus.following(path)) else {
      throw PackagingError(
        "'\(path)' is a symbolic link to nothing; remove it, or name a new folder")
    }
    guard status.kind == .directory else {
      throw PackagingError("'\(path)' is \(status.kind); name a new folder")
    }
    guard try path.names().isEmpty else {
      throw PackagingError(
        "'\(path)' is not empty; packs are extracted into a new folder, or an empty one")
    }
    // It is replaced by another folder, which these would not see.
    if try status.identity == FileStatus.following(".").identity {
      throw PackagingError("'\(path)' is the current folder; name a new one, such as 'Game'")
    }
    let resolved = try path.resolved()
    if try FileStatus.following(resolved.folder).identity.device != status.identity.device {
      throw Self.mountPoint(path)
    }
    if status.owner != ProcessContext.user {
      throw PackagingError("'\(path)' belongs to another user; name a new folder")
    }
    (self.path, old) = (resolved, status)
  }

  fileprivate static func mountPoint(_ path: BytePath) -> PackagingError {
    PackagingError(
      "'\(path)' is the top of a volume; name a new folder in it, such as "
        + "'\(path.appending("Game".utf8))'")
  }
}

/// The folder of an extraction: a temporary one beside its folder, until all files in it are complete.
///
/// It has a temporary name and a lock. Every call names a single path component in an open folder and
/// links are never followed. After an error only files are removed whose device and inode show that
/// they were created here.
final class ExtractionTarget: Sendable {
  private let folder: TargetFolder
  private let parent: FileDescriptor
  private let staging: FileDescriptor
  /// A lock file, where a folder can't be locked itself.
  private let lock: FileDescriptor?
  private let stagingName: [UInt8]
  private let identity: FileStatus.Identity
  /// Everything that was created in the folder.
  private let made: Monitor<[FileStatus.Identity: RelativePath]>

  init(_ folder: TargetFolder, removed: (BytePath) -> Void) throws(SystemError) {
    let shown = folder.shown
    let parent = try shown.attempt(.createFolder, FileDescriptor.directory(folder.path.folder))
    removeLeftovers(of: folder.path).forEach(removed)
    var name = temporaryName(for: folder.path.name)
    var lock: FileDescriptor?
    var staging = try parent.stagingFolder(named: name, &lock, shown: shown)
    while staging == nil {
      name = temporaryName(for: folder.path.name)
      staging = try parent.stagingFolder(named: name, &lock, shown: shown)
    }
    guard let staging else { preconditionFailure("no staging folder") }
    do throws(SystemError) {
      identity = try shown.attempt(.lookUp, staging.status()).identity
      made = Monitor([identity: .root])
      try checkIsEmpty(staging, shown)
    } catch {
      // If this fails, it is a leftover for the next run.
      try? parent.remove(named: name, isFolder: true)
      throw error
    }
    self.folder = folder
    self.parent = parent
    self.staging = staging
    self.lock = lock
    stagingName = name
  }

  func shown(_ relative: RelativePath) -> BytePath { folder.shown.appending(relative.bytes) }

  /// Syncs everything that was extracted, and gives the folder its name. If the last sync fails, the
  /// error's operation is `sync folder`: the folder is in place.
  func publish() throws {
    let shown = folder.shown
    if let old = folder.old {
      try shown.attempt(.setMode, staging.setPermissions(old.permissions))
    }
    try shown.attempt(.sync, staging.syncVolume())
    // Another process may have put something else in its place.
    if try shown.attempt(.replace, parent.status(named: stagingName)).identity != identity {
      throw SystemError(.replace, shown, code: .exchanged)
    }
    // Only an empty folder is ever replaced by another.
    do throws(Errno) {
      try parent.move(stagingName, to: folder.path.name, in: parent, .replacing)
    } catch {
      // The folder may also be one of the same volume that is mounted there.
      throw error == .busy
        ? TargetFolder.mountPoint(shown) : SystemError(.replace, shown, code: error)
    }
    // If it can't be looked up now, it is what was renamed.
    if let found = try? parent.status(named: folder.path.name), found.identity != identity {
      try? parent.move(folder.path.name, to: stagingName, in: parent, .exclusive)
      throw SystemError(.replace, shown, code: .exchanged)
    }
    try folder.path.folder.attempt(.syncFolder, parent.sync())
  }

  /// Opens a folder, component by component.
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

  /// Creates these folders, and those above them.
  func makeFolders(to folders: [RelativePath]) throws {
    var known: Set<RelativePath> = [.root]
    for folder in folders {
      let missing = sequence(first: folder, next: \.parent).prefix { !known.contains($0) }
        .reversed()
      guard let first = missing.first else { continue }
      try Interrupted.check()
      var parent = try open(first.parent ?? .root)
      for folder in missing { parent = try makeFolder(folder, in: parent) }
      known.formUnion(missing)
    }
  }

  private func makeFolder(
    _ folder: RelativePath, in parent: borrowing FileDescriptor
  ) throws -> FileDescriptor {
    let shown = shown(folder)
    let isNew = try shown.attempt(.createFolder, parent.makeFolder(named: folder.name))
    do {
      let opened = try shown.attempt(.openFolder, parent.folder(named: folder.name))
      if isNew { try checkIsEmpty(opened, shown) }
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
  @discardableResult func remove() -> Bool {
    // Those of the folder to be replaced may not allow it.
    if folder.old != nil { try? staging.setPermissions(0o700) }
    let made = made.withLock { $0 }
    var names: [RelativePath: [[UInt8]]] = [:]
    for path in made.values {
      if let folder = path.parent { names[folder, default: []].append(Array(path.name)) }
    }
    // Folders come after their contents. Two descriptors at a time are always available.
    var current = RelativePath.root
    var opened: FileDescriptor?
    for (folder, names) in names.sorted(by: { $0.key > $1.key }) {
      // Only the first folder of a chain is opened from the top.
      if let below = opened.take(), current.parent == folder {
        opened = try? checked(
          folder, try shown(folder).attempt(.openFolder, below.folder(named: "..".utf8)))
      }
      // Windows has no `..` in folders.
      if opened == nil { opened = try? open(folder) }
      current = folder
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
      guard try shown.attempt(.lookUp, made.status()).linkCount > 0 else { return nil }
      return made
    } catch {
      try? remove(named: name, isFolder: true)
      throw error
    }
  }

  /// Opens a folder below this one, component by component.
  fileprivate func descending(_ folder: RelativePath) throws(Errno) -> FileDescriptor {
    var opened = try directory(.root)
    for component in folder.components {
      opened = try opened.folder(named: component)
    }
    return opened
  }
}

/// Another folder may have been put in the place of a new one before it was opened.
private func checkIsEmpty(
  _ folder: borrowing FileDescriptor, _ shown: BytePath
) throws(SystemError) {
  guard try shown.attempt(.readFolder, folder.names()).isEmpty else {
    throw SystemError(.replace, shown, code: .exchanged)
  }
}
