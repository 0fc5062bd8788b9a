#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif
#if os(Linux)
  import CLinux
#endif

/// What putting files in place takes: locks, syncs, and names given in one step.

extension FileDescriptor {
  /// What came of trying to lock a file.
  package enum LockResult {
    /// It is locked until it is closed.
    case taken
    /// Another process, or another descriptor, has it.
    case held
    /// The file system knows no locks.
    case unsupported
  }

  /// Locks the file against everybody else, without waiting. Corresponds to `flock(2)`.
  package func lock() -> LockResult {
    let result = repeatingInterrupted { flock(rawValue, LOCK_EX | LOCK_NB) }
    if result == 0 { return .taken }
    return errno == EWOULDBLOCK ? .held : .unsupported
  }

  /// Opens a new file in `folder` that has no name until ``link(to:)`` gives it one; nil where that
  /// is not known. Corresponds to `open(2)` with `O_TMPFILE`.
  static func unnamed(in folder: FilePath) -> FileDescriptor? {
    #if os(Linux)
      let flags = O_WRONLY | O_CLOEXEC | linux_unnamed_file
      let number = unsafe folder.withCString { path in
        repeatingInterrupted { unsafe openat(AT_FDCWD, path, flags, 0o666) }
      }
      guard number >= 0 else { return nil }
      let file = FileDescriptor(rawValue: number)
      // Without /proc the file could never get a name.
      guard let status = try? file.status(folder),
        (try? FileStatus.following(file.procPath))?.identity == status.identity
      else { return nil }
      return file
    #else
      return nil
    #endif
  }

  private var procPath: FilePath { FilePath("/proc/self/fd/\(rawValue)".utf8) }

  /// Gives a file that was made without a name this one, unless it is taken. Corresponds to
  /// `linkat(2)` with `AT_SYMLINK_FOLLOW`.
  func link(to path: FilePath) throws(SystemError) {
    let result = unsafe procPath.withCString { old in
      unsafe path.withCString { new in
        repeatingInterrupted { unsafe linkat(AT_FDCWD, old, AT_FDCWD, new, AT_SYMLINK_FOLLOW) }
      }
    }
    guard result == 0 else { throw SystemError(.create, path) }
  }

  /// Sets who may read, write and execute the file. Corresponds to `fchmod(2)`.
  func setPermissions(_ mode: UInt32, of path: FilePath) throws(SystemError) {
    guard repeatingInterrupted({ fchmod(rawValue, mode_t(truncatingIfNeeded: mode)) }) == 0 else {
      throw SystemError(.setMode, path)
    }
  }

  /// Waits until the file or folder is on the disk. File systems that can't sync are left alone.
  /// Corresponds to `fsync(2)`, on macOS to `fcntl(2)` with `F_FULLFSYNC`.
  func sync(_ path: FilePath) throws(SystemError) {
    #if canImport(Darwin)
      if repeatingInterrupted({ fcntl(rawValue, F_FULLFSYNC) }) == 0 { return }
    #endif
    guard repeatingInterrupted({ fsync(rawValue) }) == 0 || Errno.current.isUnsupported else {
      throw SystemError(.sync, path)
    }
  }

  /// Waits until all of the volume that this is on is on the disk. Corresponds to `syncfs(2)`, on
  /// macOS to `fsync_volume_np(2)`.
  func syncVolume(_ path: FilePath) throws(SystemError) {
    #if os(Linux)
      let result = repeatingInterrupted { linux_syncfs(rawValue) }
    #elseif canImport(Darwin)
      let result = repeatingInterrupted {
        fsync_volume_np(rawValue, SYNC_VOLUME_FULLSYNC | SYNC_VOLUME_WAIT)
      }
    #endif
    guard result == 0 || Errno.current.isUnsupported else { throw SystemError(.sync, path) }
  }

  /// Opens the file or folder `name` in this one; nil where it is a link, or can't be opened.
  /// Corresponds to `openat(2)` with `O_NOFOLLOW`.
  func openedNotFollowing(named name: [UInt8]) -> FileDescriptor? {
    let number = unsafe withCBytes(name) { name in
      repeatingInterrupted {
        unsafe openat(rawValue, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      }
    }
    return number < 0 ? nil : FileDescriptor(rawValue: number)
  }

  /// Opens a folder in order to sync it; nil where files may be made but the folder not be read.
  static func syncableFolder(_ path: FilePath) throws(SystemError) -> FileDescriptor? {
    do throws(SystemError) {
      return try directory(path)
    } catch {
      if error.code == Errno(rawValue: EACCES) { return nil }
      throw error
    }
  }
}

extension Errno {
  /// Whether the file system, or the kernel, does not know the call.
  var isUnsupported: Bool {
    [EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP, EPERM, EMLINK, ENOTTY].contains(rawValue)
  }
}

/// What a rename does where the new name is taken.
enum RenameMode {
  /// It takes that file's place.
  case replacing
  /// It fails with ``Errno/fileExists``.
  case exclusive
  /// Both change places.
  case exchanging
}

/// Gives a file another name. Corresponds to `rename(2)`, `renameat2(2)` and, on macOS,
/// `renamex_np(2)`.
func rename(_ old: FilePath, to new: FilePath, _ mode: RenameMode) throws(SystemError) {
  let result = unsafe withCBytes(old.bytes) { oldName in
    unsafe withCBytes(new.bytes) { newName in
      unsafe renaming(AT_FDCWD, oldName, AT_FDCWD, newName, mode)
    }
  }
  guard result == 0 else { throw SystemError(.create, new) }
}

extension FileDescriptor {
  /// Moves `old` in this folder to `new` in the folder `other`.
  func move(
    _ old: some Collection<UInt8>, to new: some Collection<UInt8>,
    in other: borrowing FileDescriptor, _ mode: RenameMode, shown: FilePath
  ) throws(SystemError) {
    let target = other.rawValue
    let result = unsafe withCBytes(old) { oldName in
      unsafe withCBytes(new) { newName in
        unsafe renaming(rawValue, oldName, target, newName, mode)
      }
    }
    guard result == 0 else {
      throw SystemError(mode == .exclusive ? .create : .replace, shown)
    }
  }
}

private func renaming(
  _ from: CInt, _ old: UnsafePointer<CChar>, _ to: CInt, _ new: UnsafePointer<CChar>,
  _ mode: RenameMode
) -> CInt {
  repeatingInterrupted {
    switch mode {
    case .replacing: return unsafe renameat(from, old, to, new)
    #if os(Linux)
      case .exclusive: return unsafe linux_renameat2(from, old, to, new, linux_rename_exclusive)
      case .exchanging: return unsafe linux_renameat2(from, old, to, new, linux_rename_exchange)
    #else
      case .exclusive: return unsafe renameatx_np(from, old, to, new, UInt32(RENAME_EXCL))
      case .exchanging: return unsafe renameatx_np(from, old, to, new, UInt32(RENAME_SWAP))
    #endif
    }
  }
}

/// Gives a file a second name, unless that is taken. Corresponds to `link(2)`.
func link(_ old: FilePath, to new: FilePath) throws(SystemError) {
  let result = unsafe old.withCString { old in
    unsafe new.withCString { new in
      repeatingInterrupted { unsafe linkat(AT_FDCWD, old, AT_FDCWD, new, 0) }
    }
  }
  guard result == 0 else { throw SystemError(.create, new) }
}

/// Removes a file's name; false, with `errno`, where that fails. Corresponds to `unlink(2)`.
func unlink(_ path: FilePath) -> Bool {
  unsafe path.withCString { path in
    repeatingInterrupted { unsafe unlinkat(AT_FDCWD, path, 0) }
  } == 0
}
