/// A file that appears at its destination whole or not at all, and is on the disk when it does.
///
/// What is written goes to a file in the destination's folder that has no name where the system
/// offers that, or else a temporary one. ``publish()`` syncs it, puts it in place in one step and
/// syncs the folder. Without that the file goes with its owner, or with the process, and what was at
/// the destination stays as it was.
package struct AtomicOutput: ~Copyable, Sendable {
  /// Where the file will appear.
  package let destination: BytePath
  /// The destination itself, or the file that a link there leads to.
  let place: BytePath
  private let replaces: Bool
  private let isPrivate: Bool
  private let file: TemporaryFile

  /// Starts a file for `destination`. One that exists is replaced in the end if `replacing` is true,
  /// through a symbolic link and with its mode; else ``publish()`` fails with ``Errno/fileExists``.
  ///
  /// Where `isPrivate` is true only its owner may read or write the file, whatever it replaces.
  ///
  /// What killed runs have left of files for `destination` is removed first; each is passed to
  /// `removed`.
  package init(
    _ destination: BytePath, replacing: Bool, isPrivate: Bool = false,
    removed: (BytePath) -> Void = { _ in }
  ) throws(SystemError) {
    let place = replacing ? try destination.behindLink() : destination
    removeLeftovers(of: place).forEach(removed)
    do throws(SystemError) {
      file = try TemporaryFile(for: place, mode: isPrivate ? 0o600 : 0o666)
    } catch {
      throw SystemError(error.operation, destination, code: error.code)
    }
    self.destination = destination
    self.place = place
    replaces = replacing
    self.isPrivate = isPrivate
  }

  /// Says before the work what making a file at `destination` would fail for after it: its folder is
  /// missing. The error is that of ``init(_:replacing:removed:)``.
  package static func checkFolder(of destination: BytePath) throws(SystemError) {
    _ = try mapping(
      { (error: SystemError) in SystemError(.create, destination, code: error.code) },
      FileStatus.following(destination.folder)
    )
  }

  /// Writes all of `bytes` at `offset`.
  package func write(_ bytes: RawSpan, at offset: UInt64) throws(SystemError) {
    try destination.attempt(.write, file.descriptor.write(bytes, at: offset))
  }

  /// Appends all of `bytes`.
  package func write(_ bytes: [UInt8]) throws(SystemError) {
    try destination.attempt(.write, file.descriptor.write(bytes))
  }

  /// Reads what was written, from `offset` on; returns the bytes read, fewer than asked for only at the
  /// end.
  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(SystemError) -> Int {
    try unsafe destination.attempt(
      .read, file.descriptor.read(into: buffer, atLeast: buffer.count, at: offset))
  }

  /// Waits until what was written is on the disk. ``publish()`` does so too; here it can fail before
  /// another file is published.
  package func sync() throws(SystemError) { try destination.attempt(.sync, file.descriptor.sync()) }

  /// Syncs the file, gives it its name and syncs the folder. Returns the status of the file.
  ///
  /// An error of the last steps has the operation `sync folder`: the file is in place then, but a power
  /// cut may undo it.
  @discardableResult
  package consuming func publish() throws(SystemError) -> FileStatus {
    let destination = destination
    let place = place
    let replaces = replaces
    var file = file
    if replaces, !isPrivate, let old = try FileStatus.ifPresent(place), old.kind == .file {
      try destination.attempt(.setMode, file.descriptor.setPermissions(old.permissions))
    }
    try destination.attempt(.sync, file.descriptor.sync())
    let folder = try place.folder.attempt(
      .openFolder, FileDescriptor.syncableFolder(place.folder))
    if replaces {
      try destination.attempt(.replace, file.replace(place))
    } else {
      try file.link(to: place)
    }
    // What is synced has nothing left that closing it could fail for.
    try place.folder.attempt(.syncFolder, folder?.sync())
    return try place.folder.attempt(.syncFolder, file.descriptor.status())
  }
}

extension BytePath {
  /// The file that a symbolic link at this path leads to; the path itself where there is none, or
  /// where it leads nowhere.
  func behindLink() throws(SystemError) -> BytePath {
    guard try FileStatus.ifPresent(self)?.kind == .symbolicLink else { return self }
    do throws(SystemError) {
      return try resolved()
    } catch {
      if [.noSuchFile, .notDirectory, .tooManyLinks].contains(error.code) { return self }
      throw error
    }
  }
}
