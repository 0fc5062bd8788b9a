/// Unnamed files, renames and second names, for publishing files.

extension FileDescriptor {
  /// Creates a file in `folder` that has no name until ``link(to:)`` gives it one; nil if that
  /// isn't supported.
  static func unnamed(in folder: BytePath, mode: UInt32) -> FileDescriptor? {
    #if os(Linux)
      // If it fails for another reason, so does creating a named file. Without /proc the file could
      // never be named.
      guard
        let file = try? FileDescriptor.opening(
          workingDirectory, folder.bytes, [.readingAndWriting, .unnamed], mode: mode),
        let status = try? file.status(),
        (try? FileStatus.following(file.procPath))?.identity == status.identity
      else { return nil }
      return file
    #else
      return nil
    #endif
  }

  private var procPath: BytePath { BytePath("/proc/self/fd/\(rawValue)".utf8) }

  /// Gives an unnamed file this name, unless it exists.
  func link(to path: BytePath) throws(Errno) { try systemLink(procPath, path, follows: true) }

  /// Opens the file or folder `name` in this one; nil if it is a link or can't be opened.
  func openedNotFollowing(named name: [UInt8]) -> FileDescriptor? {
    try? .opening(rawValue, name, [.noFollow, .nonBlocking])
  }

  /// Opens a folder in order to sync it; nil if the folder is writable but not readable.
  static func syncableFolder(_ path: BytePath) throws(Errno) -> FileDescriptor? {
    do {
      return try directory(path)
    } catch {
      if error == .permissionDenied { return nil }
      throw error
    }
  }
}

/// The effect of a rename if the new name exists.
package enum RenameMode {
  /// Replaces that file.
  case replacing
  case exclusive
  /// Swaps both files.
  case exchanging
}

/// Renames a file.
func rename(_ old: BytePath, to new: BytePath, _ mode: RenameMode) throws(Errno) {
  try systemRename(workingDirectory, old.bytes, to: workingDirectory, new.bytes, mode)
}

extension FileDescriptor {
  /// Moves `old` in this folder to `new` in the folder `other`.
  package func move(
    _ old: some Collection<UInt8>, to new: some Collection<UInt8>,
    in other: borrowing FileDescriptor, _ mode: RenameMode
  ) throws(Errno) {
    try systemRename(rawValue, old, to: other.rawValue, new, mode)
  }
}

/// Gives a file a second name, unless that exists.
func link(_ old: BytePath, to new: BytePath) throws(Errno) {
  try systemLink(old, new, follows: false)
}

/// Removes a file's name.
package func unlink(_ path: BytePath) throws(Errno) {
  try systemRemove(workingDirectory, path.bytes, isFolder: false)
}
