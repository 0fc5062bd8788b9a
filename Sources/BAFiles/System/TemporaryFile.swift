/// A file under construction: unnamed if the system supports that, otherwise with a temporary name,
/// which is removed by `deinit`.
///
/// It is locked while it is open, so an unlocked temporary file is known to be a leftover of a
/// killed process.
///
/// It isn't private because modules that own an ``AtomicOutput`` call this type's `deinit`.
struct TemporaryFile: ~Copyable, Sendable {
  let descriptor: FileDescriptor
  private var path: BytePath?

  /// Creates a file that can be given the name `destination`, with `mode` minus the umask.
  init(for destination: BytePath, mode: UInt32) throws(SystemError) {
    if let unnamed = FileDescriptor.unnamed(in: destination.folder, mode: mode),
      unnamed.lock() != .held
    {
      descriptor = unnamed
      path = nil
      return
    }
    while true {
      let path = temporaryPath(for: destination)
      do {
        let file = try path.attempt(.create, FileDescriptor.creating(path, mode: mode))
        // Another run may have mistaken it for a leftover before it was locked.
        if file.lock() == .held { continue }
        if try !path.attempt(.lookUp, Self.hasName(file, path)) { continue }
        descriptor = file
        self.path = path
        return
      } catch {
        if error.code != .fileExists { throw error }
      }
    }
  }

  /// Stands for a stream that is written instead of a file.
  init(_ stream: consuming FileDescriptor) {
    descriptor = stream
    path = nil
  }

  /// A file for data that is read again by this process only, and is gone with it.
  static func nameless() throws(SystemError) -> TemporaryFile {
    let path = ProcessContext.temporaryFolder.appending("stream".utf8)
    var file = try TemporaryFile(for: path, mode: 0o600)
    if let path = file.path {
      try path.attempt(.removeName, unlink(path))
      file.path = nil
    }
    return file
  }

  /// Sends what was written to the stream that `destination` leads to.
  func send(
    to stream: borrowing FileDescriptor, _ destination: BytePath
  ) throws(SystemError) {
    let size = 1 << 18
    var offset: UInt64 = 0
    do throws(Errno) {
      while true {
        let bytes = try descriptor.read(size, at: offset)
        if bytes.isEmpty { return }
        try stream.send(bytes)
        offset += UInt64(bytes.count)
      }
    } catch {
      throw SystemError(.write, destination, code: error)
    }
  }

  private static func hasName(
    _ file: borrowing FileDescriptor, _ path: BytePath
  ) throws(Errno) -> Bool {
    do {
      return try file.status().linkCount > 0
    } catch {
      // A file that can't be removed now is a leftover for the next run.
      try? unlink(path)
      throw error
    }
  }

  // A file that can't be removed is a leftover for the next run.
  deinit { if let path { try? unlink(path) } }

  /// The file that ``release(for:)`` gave this name.
  init(opening path: BytePath) throws(Errno) {
    descriptor = try FileDescriptor.reading(path)
    self.path = path
  }

  /// Leaves the file under a temporary name, which is returned. Unlocked it could be mistaken for a
  /// leftover by another run for `destination`.
  mutating func release(for destination: BytePath) throws(Errno) -> BytePath {
    let name = try named(for: destination)
    path = nil
    return name
  }

  /// The temporary name, which the file is given if it has none.
  private mutating func named(for destination: BytePath) throws(Errno) -> BytePath {
    while true {
      if let path { return path }
      let name = temporaryPath(for: destination)
      do {
        try descriptor.link(to: name)
        path = name
      } catch {
        if error != .fileExists { throw error }
      }
    }
  }

  /// Replaces the file at `destination`, if any.
  mutating func replace(_ destination: BytePath) throws(Errno) {
    try rename(named(for: destination), to: destination, .replacing)
    path = nil
  }

  /// Replaces the file at `destination` if its contents are `old`; otherwise that file stays, and
  /// this fails with ``Errno/changed``.
  ///
  /// The files are exchanged, so that what was replaced can be looked at, and put back. Where the
  /// file system can't do that, an edit between the look and the rename is not seen.
  mutating func replace(_ destination: BytePath, ifStill old: [UInt8]) throws(SystemError) {
    let changed = SystemError(.replace, destination, code: .changed)
    guard try destination.contains(old) else { throw changed }
    let name = try destination.attempt(.create, named(for: destination))
    do {
      try rename(name, to: destination, .exchanging)
    } catch {
      guard error.isUnsupported else { throw SystemError(.replace, destination, code: error) }
      return try destination.attempt(.replace, replace(destination))
    }
    var failure = changed
    do {
      // What has the temporary name now is removed with it.
      if try name.contains(old) { return }
    } catch {
      failure = error
    }
    path = nil
    try destination.attempt(.replace, rename(name, to: destination, .exchanging))
    path = name
    if try FileStatus.notFollowing(name).identity
      != destination.attempt(.lookUp, descriptor.status()).identity
    {
      // Yet another edit was saved in between; the last one stays.
      try destination.attempt(.replace, rename(name, to: destination, .exchanging))
    }
    throw failure
  }

  /// Gives the file the name `destination`; fails with ``Errno/fileExists`` if it exists.
  mutating func link(to destination: BytePath) throws(SystemError) {
    guard let source = path else {
      return try destination.attempt(.create, descriptor.link(to: destination))
    }
    do {
      try rename(source, to: destination, .exclusive)
      path = nil
      return
    } catch {
      if !error.isUnsupported { throw SystemError(.create, destination, code: error) }
    }
    do {
      try BAFiles.link(source, to: destination)
      path = nil
    } catch {
      if !error.isUnsupported { throw SystemError(.create, destination, code: error) }
      return try claim(destination, source)
    }
    // The reason for the failure may be gone by the second attempt.
    if (try? unlink(source)) == nil { try source.attempt(.removeName, unlink(source)) }
  }

  /// If nothing else is supported (FAT on old systems, some network volumes): creates an empty file
  /// exclusively, and replaces it.
  private mutating func claim(_ destination: BytePath, _ source: BytePath) throws(SystemError) {
    try destination.attempt(.create, FileDescriptor.creating(destination).close())
    do {
      try rename(source, to: destination, .replacing)
    } catch {
      // The error is that the file can't be created; the empty file may remain.
      try? unlink(destination)
      throw SystemError(.create, destination, code: error)
    }
    path = nil
  }
}

extension FileDescriptor {
  /// A file for data that is gone with this process.
  package static func nameless() throws(SystemError) -> FileDescriptor {
    let file = try TemporaryFile.nameless()
    return try ProcessContext.temporaryFolder.attempt(
      .create, .duplicating(file.descriptor.rawValue))
  }
}

private func temporaryPath(for destination: BytePath) -> BytePath {
  destination.folder.appending(temporaryName(for: destination.name))
}

extension BytePath {
  fileprivate func contains(_ contents: [UInt8]) throws(SystemError) -> Bool {
    guard try FileStatus.following(self).size == UInt64(contents.count) else { return false }
    return try self.contents(limit: contents.count) == contents
  }
}
