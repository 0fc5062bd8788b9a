/// Writes several files that belong together: all of them or none.
///
/// All are synced before the first one is published, so that little can still fail. If publishing
/// one fails, those already published are removed or restored. If the process is killed in between,
/// each file is complete, but some may be old and some new. However many there are, only one is open
/// at a time.
package struct FileGroup: Sendable {
  private let files: [(path: BytePath, bytes: [UInt8], replaces: Bool)]

  /// Files with these contents at these paths, in the order of publishing. An existing file is an
  /// error unless it `replaces` that one.
  package init(_ files: [(path: BytePath, bytes: [UInt8], replaces: Bool)]) { self.files = files }

  /// A file of the group, which is removed with this object unless it was published.
  private final class Waiting {
    let path: BytePath
    private let replaces: Bool
    /// The contents that it will replace, if any.
    private let old: [UInt8]?
    /// Its temporary name; nil for a stream.
    private var name: BytePath?
    /// The stream, whose bytes can't be taken back, so they are written last.
    private var stream: AtomicOutput?
    private let bytes: [UInt8]
    private var isStreamed = false

    init(
      _ path: BytePath, _ bytes: [UInt8], replacing: Bool, removed: (BytePath) -> Void
    ) throws(SystemError) {
      self.path = path
      replaces = replacing
      self.bytes = bytes
      let output = try AtomicOutput(path, replacing: replacing, removed: removed)
      if output.isStream {
        old = nil
        stream = .some(output)
      } else {
        old = replacing ? try path.contentsIfPresent(limit: 1 << 30) : nil
        try output.write(bytes)
        name = try output.suspend()
      }
    }

    // A file that can't be removed is a leftover for the next run.
    deinit { if let name { try? unlink(name) } }

    func publish() throws(SystemError) {
      if let stream = stream.take() {
        try stream.write(bytes)
        isStreamed = true
        return
      }
      guard let name else { return }
      let output = try AtomicOutput(path, replacing: replaces, suspended: name)
      self.name = nil
      try output.publish()
    }

    /// False if that fails.
    func undo() -> Bool {
      if isStreamed { return false }
      do {
        guard let old else {
          try optional(.noSuchFile, call: path.removeFile())
          return true
        }
        try AtomicOutput.write(old, to: path, replacing: true)
        return true
      } catch {
        return false
      }
    }
  }

  /// Writes the files. `removed` is called with each leftover of a killed run that was removed.
  ///
  /// - Throws: ``SystemError`` with the files that were written nevertheless, because undoing that
  ///   failed; ``Interrupted`` if a signal arrived before anything was written.
  package func write(removed: (BytePath) -> Void = { _ in }) throws {
    var waiting: [Waiting] = []
    var published: [Waiting] = []
    do {
      for (path, bytes, replaces) in files {
        waiting.append(try Waiting(path, bytes, replacing: replaces, removed: removed))
      }
      try Interrupted.check("nothing was written")
      for file in waiting {
        do {
          try file.publish()
          published.append(file)
        } catch {
          // The file has been published.
          if error.operation == .syncFolder { published.append(file) }
          throw error
        }
      }
    } catch var error as SystemError {
      error.written = published.filter { !$0.undo() }.map(\.path)
      throw error
    }
  }
}
