#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the system knows of a file.
public struct FileStatus: Sendable {
  /// What kind of thing a path names.
  public enum Kind: Sendable {
    /// A regular file.
    case file
    /// A folder.
    case directory
    /// A symbolic link.
    case symbolicLink
    /// A named pipe.
    case fifo
    /// A socket.
    case socket
    /// A character or block device, or anything else.
    case device
  }

  /// The volume and number that make two paths the same file.
  public struct Identity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64
  }

  /// The kind of the file.
  public let kind: Kind
  /// Bytes of contents.
  public let size: UInt64
  /// Whether any of the three execute bits is set.
  public let isExecutable: Bool
  /// Whether the three read bits are set. Otherwise some may not read the file.
  let isReadableByAll: Bool
  /// When the contents were last written to, in nanoseconds since 1970, as exactly as the file
  /// system keeps it. Only good for comparing: years far from now wrap around.
  public let modified: Int64
  /// A number that tells this file, as it is, from every other file and from what it was or will be:
  /// made of the device, the inode, the size, and the times of the last write and the last change,
  /// which nobody can set.
  package let version: UInt64
  /// What tells this file from every other.
  public let identity: Identity
  /// Who may read, write and execute it: the nine bits of `chmod(1)`.
  let permissions: UInt32
  /// Whether any name is left.
  let hasName: Bool

  init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .file
    case S_IFDIR: kind = .directory
    case S_IFLNK: kind = .symbolicLink
    case S_IFIFO: kind = .fifo
    case S_IFSOCK: kind = .socket
    default: kind = .device
    }
    size = UInt64(max(0, status.st_size))
    isExecutable = status.st_mode & 0o111 != 0
    isReadableByAll = status.st_mode & 0o444 == 0o444
    #if canImport(Darwin)
      modified = nanoseconds(status.st_mtimespec)
      let changed = nanoseconds(status.st_ctimespec)
    #else
      modified = nanoseconds(status.st_mtim)
      let changed = nanoseconds(status.st_ctim)
    #endif
    permissions = UInt32(status.st_mode & 0o777)
    hasName = status.st_nlink > 0
    identity = Identity(
      device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino))
    var version = mixed(identity.device, identity.inode)
    version = mixed(version, size)
    version = mixed(version, UInt64(bitPattern: modified))
    self.version = mixed(version, UInt64(bitPattern: changed))
  }
}

/// Both numbers in one, each of whose bits depends on all of theirs (the finalizer of SplitMix64).
private func mixed(_ a: UInt64, _ b: UInt64) -> UInt64 {
  var result = a &* 0x9E37_79B9_7F4A_7C15 &+ b
  result = (result ^ result >> 30) &* 0xBF58_476D_1CE4_E5B9
  result = (result ^ result >> 27) &* 0x94D0_49BB_1331_11EB
  return result ^ result >> 31
}

/// Nanoseconds since 1970.
private func nanoseconds(_ time: timespec) -> Int64 {
  Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
}

extension FileStatus.Kind: CustomStringConvertible {
  /// The kind with its article: `a file`, `a folder`.
  public var description: String {
    switch self {
    case .file: "a file"
    case .directory: "a folder"
    case .symbolicLink: "a symbolic link"
    case .fifo: "a named pipe"
    case .socket: "a socket"
    case .device: "a device"
    }
  }
}

extension FileStatus {
  /// The file at `path`, behind symbolic links. Corresponds to `stat(2)`.
  public static func following(_ path: FilePath) throws(SystemError) -> FileStatus {
    try at(AT_FDCWD, path.bytes, 0)
  }

  /// What stands at `path` itself, be it a link. Corresponds to `lstat(2)`.
  public static func notFollowing(_ path: FilePath) throws(SystemError) -> FileStatus {
    try at(AT_FDCWD, path.bytes, AT_SYMLINK_NOFOLLOW)
  }

  fileprivate static func at(
    _ folder: CInt, _ bytes: [UInt8], _ flags: CInt
  ) throws(SystemError) -> FileStatus {
    var status = stat()
    let result = unsafe withCBytes(bytes) { path in
      repeatingInterrupted { unsafe fstatat(folder, path, &status, flags) }
    }
    guard result == 0 else {
      let code = Errno.current
      throw SystemError(.lookUp, FilePath(bytes), code: code)
    }
    return FileStatus(status)
  }
}

extension FilePath {
  /// Fails where this process may not read what stands here, behind symbolic links. Corresponds to
  /// `faccessat(2)` with `AT_EACCESS`.
  func checkReadable() throws(SystemError) {
    let result = unsafe withCString { path in
      repeatingInterrupted { unsafe faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) }
    }
    guard result == 0 else { throw SystemError(.open, self) }
  }
}

extension FileDescriptor {
  /// The open file itself. Corresponds to `fstat(2)`.
  public func status(_ path: FilePath) throws(SystemError) -> FileStatus {
    var status = stat()
    guard repeatingInterrupted({ unsafe fstat(rawValue, &status) }) == 0 else {
      throw SystemError(.lookUp, path)
    }
    return FileStatus(status)
  }

  /// What stands at `path` below this folder, be it a link. Corresponds to `fstatat(2)` with
  /// `AT_SYMLINK_NOFOLLOW`.
  func statusNotFollowing(_ path: [UInt8]) throws(SystemError) -> FileStatus {
    try FileStatus.at(rawValue, path, AT_SYMLINK_NOFOLLOW)
  }
}
