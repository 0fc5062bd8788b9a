// The calls of the C library. Each is a function that throws `errno`, is repeated if interrupted by
// a signal that isn't a request to stop, and can be made to fail by a test (`FailurePlan`). Nothing
// else imports the C library.

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

// MARK: Errors

extension Errno {
  /// The error of this thread's last failed call.
  package static var current: Errno { Errno(rawValue: errno) }

  /// There is no such file or folder.
  package static let noSuchFile = Errno(rawValue: ENOENT)
  /// A part of the path before the last isn't a folder.
  package static let notDirectory = Errno(rawValue: ENOTDIR)
  package static let fileExists = Errno(rawValue: EEXIST)
  /// The path is a folder.
  package static let isDirectory = Errno(rawValue: EISDIR)
  /// A symbolic link leads back to itself.
  package static let tooManyLinks = Errno(rawValue: ELOOP)
  /// The call was interrupted by a signal.
  package static let interrupted = Errno(rawValue: EINTR)
  /// No space is left on the volume.
  package static let noSpace = Errno(rawValue: ENOSPC)
  /// The reading end of a pipe is closed.
  package static let brokenPipe = Errno(rawValue: EPIPE)
  package static let permissionDenied = Errno(rawValue: EACCES)
  /// The file system does not support the operation.
  package static let notSupported = Errno(rawValue: ENOTSUP)
  package static let outOfMemory = Errno(rawValue: ENOMEM)
  /// Input/output error.
  package static let inputOutput = Errno(rawValue: EIO)
  package static let fileTooLarge = Errno(rawValue: EFBIG)
  /// The file is not seekable.
  package static let illegalSeek = Errno(rawValue: ESPIPE)
  /// There is no such device, or a named pipe has no reader.
  package static let noDevice = Errno(rawValue: ENXIO)
  /// The operation took too long.
  package static let timedOut = Errno(rawValue: ETIMEDOUT)
  package static let notProgram = Errno(rawValue: ENOEXEC)
  /// Another process holds a lock.
  package static let wouldBlock = Errno(rawValue: EWOULDBLOCK)

  /// Whether the file system or the kernel doesn't support the call.
  package var isUnsupported: Bool {
    [EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP, EPERM, EMLINK, ENOTTY].contains(rawValue)
  }

  /// The system's message. Corresponds to `strerror(3)`.
  var systemText: String { unsafe String(cString: strerror(rawValue)) }
}

/// Repeats a call that is interrupted by a signal, unless the signal is a request to stop.
private func system<Result: SignedInteger>(
  _ call: SystemCall, _ body: () -> Result
) throws(Errno) -> Result {
  while true {
    var error = plannedFailure(of: call)
    if error == nil {
      let result = body()
      if result != -1 { return result }
      error = .current
    }
    if let error, error != .interrupted || Interruption.pending != nil { throw error }
  }
}

/// The same for a call that returns an address, or nil on failure.
@unsafe private func system<Address>(
  _ call: SystemCall, _ body: () -> Address?
) throws(Errno) -> Address {
  while true {
    var error = plannedFailure(of: call)
    if error == nil {
      if let result = body() { return result }
      error = .current
    }
    if let error, error != .interrupted || Interruption.pending != nil { throw error }
  }
}

// MARK: Memory

/// Uninitialized memory, aligned for any type. Corresponds to `malloc(3)`.
package func systemAllocate(_ size: Int) throws(Errno) -> UnsafeMutableRawBufferPointer {
  if let error = plannedFailure(of: .allocate) { throw error }
  guard let start = unsafe malloc(max(1, size)) else { throw .outOfMemory }
  return unsafe UnsafeMutableRawBufferPointer(start: start, count: size)
}

/// Whether `size` bytes of address space are free. Corresponds to `mmap(2)` and `munmap(2)`.
func canAllocate(_ size: Int) -> Bool {
  let access = PROT_READ | PROT_WRITE
  let start = unsafe mmap(nil, size, access, MAP_PRIVATE | MAP_ANON, -1, 0)
  // MAP_FAILED is a cast, which Swift doesn't import on every platform.
  guard let start = unsafe start, unsafe start != UnsafeMutableRawPointer(bitPattern: -1) else {
    return false
  }
  return unsafe munmap(start, size) == 0
}

/// Corresponds to `free(3)`.
package func systemFree(_ memory: UnsafeMutableRawBufferPointer) {
  unsafe free(memory.baseAddress)
}

/// Less than, equal to or greater than 0, as the bytes of `a` sort. Corresponds to `memcmp(3)`.
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
  /// Creates the file; fails if it exists.
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

/// Corresponds to `openat(2)`.
func systemOpen(
  _ folder: CInt, _ path: some Collection<UInt8>, _ options: OpenOptions,
  mode: UInt32 = 0o666
) throws(Errno) -> CInt {
  try system(.open) {
    unsafe withCBytes(path) {
      unsafe openat(folder, $0, options.rawValue | O_CLOEXEC, mode_t(truncatingIfNeeded: mode))
    }
  }
}

/// Must not be repeated: an interrupted close has closed the descriptor. Corresponds to `close(2)`.
func systemClose(_ descriptor: CInt) throws(Errno) {
  let planned = plannedFailure(of: .close)
  let error: Errno? = close(descriptor) == 0 ? planned : .current
  if let error, error != .interrupted { throw error }
}

/// Corresponds to `fcntl(2)` with `F_DUPFD_CLOEXEC`.
func systemDuplicate(_ descriptor: CInt) throws(Errno) -> CInt {
  try system(.duplicate) { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }
}

let standardInput = STDIN_FILENO
let standardOutput = STDOUT_FILENO
let standardError = STDERR_FILENO

/// Corresponds to `read(2)`.
func systemRead(_ file: CInt, _ buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
  try system(.read) { unsafe read(file, buffer.baseAddress, buffer.count) }
}

/// Corresponds to `pread(2)`.
func systemRead(
  _ file: CInt, _ buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
) throws(Errno) -> Int {
  try system(.read) { unsafe pread(file, buffer.baseAddress, buffer.count, off_t(offset)) }
}

/// Corresponds to `write(2)`.
func systemWrite(_ file: CInt, _ buffer: UnsafeRawBufferPointer) throws(Errno) -> Int {
  try system(.write) { unsafe write(file, buffer.baseAddress, buffer.count) }
}

/// Corresponds to `pwrite(2)`.
func systemWrite(
  _ file: CInt, _ buffer: UnsafeRawBufferPointer, at offset: UInt64
) throws(Errno) -> Int {
  try system(.write) { unsafe pwrite(file, buffer.baseAddress, buffer.count, off_t(offset)) }
}

/// Whether a read would not block: there is data, the input has ended, or reading fails.
/// Corresponds to `poll(2)`.
func systemHasInput(_ file: CInt, milliseconds: CInt) -> Bool {
  isReady(file, POLLIN, milliseconds)
}

/// The same for a write. Corresponds to `poll(2)`.
func systemHasRoom(_ file: CInt, milliseconds: CInt) -> Bool {
  isReady(file, POLLOUT, milliseconds)
}

private func isReady(_ file: CInt, _ event: CInt, _ milliseconds: CInt) -> Bool {
  var state = pollfd(fd: file, events: Int16(event), revents: 0)
  let result = unsafe poll(&state, 1, milliseconds)
  return result > 0 || (result < 0 && errno != EINTR)
}

/// Corresponds to `fstat(2)`.
func systemStatus(_ file: CInt) throws(Errno) -> FileStatus {
  var status = stat()
  _ = try system(.status) { unsafe fstat(file, &status) }
  return FileStatus(status)
}

/// Corresponds to `fstatat(2)`.
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
  fileprivate init(_ status: stat) {
    let kind: FileKind =
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
      let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
      // SF_DATALESS in <sys/stat.h>: the contents are fetched when they are read.
      let isDataless = status.st_flags & 0x4000_0000 != 0
    #else
      let (modified, changed) = (status.st_mtim, status.st_ctim)
      let isDataless = false
    #endif
    self.init(
      kind: kind, size: UInt64(max(0, status.st_size)), mode: UInt32(status.st_mode),
      modified: nanoseconds(modified), changed: nanoseconds(changed),
      identity: Identity(
        device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino)),
      names: UInt64(status.st_nlink), owner: UInt32(status.st_uid), isDataless: isDataless)
  }
}

/// The current time in nanoseconds since 1970. Corresponds to `clock_gettime(2)` with
/// `CLOCK_REALTIME`.
package func systemTime() -> Int64 {
  var time = timespec()
  unsafe clock_gettime(CLOCK_REALTIME, &time)
  return nanoseconds(time)
}

/// Nanoseconds since 1970.
private func nanoseconds(_ time: timespec) -> Int64 {
  Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
}

/// Corresponds to `faccessat(2)` with `AT_EACCESS`.
func systemCheckReadable(_ path: BytePath) throws(Errno) {
  _ = try system(.status) {
    unsafe path.withCString { unsafe faccessat(AT_FDCWD, $0, R_OK, AT_EACCESS) }
  }
}

/// Corresponds to `readlink(2)`.
func systemLinkTarget(_ path: BytePath) throws(Errno) -> BytePath {
  // The longest target that Linux (PATH_MAX) or macOS stores.
  var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
  let capacity = buffer.count
  let count = try system(.status) {
    unsafe path.withCString { unsafe readlink($0, &buffer, capacity) }
  }
  return BytePath(buffer.prefix(count).map { UInt8(bitPattern: $0) })
}

/// Corresponds to `realpath(3)`.
func systemResolve(_ path: BytePath) throws(Errno) -> BytePath {
  let result = unsafe try system(.status) {
    unsafe path.withCString { unsafe realpath($0, nil) }
  }
  defer { unsafe free(result) }
  return unsafe BytePath(UnsafeRawBufferPointer(start: result, count: strlen(result)))
}

// MARK: Folders

/// Calls `body` with every name in a folder, except `.` and `..`. Corresponds to `readdir(3)`.
func systemList(_ folder: CInt, _ body: ([UInt8]) -> Void) throws(Errno) {
  // The stream closes the descriptor that it is given.
  let duplicate = FileDescriptor(rawValue: try systemDuplicate(folder))
  let stream = unsafe try system(.list) { unsafe fdopendir(duplicate.rawValue) }
  duplicate.release()
  defer { unsafe closedir(stream) }
  while true {
    do {
      let entry = unsafe try system(.list) {
        // The end also returns nil, without setting `errno`.
        errno = 0
        return unsafe readdir(stream)
      }
      if let name = unsafe nameBytes(entry) { body(name) }
    } catch {
      if error.rawValue == 0 { return }
      throw error
    }
  }
}

/// The name of a record; nil for `.` and `..`. A record may be shorter than its type's declared
/// size, so the name may be read only through a pointer, up to its NUL.
private func nameBytes(_ entry: UnsafeMutablePointer<dirent>) -> [UInt8]? {
  guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return nil }
  let start = unsafe UnsafeRawPointer(entry).advanced(by: offset)
  let count = unsafe strlen(start.assumingMemoryBound(to: CChar.self))
  let dots = unsafe UnsafeRawBufferPointer(start: start, count: min(count, 2))
  if count <= 2, unsafe dots.allSatisfy({ $0 == ASCII.dot }) { return nil }
  return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
}

/// Corresponds to `chdir(2)`.
func systemChangeFolder(_ folder: some Collection<UInt8>) throws(Errno) {
  _ = try system(.status) { unsafe withCBytes(folder) { unsafe chdir($0) } }
}

/// Corresponds to `mkdirat(2)`.
func systemMakeFolder(_ folder: CInt, _ name: some Collection<UInt8>) throws(Errno) {
  _ = try system(.makeFolder) {
    unsafe withCBytes(name) { unsafe mkdirat(folder, $0, 0o777) }
  }
}

/// Corresponds to `unlinkat(2)`.
func systemRemove(
  _ folder: CInt, _ name: some Collection<UInt8>, isFolder: Bool
) throws(Errno) {
  _ = try system(.remove) {
    unsafe withCBytes(name) { unsafe unlinkat(folder, $0, isFolder ? AT_REMOVEDIR : 0) }
  }
}

/// What a rename does if the new name exists.
package enum RenameMode {
  /// Replaces that file.
  case replacing
  /// Fails with ``Errno/fileExists``.
  case exclusive
  /// Swaps both files.
  case exchanging
}

/// Corresponds to `renameat(2)`, `renameat2(2)` and, on macOS, `renameatx_np(2)`.
func systemRename(
  _ folder: CInt, _ old: some Collection<UInt8>,
  to other: CInt, _ new: some Collection<UInt8>, _ mode: RenameMode
) throws(Errno) {
  _ = try system(.rename) {
    unsafe withCBytes(old) { old in
      unsafe withCBytes(new) { new in
        switch mode {
        case .replacing: return unsafe renameat(folder, old, other, new)
        #if os(Linux)
          case .exclusive:
            return unsafe linux_renameat2(folder, old, other, new, linux_rename_exclusive)
          case .exchanging:
            return unsafe linux_renameat2(folder, old, other, new, linux_rename_exchange)
        #else
          case .exclusive: return unsafe renameatx_np(folder, old, other, new, UInt32(RENAME_EXCL))
          case .exchanging: return unsafe renameatx_np(folder, old, other, new, UInt32(RENAME_SWAP))
        #endif
        }
      }
    }
  }
}

/// Gives a file a second name. Corresponds to `linkat(2)`, with `AT_SYMLINK_FOLLOW` if `follows` is
/// true.
func systemLink(_ old: BytePath, _ new: BytePath, follows: Bool) throws(Errno) {
  _ = try system(.link) {
    unsafe old.withCString { old in
      unsafe new.withCString { new in
        unsafe linkat(AT_FDCWD, old, AT_FDCWD, new, follows ? AT_SYMLINK_FOLLOW : 0)
      }
    }
  }
}

// MARK: Locks, modes, disks

/// Locks a file exclusively, without waiting. Corresponds to `flock(2)`.
func systemLock(_ file: CInt) throws(Errno) {
  _ = try system(.lock) { flock(file, LOCK_EX | LOCK_NB) }
}

/// Corresponds to `fchmod(2)`.
func systemSetMode(_ file: CInt, _ mode: UInt32) throws(Errno) {
  _ = try system(.setMode) { fchmod(file, mode_t(truncatingIfNeeded: mode)) }
}

/// Corresponds to `fsync(2)`, on macOS to `fcntl(2)` with `F_FULLFSYNC`.
func systemSync(_ file: CInt) throws(Errno) {
  #if canImport(Darwin)
    // Network volumes don't support it.
    if fcntl(file, F_FULLFSYNC) == 0 { return }
  #endif
  _ = try system(.sync) { fsync(file) }
}

/// Corresponds to `syncfs(2)`, on macOS to `fsync_volume_np(2)`.
func systemSyncVolume(_ file: CInt) throws(Errno) {
  _ = try system(.sync) {
    #if os(Linux)
      linux_syncfs(file)
    #else
      fsync_volume_np(file, SYNC_VOLUME_FULLSYNC | SYNC_VOLUME_WAIT)
    #endif
  }
}

// MARK: Terminals

/// Corresponds to `isatty(3)`.
func systemIsTerminal(_ file: CInt) -> Bool { isatty(file) == 1 }

/// Corresponds to `ioctl(2)` with `TIOCGWINSZ`.
func systemTerminalWidth(_ file: CInt) -> Int? {
  var size = winsize()
  let result = unsafe ioctl(file, UInt(TIOCGWINSZ), &size)
  return result == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
}

// MARK: The process

/// Corresponds to `getenv(3)`.
func systemEnvironment(_ name: String) -> [UInt8]? {
  guard let value = unsafe getenv(name) else { return nil }
  return unsafe Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
}

/// The bytes of a C string.
func systemBytes(_ text: UnsafePointer<CChar>) -> [UInt8] {
  unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
}

/// Corresponds to `geteuid(2)`.
func systemUser() -> UInt32 { UInt32(geteuid()) }

/// Corresponds to `exit(3)`.
func systemExit(_ code: CInt) -> Never { exit(code) }

/// Corresponds to `sysconf(3)`.
func systemProcessorsOnline() -> Int { Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

/// Raises the limit of open files to the hard limit or `most`, whichever is less. Corresponds to
/// `setrlimit(2)`.
func systemRaiseOpenFiles(to most: UInt64) {
  #if canImport(Glibc)
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    let resource = RLIMIT_NOFILE
  #endif
  var limit = rlimit()
  guard unsafe getrlimit(resource, &limit) == 0 else { return }
  limit.rlim_cur = min(max(limit.rlim_cur, rlim_t(most)), limit.rlim_max)
  unsafe setrlimit(resource, &limit)
}

// MARK: Signals

/// The signals that ask a process to stop, and their names.
let stoppingSignals: [(number: CInt, name: String)] = [
  (SIGHUP, "SIGHUP"), (SIGINT, "SIGINT"), (SIGTERM, "SIGTERM"),
]

/// The signals for a write to a closed pipe and for one beyond the file size limit.
let writeSignals: [CInt] = [SIGPIPE, SIGXFSZ]

/// Corresponds to `signal(3)` with `SIG_IGN`.
func systemIgnore(_ number: CInt) { signal(number, SIG_IGN) }

/// Calls `handler` for a signal unless it is ignored; waiting calls are interrupted. Corresponds to
/// `sigaction(2)` without `SA_RESTART`.
func systemHandle(_ number: CInt, _ handler: @escaping @convention(c) (CInt) -> Void) {
  var old = sigaction()
  guard unsafe sigaction(number, nil, &old) == 0, !isIgnored(old) else { return }
  var new = sigaction()
  #if canImport(Darwin)
    unsafe new.__sigaction_u.__sa_handler = handler
  #else
    unsafe new.__sigaction_handler.sa_handler = handler
  #endif
  unsafe sigaction(number, &new, nil)
}

private func isIgnored(_ action: sigaction) -> Bool {
  #if canImport(Darwin)
    let handler = unsafe action.__sigaction_u.__sa_handler
  #else
    let handler = unsafe action.__sigaction_handler.sa_handler
  #endif
  return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
}

// MARK: Time

/// Waits for a while, or until a signal arrives. Corresponds to `poll(2)` without files.
package func sleep(milliseconds: CInt) {
  _ = poll(nil, 0, milliseconds)
}

// MARK: Threads

/// A thread-local value. Corresponds to `pthread_key_create(3)`.
struct ThreadValue: Sendable {
  private let key: pthread_key_t

  init() {
    var key = pthread_key_t()
    let result = unsafe pthread_key_create(&key, nil)
    precondition(result == 0, "pthread_key_create: \(result)")
    self.key = key
  }

  /// The value of this thread; nil unless it was set.
  var pointer: UnsafeRawPointer? {
    get { unsafe UnsafeRawPointer(pthread_getspecific(key)) }
    nonmutating set { unsafe pthread_setspecific(key, newValue) }
  }
}

/// What a thread runs.
final class ThreadBody: Sendable {
  package let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// A running thread, to be joined exactly once. Corresponds to `pthread_create(3)`.
@safe struct Thread {
  private let handle: pthread_t

  /// Nil if the system can't create the thread.
  init?(_ body: ThreadBody) {
    if plannedFailure(of: .thread) != nil { return nil }
    let context = unsafe Unmanaged.passRetained(body)
    #if canImport(Darwin)
      var made: pthread_t?
    #else
      var made = pthread_t()
    #endif
    let error = unsafe pthread_create(
      &made, nil,
      { context in
        // Not every platform declares it as optional.
        let context = unsafe context as UnsafeMutableRawPointer?
        if let context = unsafe context {
          unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
        }
        return nil
      }, context.toOpaque())
    guard error == 0 else {
      unsafe context.release()
      return nil
    }
    #if canImport(Darwin)
      guard let made = unsafe made else { preconditionFailure("pthread_create") }
      unsafe handle = made
    #else
      handle = made
    #endif
  }

  /// Corresponds to `pthread_join(3)`.
  package func join() {
    #if canImport(Darwin)
      let result = unsafe pthread_join(handle, nil)
    #else
      let result = pthread_join(handle, nil)
    #endif
    precondition(result == 0, "pthread_join: \(result)")
  }
}

/// A lock with a condition. Both stay at one address, as POSIX requires.
@safe final class ConditionLock: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    let result = unsafe pthread_mutex_init(mutex, nil) + pthread_cond_init(condition, nil)
    precondition(result == 0, "pthread: \(result)")
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe pthread_cond_destroy(condition)
    unsafe mutex.deallocate()
    unsafe condition.deallocate()
  }

  func lock() { unsafe pthread_mutex_lock(mutex) }
  func unlock() { unsafe pthread_mutex_unlock(mutex) }
  /// Releases the lock until ``wakeAll()``.
  func wait() { unsafe pthread_cond_wait(condition, mutex) }
  func wakeAll() { unsafe pthread_cond_broadcast(condition) }
}

// MARK: Programs

/// Starts the program at the path `words[0]` with `input`, which must fit into a pipe's buffer of 16
/// KiB, no standard error, and only these environment variables, `NAME=value`. Returns its process
/// ID and a pipe from its
/// standard output. Corresponds to `posix_spawn(3)` and `pipe(2)`.
func systemSpawn(
  _ words: [[UInt8]], _ environment: [[UInt8]], input: [UInt8]
) throws(Errno) -> (process: pid_t, output: CInt) {
  let source = try systemPipe()
  defer { _ = close(source.reading) }
  let written = unsafe input.withUnsafeBytes { bytes in
    unsafe write(source.writing, bytes.baseAddress, bytes.count)
  }
  _ = close(source.writing)
  guard written == input.count else { throw .inputOutput }
  let ends = try systemPipe()
  defer { _ = close(ends.writing) }
  #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
  #else
    var actions = unsafe posix_spawn_file_actions_t()
  #endif
  unsafe posix_spawn_file_actions_init(&actions)
  defer { unsafe posix_spawn_file_actions_destroy(&actions) }
  unsafe posix_spawn_file_actions_adddup2(&actions, source.reading, STDIN_FILENO)
  unsafe posix_spawn_file_actions_adddup2(&actions, ends.writing, STDOUT_FILENO)
  unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
  let arguments = unsafe words.map { unsafe duplicate($0) } + [nil]
  let variables = unsafe environment.map { unsafe duplicate($0) } + [nil]
  defer {
    unsafe arguments.forEach { unsafe free($0) }
    unsafe variables.forEach { unsafe free($0) }
  }
  var process: pid_t = 0
  let failure = unsafe withCBytes(words[0]) { program in
    unsafe posix_spawn(&process, program, &actions, nil, arguments, variables)
  }
  if failure != 0 {
    _ = close(ends.reading)
    throw Errno(rawValue: failure)
  }
  return (process, ends.reading)
}

/// A pipe that other child processes don't keep open. Corresponds to `pipe(2)`.
private func systemPipe() throws(Errno) -> (reading: CInt, writing: CInt) {
  var ends: (CInt, CInt) = (-1, -1)
  let made = unsafe withUnsafeMutableBytes(of: &ends) { bytes in
    unsafe pipe(bytes.bindMemory(to: CInt.self).baseAddress)
  }
  guard made == 0 else { throw .current }
  _ = fcntl(ends.0, F_SETFD, FD_CLOEXEC)
  _ = fcntl(ends.1, F_SETFD, FD_CLOEXEC)
  return ends
}

/// A copy of `bytes` with a terminating NUL. The caller frees it.
private func duplicate(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
  unsafe withCBytes(bytes) { unsafe strdup($0) }
}

/// The exit status of a process if it has ended, nil if not; -1 if a signal ended it. Corresponds to
/// `waitpid(2)` with `WNOHANG`.
func systemExitStatus(_ process: pid_t) throws(Errno) -> CInt? {
  while true {
    var status: CInt = 0
    let ended = unsafe waitpid(process, &status, WNOHANG)
    if ended == 0 { return nil }
    if ended == process { return status & 0x7F == 0 ? status >> 8 & 0xFF : -1 }
    let error = Errno.current
    if error != .interrupted { throw error }
  }
}

/// Ends a process that was not waited for, and waits for it. Corresponds to `kill(2)` with
/// `SIGKILL`, and `waitpid(2)`.
func systemKill(_ process: pid_t) {
  _ = kill(process, SIGKILL)
  while waitpid(process, nil, 0) < 0, errno == EINTR {}
}
