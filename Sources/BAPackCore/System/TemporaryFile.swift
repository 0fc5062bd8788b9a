/// A file under construction: without a name where the system offers that, else with a temporary
/// one, which is removed with its owner.
///
/// It is locked as long as it is open, so that a temporary name without a lock is known to be a
/// leftover of a process that was killed.
///
/// It is not private: whoever owns an ``AtomicOutput`` in another module calls this type's `deinit`.
struct TemporaryFile: ~Copyable, Sendable {
  let descriptor: FileDescriptor
  /// The temporary name, if there is one at present.
  private var path: BytePath?

  /// Makes a file that can get the name `destination`, with `mode` less the umask.
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
      do throws(SystemError) {
        let file = try path.attempt(.create, FileDescriptor.creating(path, mode: mode))
        // Another run may have taken it for a leftover before it was locked.
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

  private static func hasName(
    _ file: borrowing FileDescriptor, _ path: BytePath
  ) throws(Errno) -> Bool {
    do throws(Errno) {
      return try file.status().hasName
    } catch {
      // What can't be removed now is a leftover for the next run.
      try? unlink(path)
      throw error
    }
  }

  // What can't be removed is a leftover for the next run.
  deinit { if let path { try? unlink(path) } }

  /// Takes the place of what is at `destination`, if anything is.
  mutating func replace(_ destination: BytePath) throws(Errno) {
    var source = path
    while source == nil {
      let name = temporaryPath(for: destination)
      do throws(Errno) {
        try descriptor.link(to: name)
        source = name
        path = name
      } catch {
        if error != .fileExists { throw error }
      }
    }
    guard let source else { return }
    try rename(source, to: destination, .replacing)
    path = nil
  }

  /// Gets the name `destination`; fails with ``Errno/fileExists`` where anything has it.
  mutating func link(to destination: BytePath) throws(SystemError) {
    guard let source = path else {
      return try destination.attempt(.create, descriptor.link(to: destination))
    }
    do throws(Errno) {
      try rename(source, to: destination, .exclusive)
      path = nil
      return
    } catch {
      if !error.isUnsupported { throw SystemError(.create, destination, code: error) }
    }
    do throws(Errno) {
      try BAPackCore.link(source, to: destination)
      path = nil
    } catch {
      if !error.isUnsupported { throw SystemError(.create, destination, code: error) }
      return try claim(destination, source)
    }
    // Whatever kept it from being removed may be over.
    if (try? unlink(source)) == nil { try source.attempt(.removeName, unlink(source)) }
  }

  /// Where nothing else is known (FAT on old systems, some network volumes): an empty file claims
  /// the name, exclusively, and is replaced.
  private mutating func claim(_ destination: BytePath, _ source: BytePath) throws(SystemError) {
    try destination.attempt(.create, FileDescriptor.creating(destination).close())
    do throws(Errno) {
      try rename(source, to: destination, .replacing)
    } catch {
      // The error says that the file can't be created; an empty one may stay of the claim.
      try? unlink(destination)
      throw SystemError(.create, destination, code: error)
    }
    path = nil
  }
}

private func temporaryPath(for destination: BytePath) -> BytePath {
  destination.folder.appending(temporaryName(for: destination.name))
}
