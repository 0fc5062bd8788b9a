// The calls of the C library. Each is a function that throws `errno`, is repeated if interrupted by
// a signal that isn't a request to stop, and can be made to fail by a test (`FailurePlan`). Only the
// three files called POSIX import the C library.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif
#if os(Linux)
  import CBALinux
#endif

// MARK: Errors

extension Errno {
  /// The error of this thread's last failed call.
  package static var current: Errno { Errno(rawValue: errno) }

  /// A symbolic link leads back to itself.
  package static let tooManyLinks = Errno(rawValue: ELOOP)
  package static let notSupported = Errno(rawValue: ENOTSUP)
  package static let timedOut = Errno(rawValue: ETIMEDOUT)
  /// Another process holds a lock.
  package static let wouldBlock = Errno(rawValue: EWOULDBLOCK)

  /// Whether the file system or the kernel doesn't support the call.
  package var isUnsupported: Bool {
    [EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP, EPERM, EMLINK, ENOTTY].contains(rawValue)
  }

  /// The system's message.
  var systemText: String { unsafe String(cString: strerror(rawValue)) }
}

/// Repeats a call that is interrupted by a signal, unless the signal is a request to stop.
func system<Result: SignedInteger>(
  _ call: SystemCall, _ body: () -> Result
) throws(Errno) -> Result {
  try unsafe system(call) { () -> Result? in
    let result = body()
    return result == -1 ? nil : result
  }
}

/// The same for a call that returns an address, or nil on failure.
@unsafe func system<Address>(
  _ call: SystemCall, _ body: () -> Address?
) throws(Errno) -> Address {
  while true {
    var error = plannedFailure(of: call)
    if error == nil {
      if let result = body() { return result }
      error = .current
    }
    if let error, error != .interrupted || Interruption.isPending { throw error }
  }
}

// MARK: Memory

/// Uninitialized memory, aligned for any type.
package func systemAllocate(_ size: Int) throws(Errno) -> UnsafeMutableRawBufferPointer {
  if let error = plannedFailure(of: .allocate) { throw error }
  guard let start = unsafe malloc(max(1, size)) else { throw .outOfMemory }
  return unsafe UnsafeMutableRawBufferPointer(start: start, count: size)
}

/// Whether `size` bytes of address space are free.
func canAllocate(_ size: Int) -> Bool {
  let access = PROT_READ | PROT_WRITE
  let start = unsafe mmap(nil, size, access, MAP_PRIVATE | MAP_ANON, -1, 0)
  // MAP_FAILED is a cast, which Swift doesn't import on every platform.
  guard let start = unsafe start, unsafe start != UnsafeMutableRawPointer(bitPattern: -1) else {
    return false
  }
  return unsafe munmap(start, size) == 0
}

package func systemFree(_ memory: UnsafeMutableRawBufferPointer) {
  unsafe free(memory.baseAddress)
}

/// Less than, equal to or greater than 0, as the bytes of `a` sort.
func systemCompare(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ count: Int) -> CInt {
  unsafe memcmp(a, b, count)
}

// MARK: Files

/// How to open a file. Child processes don't inherit it.
package struct OpenOptions: OptionSet {
  package let rawValue: CInt

  package init(rawValue: CInt) { self.rawValue = rawValue }

  static let reading = OpenOptions([])
  static let writing = OpenOptions(rawValue: O_WRONLY)
  static let readingAndWriting = OpenOptions(rawValue: O_RDWR)
  /// Fails unless the path is a folder.
  static let directory = OpenOptions(rawValue: O_DIRECTORY)
  /// Fails if the last part of the path is a link.
  package static let noFollow = OpenOptions(rawValue: O_NOFOLLOW)
  /// Doesn't wait for the other end of a named pipe.
  package static let nonBlocking = OpenOptions(rawValue: O_NONBLOCK)
  static let creating = OpenOptions(rawValue: O_CREAT | O_EXCL)
  /// Creates the file if it is missing; reads anywhere, writes at the end.
  static let appending = OpenOptions(rawValue: O_RDWR | O_APPEND | O_CREAT)
  #if os(Linux)
    /// Creates an unnamed file; the path is that of its folder.
    static let unnamed = OpenOptions(rawValue: linux_unnamed_file)
  #endif
}

/// The folder that relative paths start from.
package let workingDirectory = AT_FDCWD

extension FileDescriptor {
  /// Opens the file or folder at `path` below `folder`.
  package static func opening(
    _ folder: CInt, _ path: some Collection<UInt8>, _ options: OpenOptions, mode: UInt32 = 0o666
  ) throws(Errno) -> FileDescriptor {
    FileDescriptor(
      rawValue: try system(.open) {
        unsafe withCBytes(path) {
          unsafe openat(folder, $0, options.rawValue | O_CLOEXEC, mode_t(truncatingIfNeeded: mode))
        }
      })
  }
}

/// Must not be repeated: an interrupted close has closed the descriptor.
func systemClose(_ descriptor: CInt) throws(Errno) {
  let planned = plannedFailure(of: .close)
  let error: Errno? = close(descriptor) == 0 ? planned : .current
  if let error, error != .interrupted { throw error }
}

extension FileDescriptor {
  /// A second descriptor for the same file, closed independently.
  package static func duplicating(_ number: CInt) throws(Errno) -> FileDescriptor {
    FileDescriptor(rawValue: try system(.duplicate) { fcntl(number, F_DUPFD_CLOEXEC, 0) })
  }
}

func systemRead(_ file: CInt, _ buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
  try system(.read) { unsafe read(file, buffer.baseAddress, buffer.count) }
}

func systemRead(
  _ file: CInt, _ buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
) throws(Errno) -> Int {
  try system(.read) { unsafe pread(file, buffer.baseAddress, buffer.count, off_t(offset)) }
}

func systemWrite(
  _ file: CInt, _ buffer: UnsafeRawBufferPointer, at offset: UInt64? = nil
) throws(Errno) -> Int {
  try system(.write) {
    guard let offset else { return unsafe write(file, buffer.baseAddress, buffer.count) }
    return unsafe pwrite(file, buffer.baseAddress, buffer.count, off_t(offset))
  }
}

extension FileDescriptor {
  /// Whether a read, or else a write, would not block: it is possible, or fails.
  func isReady(toWrite: Bool = false, milliseconds: CInt) -> Bool {
    var state = pollfd(fd: rawValue, events: Int16(toWrite ? POLLOUT : POLLIN), revents: 0)
    let result = unsafe poll(&state, 1, milliseconds)
    return result > 0 || (result < 0 && errno != EINTR)
  }
}

extension FileDescriptor {
  /// The status of the open file.
  package func status() throws(Errno) -> FileStatus {
    var status = stat()
    _ = try system(.status) { unsafe fstat(rawValue, &status) }
    return FileStatus(status)
  }
}

extension FileDescriptor {
  /// Sets the times of the file to now.
  package func touch() throws(Errno) {
    _ = try system(.touch) { futimens(rawValue, nil) }
  }
}

func systemStatus(
  _ folder: CInt, _ path: some Collection<UInt8>, follows: Bool
) throws(Errno) -> FileStatus {
  var status = stat()
  _ = try system(.status) {
    unsafe withCBytes(path) {
      unsafe fstatat(folder, $0, &status, follows ? 0 : AT_SYMLINK_NOFOLLOW)
    }
  }
  return FileStatus(status)
}

extension FileStatus {
  init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .directory
      case S_IFLNK: .symbolicLink
      case S_IFIFO: .fifo
      case S_IFSOCK: .socket
      case S_IFCHR: .device
      default: .blockDevice
      }
    #if canImport(Darwin)
      modified = nanoseconds(status.st_mtimespec)
      changed = nanoseconds(status.st_ctimespec)
    #else
      modified = nanoseconds(status.st_mtim)
      changed = nanoseconds(status.st_ctim)
    #endif
    size = UInt64(max(0, status.st_size))
    permissions = UInt32(status.st_mode) & 0o777
    identity = Identity(
      device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino))
    linkCount = UInt64(status.st_nlink)
    owner = UInt32(status.st_uid)
  }
}

/// The current time in nanoseconds since 1970.
package func systemTime() -> Int64 {
  var time = timespec()
  unsafe clock_gettime(CLOCK_REALTIME, &time)
  return nanoseconds(time)
}

private func nanoseconds(_ time: timespec) -> Int64 {
  Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
}

extension BytePath {
  /// Fails if this process may not read the file, following symbolic links.
  package func checkReadable() throws(SystemError) {
    _ = try attempt(
      .open,
      system(.status) {
        unsafe withCBytes(bytes) { unsafe faccessat(AT_FDCWD, $0, R_OK, AT_EACCESS) }
      })
  }

  /// The target of the symbolic link at this path, as stored in it.
  package func linkTarget() throws(SystemError) -> BytePath {
    // The longest target that Linux (PATH_MAX) or macOS stores.
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let capacity = buffer.count
    let count = try attempt(
      .readLink,
      system(.status) { unsafe withCBytes(bytes) { unsafe readlink($0, &buffer, capacity) } })
    return BytePath(buffer.prefix(count).map { UInt8(bitPattern: $0) })
  }

  /// The absolute path without links, `.` or `..`; every part must exist.
  package func resolved() throws(SystemError) -> BytePath {
    let result = unsafe try attempt(
      .lookUp,
      system(.status) { unsafe withCBytes(bytes) { unsafe realpath($0, nil) } })
    defer { unsafe free(result) }
    return unsafe BytePath(systemBytes(result))
  }

  /// Makes this folder the working directory of the process.
  package func makeWorkingDirectory() throws(SystemError) {
    _ = try attempt(
      .openFolder, system(.status) { unsafe withCBytes(bytes) { unsafe chdir($0) } })
  }
}

// MARK: Locks, modes, disks, terminals

extension FileDescriptor {
  /// Locks the file exclusively, without waiting.
  package func lock() -> LockResult {
    do {
      _ = try system(.lock) { flock(rawValue, LOCK_EX | LOCK_NB) }
      return .taken
    } catch {
      return error == .wouldBlock ? .held : .unsupported
    }
  }

  /// Locks this folder, which is called `name` in `parent`, exclusively and without waiting. The
  /// folder itself is locked, until it is closed. `file` is for systems that lock a file instead,
  /// which stays open as long.
  package func lockFolder(
    named name: some Collection<UInt8>, in parent: CInt, _ file: inout FileDescriptor?
  ) -> LockResult { lock() }

  package func setPermissions(_ mode: UInt32) throws(Errno) {
    _ = try system(.setMode) { fchmod(rawValue, mode_t(truncatingIfNeeded: mode)) }
  }

  /// Waits until the file or folder is on disk; does nothing on file systems that can't sync.
  package func sync() throws(Errno) {
    #if canImport(Darwin)
      // Network volumes don't support it.
      if fcntl(rawValue, F_FULLFSYNC) == 0 { return }
    #endif
    do { _ = try system(.sync) { fsync(rawValue) } } catch {
      if !error.isUnsupported { throw error }
    }
  }

  /// Waits until the whole volume of this file is on disk.
  package func syncVolume() throws(Errno) {
    do {
      _ = try system(.sync) {
        #if os(Linux)
          linux_syncfs(rawValue)
        #else
          fsync_volume_np(rawValue, SYNC_VOLUME_FULLSYNC | SYNC_VOLUME_WAIT)
        #endif
      }
    } catch {
      if !error.isUnsupported { throw error }
    }
  }

  /// Waits until the file is on disk, on systems that can't do so for a volume.
  package func syncWithoutVolume() throws(Errno) {}

  package var isTerminal: Bool { isatty(rawValue) == 1 }

  /// The width of this terminal in columns; nil if it isn't a terminal or doesn't report one.
  package var terminalWidth: Int? {
    var size = winsize()
    let result = unsafe ioctl(rawValue, UInt(TIOCGWINSZ), &size)
    return result == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
  }
}
