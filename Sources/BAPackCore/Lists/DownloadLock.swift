/// A lock for the download manifests in a folder: one run at a time reads, decides and writes.
///
/// The folder itself is locked, so that no lock file is left behind. The lock ends with the
/// process. File systems without locks are not protected.
package struct DownloadLock: ~Copyable {
  private let folder: FileDescriptor

  /// Waits until no other process holds the lock for the list at `manifest`. `waiting` is called
  /// once if that takes a while.
  ///
  /// Fails with the operation `lock` after ten minutes, and with ``Errno/interrupted`` if a signal
  /// asks to stop.
  package init(_ manifest: BytePath, waiting: () -> Void) throws(SystemError) {
    var path = manifest.folder
    if case .file(let file, _) = try manifest.outputPlace() { path = file.folder }
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
