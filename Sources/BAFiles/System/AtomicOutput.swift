/// A file that appears at its destination complete or not at all, and is on disk when it does.
///
/// Data is written to an unnamed file in the destination's folder if the system supports that,
/// otherwise to a temporary file. ``publish(inPlaceOf:)`` syncs it, moves it into place atomically
/// and syncs the folder. Without a call to it, the file is removed with its owner or when the
/// process ends, and whatever was at the destination is unchanged.
///
/// If the destination leads to a named pipe, a character device or a descriptor of this process,
/// data is written to that instead, in order. Anything else is an error: what isn't a regular file
/// is never replaced.
package struct AtomicOutput: ~Copyable, Sendable {
  /// Where the file will appear.
  package let destination: BytePath
  /// The destination itself, or the file that it links to.
  package let target: BytePath
  private let replaces: Bool
  private let isPrivate: Bool
  private let isOwn: Bool
  /// The file, or the stream itself if data is only appended.
  private let file: TemporaryFile
  private let stream: Stream?
  /// Whether a stream gets the file as it is when it is published.
  private let isCopied: Bool

  /// Starts a file for `destination`. If `replacing` is true, ``publish(inPlaceOf:)`` replaces an
  /// existing file, following a symbolic link and keeping the file's mode; otherwise it fails with
  /// ``Errno/fileExists``.
  ///
  /// If `isPrivate` is true, only the owner may read or write the file, whatever it replaces. If
  /// `isOwn` is true, the program chose the name: links aren't followed, and anything but a regular
  /// file is an error. `inAnyOrder` is required for ``write(_:at:)``.
  ///
  /// Leftovers of killed runs for `destination` are removed first; each is passed to `removed`. A
  /// file that ``suspend()`` left under the name `suspended` is continued.
  package init(
    _ destination: BytePath, replacing: Bool, isPrivate: Bool = false, isOwn: Bool = false,
    inAnyOrder: Bool = false, suspended: BytePath? = nil,
    removed: (BytePath) -> Void = { _ in }
  ) throws(SystemError) {
    let found = try destination.outputTarget(isOwn: isOwn)
    var target = destination
    if replacing, case .file(let path, _) = found { target = path }
    let stream = try found.openStream(destination)
    if stream == nil, suspended == nil { removeLeftovers(of: target).forEach(removed) }
    file = try Self.file(
      for: target, stream, suspended, inAnyOrder: inAnyOrder, mode: isPrivate ? 0o600 : 0o666,
      destination)
    self.stream = stream
    isCopied = inAnyOrder
    self.destination = destination
    self.target = target
    replaces = replacing
    self.isPrivate = isPrivate
    self.isOwn = isOwn
  }

  private static func file(
    for target: BytePath, _ stream: Stream?, _ suspended: BytePath?, inAnyOrder: Bool,
    mode: UInt32, _ shown: BytePath
  ) throws(SystemError) -> TemporaryFile {
    if let suspended { return try shown.attempt(.create, TemporaryFile(opening: suspended)) }
    guard let stream else {
      do { return try TemporaryFile(for: target, mode: mode) } catch {
        throw SystemError(error.operation, shown, code: error.code)
      }
    }
    // Threads write blocks at their offsets, which a stream doesn't have.
    if inAnyOrder { return try TemporaryFile.nameless() }
    return TemporaryFile(try shown.attempt(.open, .duplicating(stream.descriptor.rawValue)))
  }

  /// Syncs and closes the file, which must not be a stream and stays under a temporary name until
  /// it is resumed, or removed by the caller. Many files can wait without a descriptor for each.
  consuming func suspend() throws(SystemError) -> BytePath {
    try sync()
    let (destination, target) = (destination, target)
    var file = file
    return try destination.attempt(.create, file.release(for: target))
  }

  /// Writes `bytes` to a file at `destination`, as
  /// ``init(_:replacing:isPrivate:isOwn:inAnyOrder:suspended:removed:)`` and
  /// ``publish(inPlaceOf:)`` do.
  package static func write(
    _ bytes: [UInt8], to destination: BytePath, replacing: Bool, isOwn: Bool = false,
    removed: (BytePath) -> Void = { _ in }
  ) throws(SystemError) {
    let output = try AtomicOutput(
      destination, replacing: replacing, isOwn: isOwn, removed: removed)
    try output.write(bytes)
    try output.publish()
  }

  /// Whether the data goes to a pipe, a device or an open descriptor.
  package var isStream: Bool { stream != nil }

  package func write(_ bytes: RawSpan, at offset: UInt64) throws(SystemError) {
    try destination.attempt(.write, file.descriptor.write(bytes, at: offset))
  }

  package func write(_ bytes: [UInt8]) throws(SystemError) {
    if isStream, !isCopied {
      try destination.attempt(.write, file.descriptor.send(bytes))
    } else {
      try destination.attempt(.write, file.descriptor.write(bytes))
    }
  }

  /// Reads what was written, starting at `offset`. Returns the number of bytes read, which is less
  /// than requested only at the end.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(SystemError) -> Int {
    try unsafe destination.attempt(
      .read, file.descriptor.read(into: buffer, atLeast: buffer.count, at: offset))
  }

  /// Waits until what was written is on disk. ``publish(inPlaceOf:)`` syncs too; calling this first
  /// makes an error appear before another file is published.
  package func sync() throws(SystemError) {
    if !isStream { try destination.attempt(.sync, file.descriptor.sync()) }
  }

  /// Syncs the file, gives it its name and syncs the folder. Returns the status of the file.
  /// With `contents`, only a file that has them is replaced, however late it is changed.
  ///
  /// If syncing the folder fails, the error's operation is `sync folder`: the file is in place, but
  /// may be lost in a power failure.
  @discardableResult
  package consuming func publish(
    inPlaceOf contents: [UInt8]? = nil
  ) throws(SystemError) -> FileStatus {
    if let stream {
      if isCopied { try file.send(to: stream.descriptor, destination) }
      return try destination.attempt(.lookUp, stream.descriptor.status())
    }
    if replaces, let old = try FileStatus.ifPresent(target) {
      // It may have been replaced since it was looked up.
      if old.kind != .file {
        throw SystemError(notWritable: destination, old.kind, isOwn: isOwn)
      }
      if !isPrivate {
        try destination.attempt(.setMode, file.descriptor.setPermissions(old.permissions))
      }
    }
    try destination.attempt(.sync, file.descriptor.sync())
    let folder = try target.folder.attempt(
      .openFolder, FileDescriptor.syncableFolder(target.folder))
    let (destination, target, replaces) = (destination, target, replaces)
    var file = file
    if let contents {
      try file.replace(target, ifStill: contents)
    } else if replaces {
      try destination.attempt(.replace, file.replace(target))
    } else {
      try file.link(to: target)
    }
    // After the sync, close has nothing left to report.
    try target.folder.attempt(.syncFolder, folder?.sync())
    return try target.folder.attempt(.syncFolder, file.descriptor.status())
  }
}
