/// A file that appears at its destination complete or not at all, and is on disk when it does.
///
/// Data is written to an unnamed file in the destination's folder if the system supports that,
/// otherwise to a temporary file. ``publish()`` syncs it, moves it into place atomically and syncs
/// the folder. Without a call to it, the file is removed with its owner or when the process ends,
/// and whatever was at the destination is unchanged.
package struct AtomicOutput: ~Copyable, Sendable {
  /// Where the file will appear.
  package let destination: BytePath
  /// The destination itself, or the file that it links to.
  package let place: BytePath
  private let replaces: Bool
  private let isPrivate: Bool
  private let file: TemporaryFile

  /// Starts a file for `destination`. If `replacing` is true, ``publish()`` replaces an existing
  /// file, following a symbolic link and keeping the file's mode; otherwise it fails with
  /// ``Errno/fileExists``.
  ///
  /// If `isPrivate` is true, only the owner may read or write the file, whatever it replaces.
  ///
  /// Leftovers of killed runs for `destination` are removed first; each is passed to `removed`.
  package init(
    _ destination: BytePath, replacing: Bool, isPrivate: Bool = false,
    removed: (BytePath) -> Void = { _ in }
  ) throws(SystemError) {
    let place = replacing ? try destination.behindLink() : destination
    removeLeftovers(of: place).forEach(removed)
    file = try mapping(
      { (error: SystemError) in SystemError(error.operation, destination, code: error.code) },
      TemporaryFile(for: place, mode: isPrivate ? 0o600 : 0o666))
    self.destination = destination
    self.place = place
    replaces = replacing
    self.isPrivate = isPrivate
  }

  /// Writes `bytes` to a file at `destination`, as ``init(_:replacing:isPrivate:removed:)`` and
  /// ``publish()`` do.
  package static func write(
    _ bytes: [UInt8], to destination: BytePath, replacing: Bool,
    removed: (BytePath) -> Void = { _ in }
  ) throws(SystemError) {
    let output = try AtomicOutput(destination, replacing: replacing, removed: removed)
    try output.write(bytes)
    try output.publish()
  }

  /// Checks in advance that the folder of `destination` exists. Throws the same error as
  /// ``init(_:replacing:removed:)``.
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

  /// Reads what was written, starting at `offset`. Returns the number of bytes read, which is less
  /// than requested only at the end.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(SystemError) -> Int {
    try unsafe destination.attempt(
      .read, file.descriptor.read(into: buffer, atLeast: buffer.count, at: offset))
  }

  /// Waits until what was written is on disk. ``publish()`` syncs too; calling this first makes an
  /// error appear before another file is published.
  package func sync() throws(SystemError) { try destination.attempt(.sync, file.descriptor.sync()) }

  /// Syncs the file, gives it its name and syncs the folder. Returns the status of the file.
  ///
  /// If syncing the folder fails, the error's operation is `sync folder`: the file is in place, but
  /// may be lost in a power failure.
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
    // After the sync, close has nothing left to report.
    try place.folder.attempt(.syncFolder, folder?.sync())
    return try place.folder.attempt(.syncFolder, file.descriptor.status())
  }
}

extension BytePath {
  /// The target of a symbolic link at this path; the path itself if it isn't a link, or if the link
  /// is dangling.
  package func behindLink() throws(SystemError) -> BytePath {
    guard try FileStatus.ifPresent(self)?.kind == .symbolicLink else { return self }
    return try optional(.noSuchFile, .notDirectory, .tooManyLinks, call: resolved()) ?? self
  }
}
