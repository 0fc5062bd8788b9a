package struct FileStatus: Sendable {
  package struct Identity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64
  }

  package let kind: FileKind
  package let size: UInt64
  /// When the contents were last modified, in nanoseconds since 1970, as precisely as the file
  /// system records it. For comparison only: distant years wrap around.
  package let modified: Int64
  /// When the status last changed, in the unit of ``modified``. A program can't set it.
  let changed: Int64
  package let identity: Identity
  /// The nine permission bits, as in `chmod(1)`.
  package let permissions: UInt32
  /// The number of names of the file, its hard links; 0 if all were removed.
  package let linkCount: UInt64
  /// The user ID of the owner.
  package let owner: UInt32
}

/// A hash of both numbers (the finalizer of SplitMix64).
func mixed(_ a: UInt64, _ b: UInt64) -> UInt64 {
  var result = a &* 0x9E37_79B9_7F4A_7C15 &+ b
  result = (result ^ result >> 30) &* 0xBF58_476D_1CE4_E5B9
  result = (result ^ result >> 27) &* 0x94D0_49BB_1331_11EB
  return result ^ result >> 31
}

extension FileStatus {
  /// Whether any of the three execute bits is set.
  package var isExecutable: Bool { permissions & 0o111 != 0 }
  /// Whether all three read bits are set.
  package var isReadableByAll: Bool { permissions & 0o444 == 0o444 }
  /// When the contents or the metadata last changed, in the unit of ``modified``.
  package var touched: Int64 { max(modified, changed) }
  /// A number that differs between files and between versions of a file: a hash of the device, the
  /// inode, the size, and the times of the last modification and the last status change.
  package var version: UInt64 {
    [size, UInt64(bitPattern: modified), UInt64(bitPattern: changed)]
      .reduce(mixed(identity.device, identity.inode), mixed)
  }

  /// Whether the file belongs to the user of this process, or to root.
  package var isOwnedByUserOrRoot: Bool { owner == 0 || owner == ProcessContext.user }

  /// The status of `path`, following symbolic links.
  package static func following(_ path: BytePath) throws(SystemError) -> FileStatus {
    try path.attempt(.lookUp, systemStatus(workingDirectory, path.bytes, follows: true))
  }

  /// The status of `path`, without following a link.
  package static func notFollowing(_ path: BytePath) throws(SystemError) -> FileStatus {
    try path.attempt(.lookUp, systemStatus(workingDirectory, path.bytes, follows: false))
  }

  /// The status of `path`, without following a link; nil if it doesn't exist.
  package static func ifPresent(_ path: BytePath) throws(SystemError) -> FileStatus? {
    try optional(.noSuchFile, .notDirectory, call: notFollowing(path))
  }
}

extension BytePath {
  /// The nearest folder with a `.git`, from the folder at this absolute path upwards; nil if there
  /// is none.
  package func repositoryTop() throws(SystemError) -> BytePath? {
    var top = self
    while try FileStatus.ifPresent(top.appending(".git".utf8)) == nil {
      if top.name.isEmpty { return nil }
      top = top.folder
    }
    return top
  }
}

extension FileDescriptor {
  /// The status of `name` in this folder, without following a link.
  package func status(named name: some Collection<UInt8>) throws(Errno) -> FileStatus {
    try systemStatus(rawValue, Array(name), follows: false)
  }
}

package enum FileKind: Sendable {
  case file
  case directory
  case symbolicLink
  case fifo
  case socket
  case device
  /// A block device, or anything else.
  case blockDevice
}

extension FileKind: CustomStringConvertible {
  /// The kind with its article: `a file`, `a folder`.
  package var description: String {
    switch self {
    case .file: "a file"
    case .directory: "a folder"
    case .symbolicLink: "a symbolic link"
    case .fifo: "a named pipe"
    case .socket: "a socket"
    case .device: "a device"
    case .blockDevice: "a block device"
    }
  }
}
