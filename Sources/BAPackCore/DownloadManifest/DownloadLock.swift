/// A lock on the download manifests of a folder: one run at a time reads, decides and writes.
///
/// It is a lock on the folder itself, so that no file is left for it, and it ends with the process.
/// Where the file system knows no locks there is none.
package struct DownloadLock: ~Copyable {
  private let folder: FileDescriptor

  /// Waits until nobody else holds the lock for the list at `manifest`. `waiting` is called once if
  /// that takes a while.
  ///
  /// Fails with the operation `lock` after ten minutes, and with ``Errno/interrupted`` when a signal
  /// asks to stop.
  package init(_ manifest: BytePath, waiting: () -> Void) throws(SystemError) {
    let path = try manifest.behindLink().folder
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

  /// Lets the next run begin.
  package consuming func release() {}
}
