/// What the system knows of a file.
package struct FileStatus: Sendable {
  /// The volume and number that make two paths the same file.
  package struct Identity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64
  }

  /// The kind of the file.
  package let kind: FileKind
  /// Its size in bytes.
  package let size: UInt64
  /// Whether any of the three execute bits is set.
  package let isExecutable: Bool
  /// Whether the three read bits are set. Otherwise some may not read the file.
  let isReadableByAll: Bool
  /// When the contents were last written to, in nanoseconds since 1970, as exactly as the file
  /// system keeps it. Only good for comparing: years far from now wrap around.
  package let modified: Int64
  /// When the contents or anything else about the file last changed, as ``modified`` has it: the
  /// later of both times.
  package let touched: Int64
  /// A number that tells this file, as it is, from every other file and from what it was or will be:
  /// made of the device, the inode, the size, and the times of the last write and the last change,
  /// which nobody can set.
  package let version: UInt64
  /// What tells this file from every other.
  package let identity: Identity
  /// Who may read, write and execute it: the nine bits of `chmod(1)`.
  let permissions: UInt32
  /// Whether any name is left.
  let hasName: Bool
  /// Whether the contents are elsewhere, in iCloud for example, and are fetched when they are read. Only
  /// macOS has such files.
  let isDataless: Bool

  /// `mode` is `st_mode`, times are nanoseconds since 1970.
  init(
    kind: FileKind, size: UInt64, mode: UInt32, modified: Int64, changed: Int64, identity: Identity,
    hasName: Bool, isDataless: Bool = false
  ) {
    self.kind = kind
    self.size = size
    self.modified = modified
    touched = max(modified, changed)
    self.identity = identity
    self.hasName = hasName
    self.isDataless = isDataless
    isExecutable = mode & 0o111 != 0
    isReadableByAll = mode & 0o444 == 0o444
    permissions = mode & 0o777
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

extension FileStatus {
  /// The file at `path`, behind symbolic links. Corresponds to `stat(2)`.
  package static func following(_ path: BytePath) throws(SystemError) -> FileStatus {
    try path.attempt(.lookUp, systemStatus(workingDirectory, path.bytes, follows: true))
  }

  /// What stands at `path` itself, be it a link. Corresponds to `lstat(2)`.
  package static func notFollowing(_ path: BytePath) throws(SystemError) -> FileStatus {
    try path.attempt(.lookUp, systemStatus(workingDirectory, path.bytes, follows: false))
  }

  /// What stands at `path` itself, be it a link; nil where nothing has that name. Corresponds to
  /// `lstat(2)`.
  package static func ifPresent(_ path: BytePath) throws(SystemError) -> FileStatus? {
    do throws(SystemError) {
      return try notFollowing(path)
    } catch {
      if error.code == .noSuchFile || error.code == .notDirectory { return nil }
      throw error
    }
  }
}

extension BytePath {
  /// The nearest folder with a `.git`, from this absolute path of a folder upwards; nil for none.
  func repositoryTop() throws(SystemError) -> BytePath? {
    var top = self
    while try FileStatus.ifPresent(top.appending(".git".utf8)) == nil {
      if top.name.isEmpty { return nil }
      top = top.folder
    }
    return top
  }

  /// Fails where this process may not read what stands here, behind symbolic links. Corresponds to
  /// `faccessat(2)` with `AT_EACCESS`.
  func checkReadable() throws(SystemError) {
    try attempt(.open, systemCheckReadable(self))
  }
}

extension FileDescriptor {
  /// The open file itself. Corresponds to `fstat(2)`.
  package func status() throws(Errno) -> FileStatus { try systemStatus(rawValue) }

  /// What has the name `name` in this folder, be it a link. Corresponds to `fstatat(2)` with
  /// `AT_SYMLINK_NOFOLLOW`.
  package func status(named name: some Collection<UInt8>) throws(Errno) -> FileStatus {
    try systemStatus(rawValue, Array(name), follows: false)
  }
}
