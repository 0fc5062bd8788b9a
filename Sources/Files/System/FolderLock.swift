/// A lock that one process at a time has.
///
/// The folder itself is locked, so no lock file is left behind. The lock ends with the process. File
/// systems without locks are not protected.
package struct FolderLock: ~Copyable {
  private let folder: FileDescriptor

  /// Waits until no other process holds the lock of the folder at `path`. `waiting` is called once
  /// if that takes a while.
  ///
  /// Fails with the operation `lock` after ten minutes, and with ``Errno/interrupted`` if a signal
  /// asks to stop.
  package init(_ path: BytePath, waiting: () -> Void) throws(SystemError) {
    let folder = try path.attempt(.openFolder, FileDescriptor.directory(path))
    var tries = 0
    while folder.lock() == .held {
      if Interruption.pending != nil { throw SystemError(.lock, path, code: .interrupted) }
      if tries == 10 { waiting() }
      tries += 1
      if tries == 12_000 { throw SystemError(.lock, path, code: .wouldBlock) }
      sleep(milliseconds: 50)
    }
    self.folder = folder
  }

  /// Releases the lock.
  package consuming func release() {}
}
