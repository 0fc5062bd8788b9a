/// A lock that one process at a time has.
///
/// The folder itself is locked, or on Windows a file in it that the system removes with its last
/// descriptor, so no lock file is left behind. The lock ends with the process. File systems without
/// locks are not protected.
package struct FolderLock: ~Copyable {
  private let folder: FileDescriptor
  private let file: FileDescriptor?

  /// Waits until no other process holds the lock of the folder at `path`. `waiting` is called once
  /// if that takes a while.
  ///
  /// Fails with the operation `lock` after ten minutes, and with ``Errno/interrupted`` if a signal
  /// asks to stop.
  package init(_ path: BytePath, waiting: () -> Void) throws(SystemError) {
    let folder = try path.attempt(.openFolder, FileDescriptor.directory(path))
    var file: FileDescriptor?
    var tries = 0
    while folder.lockFolder(named: ".ba-package".utf8, in: folder.rawValue, &file) == .held {
      if Interruption.isPending { throw SystemError(.lock, path, code: .interrupted) }
      if tries == 10 { waiting() }
      tries += 1
      if tries == 12_000 { throw SystemError(.lock, path, code: .wouldBlock) }
      sleep(milliseconds: 50)
    }
    self.folder = folder
    self.file = file
  }

  /// Releases the lock.
  package consuming func release() {}
}

extension FileDescriptor {
  /// The result of trying to lock a file.
  package enum LockResult {
    /// Locked until it is closed.
    case taken
    /// Another process or descriptor holds the lock.
    case held
    /// The file system doesn't support locks.
    case unsupported
  }
}
