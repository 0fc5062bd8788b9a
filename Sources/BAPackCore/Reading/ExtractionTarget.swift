/// Where files are extracted: first into a staging folder, then, when all are whole, to their places.
///
/// The staging folder has a temporary name and a lock. For a target that does not exist it is made
/// beside it and becomes the target by one rename; in a target that exists files are moved out of it
/// one by one (``move(_:_:)``). Every call names one part of a path in a folder that is open, links
/// are never followed, and what is removed after an error is known by device and inode to have been
/// made here.
final class ExtractionTarget: Sendable {
  let path: BytePath
  /// Whether the folder at `path` is made here.
  let isNew: Bool
  let replaces: Bool
  /// The folder that the staging folder is in: the target's own folder, or the target if it exists.
  let parent: FileDescriptor
  let staging: FileDescriptor
  let stagingName: [UInt8]
  /// What was made in the staging folder, or came there from the target.
  let made: Monitor<[FileStatus.Identity: RelativePath]>

  /// Opens the folder at `path`, or prepares to make it.
  init(
    _ path: BytePath, replaces: Bool, removed: (BytePath) -> Void
  ) throws(SystemError) {
    let isNew = try FileStatus.isMissing(path)
    let place = isNew ? path : path.appending("extract".utf8)
    let parent =
      isNew
      ? try path.attempt(.createFolder, FileDescriptor.directory(place.folder))
      : try place.folder.attempt(.openFolder, FileDescriptor.directory(place.folder))
    removeLeftovers(of: place).forEach(removed)
    var name = temporaryName(for: place.name)
    var staging = try parent.stagingFolder(named: name, shown: path)
    while staging == nil {
      name = temporaryName(for: place.name)
      staging = try parent.stagingFolder(named: name, shown: path)
    }
    guard let staging else { preconditionFailure("no staging folder") }
    do throws(SystemError) {
      made = Monitor([try path.attempt(.lookUp, staging.status()).identity: .root])
    } catch {
      // What stays is a leftover for the next run.
      try? parent.remove(named: name, isFolder: true)
      throw error
    }
    self.path = path
    self.isNew = isNew
    self.replaces = replaces
    self.parent = parent
    self.staging = staging
    stagingName = name
  }

  func shown(_ relative: RelativePath) -> BytePath { path.appending(relative.bytes) }

  /// Fails if something in the target is in the way of a folder.
  func check(folder: RelativePath) throws(ExtractionError) {
    if isNew { return }
    let shown = shown(folder)
    // What can't be looked at now is in the way when files are moved.
    switch try? FileStatus.notFollowing(shown).kind {
    case nil, .directory: return
    case .symbolicLink: throw .system(SystemError(.openFolder, shown, code: .tooManyLinks))
    default: throw .system(SystemError(.openFolder, shown, code: .notDirectory))
    }
  }

  /// Whether something in the target is in the way of a file and must not be replaced.
  func isInTheWay(_ path: RelativePath) throws(ExtractionError) -> Bool {
    // What can't be looked at now is not replaced later either, unless it may be.
    guard !isNew, let status = try? FileStatus.notFollowing(shown(path)) else { return false }
    if replaces, status.kind == .directory { throw .folderInTheWay(shown(path)) }
    return !replaces
  }

  /// Opens a staged folder, part by part.
  func open(_ folder: RelativePath) throws(SystemError) -> FileDescriptor {
    let shown = shown(folder)
    let opened = try shown.attempt(.openFolder, staging.descending(folder))
    // Nothing is written to a folder that took the place of ours.
    let identity = try shown.attempt(.lookUp, opened.status()).identity
    guard made.withLock({ $0[identity] }) == folder else {
      throw SystemError(.openFolder, shown, code: .noSuchFile)
    }
    return opened
  }

  /// Makes a folder whose parent was made.
  func makeFolder(_ folder: RelativePath) throws(ExtractionError) {
    let shown = shown(folder)
    let (isNew, identity) = try mappingErrors(ExtractionError.system) { () throws(SystemError) in
      let parent = try open(folder.parent ?? .root)
      let isNew = try shown.attempt(.createFolder, parent.makeFolder(named: folder.name))
      do throws(SystemError) {
        let made = try shown.attempt(.openFolder, parent.folder(named: folder.name))
        return (isNew, try shown.attempt(.lookUp, made.status()).identity)
      } catch {
        if isNew { try? parent.remove(named: folder.name, isFolder: true) }
        throw error
      }
    }
    let other = made.withLock { made in
      let other = made[identity]
      if isNew { made[identity] = folder }
      return other
    }
    if !isNew {
      throw other.map { .sameName(shown, self.shown($0)) }
        ?? .system(SystemError(.createFolder, shown, code: .fileExists))
    }
  }

  /// Makes the file at `path`, whose parent `folder` is.
  ///
  /// A file is made and known in one step, so that another thread that meets it knows its name.
  func create(
    _ path: RelativePath, executable: Bool, in folder: borrowing FileDescriptor
  ) throws(ExtractionError) -> FileDescriptor {
    let shown = shown(path)
    return try made.withLock { (made) throws(ExtractionError) in
      do throws(SystemError) {
        return try makeFile(path, executable: executable, in: folder, &made)
      } catch {
        // The file system may take two names for one, whatever the names look like.
        if error.code == .fileExists,
          let status = try? folder.status(named: path.name),
          let other = made[status.identity]
        {
          throw .sameName(shown, self.shown(other))
        }
        throw .system(error)
      }
    }
  }

  private func makeFile(
    _ path: RelativePath, executable: Bool, in folder: borrowing FileDescriptor,
    _ made: inout [FileStatus.Identity: RelativePath]
  ) throws(SystemError) -> FileDescriptor {
    let shown = shown(path)
    let file = try shown.attempt(
      .create, folder.creating(named: path.name, executable: executable))
    do throws(SystemError) {
      made[try shown.attempt(.lookUp, file.status()).identity] = path
    } catch {
      try? folder.remove(named: path.name, isFolder: false)
      throw error
    }
    return file
  }

  /// Closes a file that is whole.
  func finish(
    _ path: RelativePath, _ file: consuming FileDescriptor
  ) throws(ExtractionError) {
    do {
      try file.close()
    } catch {
      throw .system(SystemError(.close, shown(path), code: error))
    }
  }

  /// Removes all that was made, or came from the target in exchange, as far as it can be. False where
  /// something stays.
  @discardableResult func removeStaging() -> Bool {
    let made = made.withLock { $0 }
    var names: [RelativePath: [[UInt8]]] = [:]
    for path in made.values {
      if let folder = path.parent { names[folder, default: []].append(Array(path.name)) }
    }
    // Folders come after what is in them; with two descriptors at a time there always is one left.
    for (folder, names) in names.sorted(by: { $0.key > $1.key }) {
      guard let opened = try? open(folder) else { continue }
      for name in names {
        guard let status = try? opened.status(named: name), made[status.identity] != nil else {
          continue
        }
        try? opened.remove(named: name, isFolder: status.kind == .directory)
      }
    }
    guard let status = try? parent.status(named: stagingName), made[status.identity] == .root
    else { return false }
    return (try? parent.remove(named: stagingName, isFolder: true)) != nil
  }
}

extension FileStatus {
  /// Whether nothing has that name, not even a link that leads nowhere.
  fileprivate static func isMissing(_ path: BytePath) throws(SystemError) -> Bool {
    do throws(SystemError) {
      _ = try notFollowing(path)
      return false
    } catch {
      if error.code == .noSuchFile { return true }
      throw error
    }
  }
}

extension FileDescriptor {
  /// Makes the folder `name` and locks it; nil where it was taken for a leftover before that.
  fileprivate func stagingFolder(
    named name: [UInt8], shown: BytePath
  ) throws(SystemError) -> FileDescriptor? {
    guard try shown.attempt(.createFolder, makeFolder(named: name)) else { return nil }
    do throws(SystemError) {
      let made = try shown.attempt(.openFolder, folder(named: name))
      if made.lock() == .held { return nil }
      guard try shown.attempt(.lookUp, made.status()).hasName else { return nil }
      return made
    } catch {
      try? remove(named: name, isFolder: true)
      throw error
    }
  }

  /// Opens a folder below this one, part by part.
  func descending(_ folder: RelativePath) throws(Errno) -> FileDescriptor {
    var opened = try directory(.root)
    for component in folder.components {
      opened = try opened.folder(named: component)
    }
    return opened
  }
}
