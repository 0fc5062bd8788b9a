#if os(Windows)
  // The calls of Windows about processes, threads and requests to stop.

  import CBAWindows
  import WinSDK
  import ucrt

  // MARK: The process

  /// The arguments, environment and resources of the process.
  package enum ProcessContext {
    /// The arguments after the program's name.
    package static var arguments: [[UInt8]] {
      var count: CInt = 0
      // SAFETY: the list has `count` strings, and is freed once they are copied.
      guard let list = unsafe CommandLineToArgvW(GetCommandLineW(), &count) else { return [] }
      defer { unsafe _ = LocalFree(list) }
      return (1..<max(1, Int(count))).map { index in
        guard let text = unsafe list[index] else { return [] }
        return unsafe narrow(UnsafeBufferPointer(start: text, count: wcslen(text)))
      }
    }

    /// An environment variable; nil if it is not set.
    package static func environment(_ name: String) -> [UInt8]? {
      // The longest possible.
      var buffer = [UInt16](repeating: 0, count: 32_768)
      SetLastError(0)
      // SAFETY: the call writes at most as many units as it is told.
      let count = unsafe withWide(name.utf8) {
        unsafe GetEnvironmentVariableW($0, &buffer, DWORD(buffer.count))
      }
      return count == 0 && GetLastError() != 0 ? nil : narrow(buffer.prefix(Int(count)))
    }

    /// The folder for files that nobody else reads.
    package static var temporaryFolder: BytePath {
      var buffer = [UInt16](repeating: 0, count: 300)
      // SAFETY: the call writes at most as many units as it is told.
      let count = unsafe GetTempPathW(DWORD(buffer.count), &buffer)
      return count == 0 ? "." : BytePath(narrow(buffer.prefix(Int(count))))
    }

    /// The paths where a program may be, in the order of `PATH`; not those relative to the working
    /// directory, which may be in a repository.
    package static func paths(ofProgram name: String) -> [[UInt8]] {
      (environment("PATH") ?? []).split(separator: UInt8(ascii: ";")).map { BytePath($0) }
        .filter(\.isAbsolute).map { $0.appending("\(name).exe".utf8).bytes }
    }

    /// The variables by which programs find others, and the user's settings.
    package static let userVariables = [
      "PATH", "HOME", "HOMEDRIVE", "HOMEPATH", "USERPROFILE", "APPDATA", "LOCALAPPDATA",
      "PROGRAMDATA", "SystemRoot", "TEMP", "USERNAME",
    ]

    /// Files of the user have the owner 0.
    package static var user: UInt32 { 0 }

    package static func exit(_ code: CInt) -> Never { ucrt.exit(code) }

    /// The processors of all groups.
    static var processors: Int { max(1, Int(GetActiveProcessorCount(WORD(ALL_PROCESSOR_GROUPS)))) }

    /// Allows more open files than the 512 of the C runtime. Also lets a console show UTF-8 and
    /// understand escape sequences until the process ends, and streams be bytes.
    package static func allowManyOpenFiles() {
      _ = _setmaxstdio(8192)
      for stream: CInt in [0, 1, 2] { _ = _setmode(stream, _O_BINARY) }
      // Evaluated before it is changed.
      if oldCodePage != 0, SetConsoleOutputCP(65001) {
        _ = atexit { _ = SetConsoleOutputCP(oldCodePage) }
      }
      for stream: CInt in [1, 2] {
        var mode: DWORD = 0
        guard unsafe GetConsoleMode(handle(stream), &mode) else { continue }
        _ = unsafe SetConsoleMode(
          handle(stream), mode | DWORD(ENABLE_VIRTUAL_TERMINAL_PROCESSING))
      }
    }
  }

  /// The console's before this process changed it; 0 without a console.
  private let oldCodePage = GetConsoleOutputCP()

  // MARK: Requests to stop

  /// The events of a console that ask a process to stop, with the numbers of the signals that they
  /// are elsewhere.
  let stoppingSignals: [(number: CInt, name: String)] = [
    (1, "closing the window"), (2, "Ctrl-C"), (15, "Ctrl-Break"),
  ]

  extension Interruption {
    /// Writes to closed pipes fail anyway.
    package static func turnWriteSignalsIntoErrors() {}
  }

  /// Records the events of a console; `handler` is the function that records signals, which they
  /// call by its name. One call is for all.
  func systemHandle(_ number: CInt, _ handler: @escaping @convention(c) (CInt) -> Void) {
    guard number == stoppingSignals[0].number else { return }
    // Another thread calls the function, which only stores a number atomically.
    _ = SetConsoleCtrlHandler(
      { event in
        switch event {
        case 0: remember(2)
        case 1: remember(15)
        default:
          remember(1)
          // The process ends when this returns, at the latest after five seconds.
          Sleep(4500)
        }
        return true
      }, true)
  }

  // MARK: Time

  package func sleep(milliseconds: CInt) { Sleep(DWORD(milliseconds)) }

  // MARK: Threads

  /// A number that no other running thread has.
  var threadNumber: UInt { UInt(GetCurrentThreadId()) }

  /// A running thread, to be joined or detached exactly once.
  @safe struct Thread: @unchecked Sendable {
    private let handle: HANDLE

    /// Nil if the system can't create the thread.
    init?(_ body: ThreadBody) {
      if plannedFailure(of: .thread) != nil { return nil }
      // SAFETY: the thread takes over the reference, or nobody does if there is none.
      let context = unsafe Unmanaged.passRetained(body)
      let made = unsafe _beginthreadex(
        nil, 8 << 20,
        { context in
          if let context = unsafe context {
            unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
          }
          return 0
        }, context.toOpaque(), UInt32(STACK_SIZE_PARAM_IS_A_RESERVATION), nil)
      guard let made = unsafe HANDLE(bitPattern: UInt(made)) else {
        unsafe context.release()
        return nil
      }
      unsafe handle = unsafe made
    }

    package func join() {
      // SAFETY: the handle is open, since threads are joined once.
      let result = unsafe WaitForSingleObject(handle, .max)
      precondition(result == 0, "WaitForSingleObject: \(result)")
      _ = unsafe CloseHandle(handle)
    }

    /// Lets the thread end by itself, instead of joining it.
    func detach() { _ = unsafe CloseHandle(handle) }
  }

  /// A lock with a condition. Both stay at one address, as Windows requires.
  @safe final class ConditionLock: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<SRWLOCK>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<CONDITION_VARIABLE>.allocate(capacity: 1)

    init() {
      unsafe InitializeSRWLock(mutex)
      unsafe InitializeConditionVariable(condition)
    }

    deinit {
      unsafe mutex.deallocate()
      unsafe condition.deallocate()
    }

    func lock() { unsafe AcquireSRWLockExclusive(mutex) }
    func unlock() { unsafe ReleaseSRWLockExclusive(mutex) }
    /// Releases the lock until ``wakeAll()``.
    func wait() { _ = unsafe SleepConditionVariableSRW(condition, mutex, .max, 0) }
    func wakeAll() { unsafe WakeAllConditionVariable(condition) }
  }

  // MARK: Programs

  /// Starts the program at the path `words[0]` with `input`, which must fit into a pipe's buffer of
  /// 16 KiB, no standard error, and only these environment variables, `NAME=value`. Returns its
  /// handle and a pipe from its standard output.
  func systemSpawn(
    _ words: [[UInt8]], _ environment: [[UInt8]], input: [UInt8]
  ) throws(Errno) -> (process: Int, output: CInt) {
    let text = Array(words.map(quoted).joined(separator: [UInt8(ascii: " ")]))
    var line = wide(text, isPath: false) + [0]
    var block: [UInt16] = environment.flatMap { wide($0, isPath: false) + [0] } + [0]
    var output: HANDLE?
    // SAFETY: the call reads and changes the arrays only before it returns.
    let started = unsafe windows_start(
      wide(words[0]) + [0], &line, &block, input, DWORD(input.count), &output)
    guard let process = unsafe started, let output = unsafe output else { throw .current }
    return unsafe (Int(bitPattern: process), try Handle(output).descriptor())
  }

  /// `word` in quotes, as C runtimes read it: backslashes are doubled before a quote.
  private func quoted(_ word: [UInt8]) -> [UInt8] {
    let quote = UInt8(ascii: "\"")
    var result = [quote]
    var backslashes = 0
    for byte in word {
      if byte == quote {
        result += [UInt8](repeating: ASCII.backslash, count: backslashes + 1)
      }
      backslashes = byte == ASCII.backslash ? backslashes + 1 : 0
      result.append(byte)
    }
    return result + [UInt8](repeating: ASCII.backslash, count: backslashes) + [quote]
  }

  /// The exit status of a process if it has ended, nil if not.
  func systemExitStatus(_ process: Int) throws(Errno) -> CInt? {
    // SAFETY: the handle is open until the status is known.
    let handle = unsafe HANDLE(bitPattern: process)
    if unsafe WaitForSingleObject(handle, 0) != 0 { return nil }
    var code: DWORD = 0
    let isKnown = unsafe GetExitCodeProcess(handle, &code)
    _ = unsafe CloseHandle(handle)
    if !isKnown { throw .inputOutput }
    return CInt(truncatingIfNeeded: code)
  }

  /// Ends a process that was not waited for, and waits for it.
  func systemKill(_ process: Int) {
    // SAFETY: the handle is open, since the process was not waited for.
    let handle = unsafe HANDLE(bitPattern: process)
    _ = unsafe TerminateProcess(handle, 1)
    _ = unsafe WaitForSingleObject(handle, .max)
    _ = unsafe CloseHandle(handle)
  }
#endif
