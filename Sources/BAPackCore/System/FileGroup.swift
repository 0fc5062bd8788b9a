/// Writes several files that belong together: all of them or none.
///
/// All are written to the disk before the first one gets its name, so that little is left to fail. If
/// one does, those that already have theirs are removed, or replaced by what they replaced. A process
/// that is killed meanwhile leaves whole files, old and new ones.
package struct FileGroup: Sendable {
  private let files: [(path: BytePath, bytes: [UInt8])]
  private let replaces: Bool

  /// Files with these bytes at these paths, where files are replaced only if `replacing`.
  package init(_ files: [(path: BytePath, bytes: [UInt8])], replacing: Bool) {
    self.files = files
    replaces = replacing
  }

  /// A file that can wait in a list.
  private final class Waiting {
    let path: BytePath
    /// What it will replace; nil for nothing.
    let old: [UInt8]?
    private var output: AtomicOutput?

    init(
      _ path: BytePath, _ bytes: [UInt8], replacing: Bool, removed: (BytePath) -> Void
    ) throws(SystemError) {
      self.path = path
      old = replacing ? try path.contentsIfPresent(limit: 1 << 30) : nil
      let output = try AtomicOutput(path, replacing: replacing, removed: removed)
      try output.write(bytes)
      try output.sync()
      self.output = .some(output)
    }

    func publish() throws(SystemError) {
      guard let output = output.take() else { return }
      try output.publish()
    }

    /// False where that fails.
    func undo() -> Bool {
      do throws(SystemError) {
        guard let old else {
          if try FileStatus.ifPresent(path) != nil { try path.attempt(.remove, unlink(path)) }
          return true
        }
        let output = try AtomicOutput(path, replacing: true)
        try output.write(old)
        try output.publish()
        return true
      } catch {
        return false
      }
    }
  }

  /// Writes the files. `removed` is called with each file that a killed run had left of them, and that
  /// was removed.
  package func write(removed: (BytePath) -> Void = { _ in }) throws(FileGroupError) {
    var waiting: [Waiting] = []
    var published: [Waiting] = []
    var signal: CInt?
    do throws(SystemError) {
      for (path, bytes) in files {
        waiting.append(try Waiting(path, bytes, replacing: replaces, removed: removed))
      }
      signal = Interruption.pending
      for file in waiting where signal == nil {
        do throws(SystemError) {
          try file.publish()
          published.append(file)
        } catch {
          // It has its name then.
          if error.operation == .syncFolder { published.append(file) }
          throw error
        }
      }
    } catch {
      throw .system(error, written: published.filter { !$0.undo() }.map(\.path))
    }
    if let signal { throw .interrupted(signal) }
  }
}

/// Why files were not written.
package enum FileGroupError: Error, Sendable {
  /// The system failed. The files `written` are new nevertheless, because that could not be undone.
  case system(SystemError, written: [BytePath])
  /// A signal came in before anything was written.
  case interrupted(CInt)
}

extension FileGroupError: CustomStringConvertible {
  /// What is wrong, and what was written.
  package var description: String {
    switch self {
    case .system(let error, let written):
      written.isEmpty
        ? "\(error); nothing was written"
        : "\(error); only these files were written: "
          + written.map { "'\($0)'" }.joined(separator: ", ")
    case .interrupted(let signal):
      "stopped by \(Interruption.name(of: signal)); nothing was written"
    }
  }
}
