// The calls of the C library about processes, threads and signals.

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

// MARK: The process

/// The arguments, environment and resources of the process.
package enum ProcessContext {
  /// The arguments after the program's name, byte for byte.
  package static var arguments: [[UInt8]] {
    (1..<max(1, Int(CommandLine.argc))).map { index in
      guard let argument = unsafe CommandLine.unsafeArgv[index] else { return [] }
      return unsafe systemBytes(argument)
    }
  }

  /// An environment variable; nil if it is not set.
  package static func environment(_ name: String) -> [UInt8]? {
    unsafe getenv(name).map { unsafe systemBytes($0) }
  }

  /// The folder for files that nobody else reads.
  package static var temporaryFolder: BytePath {
    environment("TMPDIR").map { BytePath($0) } ?? "/tmp"
  }

  /// The paths where a program may be, in the order of `PATH`; not those relative to the working
  /// directory, which may be in a repository.
  package static func paths(ofProgram name: String) -> [[UInt8]] {
    (environment("PATH") ?? []).split(separator: UInt8(ascii: ":"))
      .filter { $0.first == ASCII.slash }.map { Array($0) + "/\(name)".utf8 }
  }

  /// The variables by which programs find others, and the user's settings.
  package static let userVariables = ["PATH", "HOME", "XDG_CONFIG_HOME", "USER"]

  package static var user: UInt32 { UInt32(geteuid()) }

  package static func exit(_ code: CInt) -> Never {
    #if canImport(Glibc)
      Glibc.exit(code)
    #elseif canImport(Musl)
      Musl.exit(code)
    #else
      Darwin.exit(code)
    #endif
  }

  /// The processors that are online or, on Linux, in this thread's affinity mask.
  static var processors: Int {
    #if os(Linux)
      let usable = Int(linux_usable_processors())
      if usable > 0 { return usable }
    #endif
    return max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  }

  /// Raises the limit of open files as far as allowed: commands that read many packs keep them
  /// open, and the default on macOS is 256. Failure is ignored.
  package static func allowManyOpenFiles() {
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard unsafe getrlimit(resource, &limit) == 0 else { return }
    // The most that macOS accepts, whatever the hard limit.
    limit.rlim_cur = min(max(limit.rlim_cur, 10_240), limit.rlim_max)
    unsafe setrlimit(resource, &limit)
  }
}

/// The bytes of a C string.
func systemBytes(_ text: UnsafePointer<CChar>) -> [UInt8] {
  unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
}

// MARK: Signals

/// The signals that ask a process to stop, and their names.
let stoppingSignals: [(number: CInt, name: String)] = [
  (SIGHUP, "SIGHUP"), (SIGINT, "SIGINT"), (SIGTERM, "SIGTERM"),
]

extension Interruption {
  /// Makes a write to a closed pipe fail with ``Errno/brokenPipe``, and one beyond the file size
  /// limit fail with an error; by default the system kills the process.
  package static func turnWriteSignalsIntoErrors() {
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
  }
}

/// Calls `handler` for a signal unless it is ignored; waiting calls are interrupted.
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

/// Waits for a while, or until a signal arrives.
package func sleep(milliseconds: CInt) {
  _ = poll(nil, 0, milliseconds)
}

// MARK: Threads

/// A number that no other running thread has.
var threadNumber: UInt {
  #if canImport(Darwin)
    return unsafe UInt(bitPattern: pthread_self())
  #else
    return pthread_self()
  #endif
}

/// A running thread, to be joined or detached exactly once.
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

  package func join() {
    #if canImport(Darwin)
      let result = unsafe pthread_join(handle, nil)
    #else
      let result = pthread_join(handle, nil)
    #endif
    precondition(result == 0, "pthread_join: \(result)")
  }

  /// Lets the thread end by itself, instead of joining it.
  func detach() {
    #if canImport(Darwin)
      _ = unsafe pthread_detach(handle)
    #else
      _ = pthread_detach(handle)
    #endif
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

/// Starts the program at the path `words[0]` with `input`, which must fit into a pipe's buffer of
/// 16 KiB, no standard error, only these environment variables, `NAME=value`, and on Linux at most
/// 1 GiB of memory besides files that it maps. Returns its process ID and a pipe from its standard
/// output.
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
  #if os(Linux)
    // The other systems don't enforce such limits.
    _ = linux_limit_memory(process, 1 << 30)
  #endif
  return (process, ends.reading)
}

/// A pipe that other child processes don't keep open.
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

/// The exit status of a process if it has ended, nil if not; -1 if a signal ended it.
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

/// Ends a process that was not waited for, and waits for it.
func systemKill(_ process: pid_t) {
  _ = kill(process, SIGKILL)
  while waitpid(process, nil, 0) < 0, errno == EINTR {}
}
