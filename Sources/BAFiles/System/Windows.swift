#if os(Windows)
  // The calls of Windows, behind the functions of the three files called POSIX. Files are opened by
  // NT's own calls: they open below a folder as `openat(2)` does, and have no limit of 260 characters.
  // Descriptors are those of the C runtime.

  import CBAWindows
  import WinSDK
  import ucrt

  // MARK: Errors

  extension Errno {
    /// The error of this thread's last failed call.
    package static var current: Errno { Errno(windows: GetLastError()) }

    package static let tooManyLinks = Errno(rawValue: ELOOP)
    package static let notSupported = Errno(rawValue: ENOTSUP)
    package static let timedOut = Errno(rawValue: ETIMEDOUT)
    package static let wouldBlock = Errno(rawValue: EWOULDBLOCK)
    /// A path that no file can have.
    static let invalid = Errno(rawValue: EINVAL)

    /// Whether the file system doesn't support the call.
    package var isUnsupported: Bool { [ENOSYS, ENOTSUP, EMLINK].contains(rawValue) }

    var systemText: String {
      // SAFETY: the C runtime's text stays valid until the next call by this thread.
      unsafe String(cString: strerror(rawValue))
    }

    /// An error code of Windows (`winerror.h`).
    init(windows code: DWORD) {
      rawValue =
        switch code {
        case 2, 3, 15, 53, 67, 123, 161: ENOENT
        case 4: EMFILE
        case 5, 19, 1314: EACCES
        case 8, 14, 1450, 1455: ENOMEM
        case 17: EXDEV
        case 32, 1224: EBUSY
        case 33, 167: EWOULDBLOCK
        case 39, 112: ENOSPC
        case 1, 50, 87, 120: ENOTSUP
        case 80, 183: EEXIST
        case 109, 232, 233: EPIPE
        case 145: ENOTEMPTY
        case 193, 216: ENOEXEC
        case 206: ENAMETOOLONG
        case 267: ENOTDIR
        case 681, 1921: ELOOP
        case 1142: EMLINK
        default: EIO
        }
    }

    /// A status of NT (`ntstatus.h`).
    init(status: NTSTATUS) {
      switch UInt32(bitPattern: Int32(truncatingIfNeeded: status)) {
      case 0xC000_0002, 0xC000_0003, 0xC000_000D, 0xC000_0010, 0xC000_00BB: self = .notSupported
      case 0xC000_0033, 0xC000_0039, 0xC000_003B: self = .noSuchFile
      case 0xC000_0035: self = .fileExists
      case 0xC000_0043, 0xC000_0056: self = .busy
      case 0xC000_00BA: self = .isDirectory
      case 0xC000_0103: self = .notDirectory
      default: self.init(windows: RtlNtStatusToDosError(status))
      }
    }
  }

  /// The result of a call, unless a test plans its failure.
  func system<Result: ~Copyable>(
    _ call: SystemCall, _ body: () throws(Errno) -> Result
  ) throws(Errno) -> Result {
    if let error = plannedFailure(of: call) { throw error }
    return try body()
  }

  /// The same for a call that returns false on failure.
  func systemSucceeds(_ call: SystemCall, _ body: () -> Bool) throws(Errno) {
    if let error = plannedFailure(of: call) { throw error }
    if !body() { throw .current }
  }

  /// Repeats a call for about a second while another process has the file open, such as a virus
  /// scanner, which looks at each new file.
  func whileBusy<Result>(_ body: () throws(Errno) -> Result) throws(Errno) -> Result {
    var wait: DWORD = 1
    while true {
      do throws(Errno) { return try body() } catch {
        guard wait < 1024, error == .busy || error == .permissionDenied else { throw error }
        Sleep(wait)
        wait *= 2
      }
    }
  }

  // MARK: Memory

  /// Uninitialized memory, aligned for any type.
  package func systemAllocate(_ size: Int) throws(Errno) -> UnsafeMutableRawBufferPointer {
    if let error = plannedFailure(of: .allocate) { throw error }
    guard let start = unsafe malloc(max(1, size)) else { throw .outOfMemory }
    return unsafe UnsafeMutableRawBufferPointer(start: start, count: size)
  }

  /// Whether `size` bytes of memory are free.
  func canAllocate(_ size: Int) -> Bool {
    let kind = DWORD(MEM_RESERVE) | DWORD(MEM_COMMIT)
    // SAFETY: the memory is released before anything could use it.
    guard let start = unsafe VirtualAlloc(nil, SIZE_T(size), kind, DWORD(PAGE_READWRITE)) else {
      return false
    }
    return unsafe VirtualFree(start, 0, DWORD(MEM_RELEASE))
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
  package struct OpenOptions: OptionSet, Sendable {
    package let rawValue: CInt

    package init(rawValue: CInt) { self.rawValue = rawValue }

    static let reading = OpenOptions([])
    static let writing = OpenOptions(rawValue: 1)
    static let readingAndWriting = OpenOptions(rawValue: 2)
    static let directory = OpenOptions(rawValue: 4)
    package static let noFollow = OpenOptions(rawValue: 8)
    package static let nonBlocking = OpenOptions([])
    static let creating = OpenOptions(rawValue: 16)
    static let appending = OpenOptions(rawValue: 32)
    /// A file that one descriptor has, and that is removed with it.
    static let lockFile = OpenOptions(rawValue: 64)
  }

  /// The folder that relative paths start from.
  package let workingDirectory: CInt = -100

  /// The handle of an open descriptor.
  func handle(_ file: CInt) -> HANDLE? {
    // SAFETY: a handle is a number; that of a closed descriptor is refused by every call.
    unsafe HANDLE(bitPattern: Int(_get_osfhandle(file)))
  }

  /// The rights to files that are asked for (`winnt.h`), which Swift can't import.
  enum Access {
    static let read: ULONG = 0x12_0089
    static let write: ULONG = 0x12_0116
    static let append: ULONG = 0x4
    static let writeData: ULONG = 0x2
    static let readAttributes: ULONG = 0x80
    static let writeAttributes: ULONG = 0x100
    static let delete: ULONG = 0x1_0000
    static let readOwner: ULONG = 0x2_0000
    static let synchronize: ULONG = 0x10_0000
  }

  /// How NT opens a file (`NtCreateFile`).
  enum Opening {
    static let folder: ULONG = 0x1
    static let notFolder: ULONG = 0x40
    static let removedWithHandle: ULONG = 0x1000
    static let forBackup: ULONG = 0x4000
    static let link: ULONG = 0x20_0000
    fileprivate static let synchronous: ULONG = 0x20
    static let existing: ULONG = 1
    static let creating: ULONG = 2
    static let either: ULONG = 3
  }

  /// A handle that is closed by `deinit`.
  @safe struct Handle: ~Copyable {
    let value: HANDLE

    init(_ value: HANDLE) { unsafe self.value = unsafe value }

    // Nothing was written through it without a sync.
    deinit { _ = unsafe CloseHandle(value) }

    /// A descriptor for it.
    consuming func descriptor(appending: Bool = false) throws(Errno) -> CInt {
      let mode = _O_BINARY | _O_NOINHERIT | (appending ? _O_APPEND : 0)
      let number = _open_osfhandle(Int(bitPattern: unsafe value), mode)
      if number >= 0 {
        discard self
        return number
      }
      _ = consume self
      throw Errno(rawValue: EMFILE)
    }
  }

  /// Opens the file at a path below `folder`.
  func systemOpen(
    _ folder: CInt, _ path: some Collection<UInt8>, _ access: ULONG,
    _ disposition: ULONG = Opening.existing, options: ULONG, isShared: Bool = true
  ) throws(Errno) -> Handle {
    let name: NTName
    do throws(Errno) { name = try NTName(folder, path) } catch {
      // No such file exists, and none can be made.
      throw error == .invalid && disposition == Opening.existing ? .noSuchFile : error
    }
    var file: HANDLE?
    let share = isShared ? ULONG(FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE) : 0
    // SAFETY: the name stays at its address during the call, which copies it.
    let status = unsafe name.withString { text in
      unsafe windows_open(
        &file, access | Access.synchronize, name.root, text, share, disposition,
        options | Opening.synchronous)
    }
    guard status >= 0, let file = unsafe file else { throw Errno(status: status) }
    return unsafe Handle(file)
  }

  extension FileDescriptor {
    /// Opens the file or folder at `path` below `folder`.
    package static func opening(
      _ folder: CInt, _ path: some Collection<UInt8>, _ options: OpenOptions, mode: UInt32 = 0o666
    ) throws(Errno) -> FileDescriptor {
      let number = try system(.open) { () throws(Errno) in
        var access = Access.read
        var opening = Opening.forBackup
        if options.contains(.writing) { access = Access.write | Access.readAttributes }
        if options.contains(.readingAndWriting) { access |= Access.write }
        // Without the right to write elsewhere, all writes append.
        if options.contains(.appending) { access |= Access.write & ~Access.writeData }
        if options.contains(.directory) {
          opening |= Opening.folder
        } else if access & Access.append != 0 {
          opening |= Opening.notFolder
        }
        if options.contains(.noFollow) { opening |= Opening.link }
        var disposition = Opening.existing
        if options.contains(.creating) { disposition = Opening.creating }
        if options.contains(.appending) { disposition = Opening.either }
        if options.contains(.lockFile) {
          access |= Access.delete
          opening |= Opening.removedWithHandle | Opening.notFolder
          disposition = Opening.either
        }
        let file = try systemOpen(
          folder, path, access, disposition, options: opening,
          isShared: !options.contains(.lockFile))
        if options.contains(.noFollow), unsafe linkTag(file.value) != nil { throw .tooManyLinks }
        return try file.descriptor(appending: options.contains(.appending))
      }
      return FileDescriptor(rawValue: number)
    }
  }

  func systemClose(_ descriptor: CInt) throws(Errno) {
    let planned = plannedFailure(of: .close)
    let error: Errno? = _close(descriptor) == 0 ? planned : .inputOutput
    if let error { throw error }
  }

  extension FileDescriptor {
    /// A second descriptor for the same file, closed independently.
    package static func duplicating(_ number: CInt) throws(Errno) -> FileDescriptor {
      FileDescriptor(
        rawValue: try system(.duplicate) { () throws(Errno) in
          let copy = _dup(number)
          if copy < 0 { throw Errno(rawValue: EMFILE) }
          return copy
        })
    }
  }

  /// Where to read or write in a file.
  private func place(_ offset: UInt64) -> OVERLAPPED {
    var result = unsafe OVERLAPPED()
    unsafe result.Offset = DWORD(truncatingIfNeeded: offset)
    unsafe result.OffsetHigh = DWORD(truncatingIfNeeded: offset >> 32)
    return unsafe result
  }

  private func transfer(
    _ call: SystemCall, _ count: Int, _ body: (DWORD, inout DWORD) -> Bool
  ) throws(Errno) -> Int {
    try system(call) { () throws(Errno) in
      var done: DWORD = 0
      if body(DWORD(min(count, 1 << 30)), &done) { return Int(done) }
      switch GetLastError() {
      // The end of a file or of a pipe.
      case 38 where call == .read, 109 where call == .read: return 0
      // A function that folders don't have.
      case 1: throw .isDirectory
      case let error: throw Errno(windows: error)
      }
    }
  }

  // SAFETY, for these three: the call uses the buffer only until it returns, up to its count.

  func systemRead(_ file: CInt, _ buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
    try transfer(.read, buffer.count) { count, done in
      unsafe ReadFile(handle(file), buffer.baseAddress, count, &done, nil)
    }
  }

  /// Unlike `pread(2)`, this moves the position that reads without an offset start from.
  func systemRead(
    _ file: CInt, _ buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(Errno) -> Int {
    var place = unsafe place(offset)
    return try transfer(.read, buffer.count) { count, done in
      unsafe ReadFile(handle(file), buffer.baseAddress, count, &done, &place)
    }
  }

  func systemWrite(
    _ file: CInt, _ buffer: UnsafeRawBufferPointer, at offset: UInt64? = nil
  ) throws(Errno) -> Int {
    try transfer(.write, buffer.count) { count, done in
      guard let offset else {
        return unsafe WriteFile(handle(file), buffer.baseAddress, count, &done, nil)
      }
      var place = unsafe place(offset)
      return unsafe WriteFile(handle(file), buffer.baseAddress, count, &done, &place)
    }
  }

  extension FileDescriptor {
    /// Whether a read would not block; a console or a file counts as ready.
    func isReady(toWrite: Bool = false, milliseconds: CInt) -> Bool {
      guard !toWrite, unsafe GetFileType(handle(rawValue)) == DWORD(FILE_TYPE_PIPE) else {
        return true
      }
      for _ in 0..<max(1, milliseconds / 5) {
        var available: DWORD = 0
        // If it fails, so does the read, which reports it.
        let isOpen = unsafe PeekNamedPipe(handle(rawValue), nil, 0, nil, &available, nil)
        if !isOpen || available > 0 { return true }
        Sleep(5)
      }
      return false
    }
  }

  // MARK: Locks, rights, disks, terminals

  extension FileDescriptor {
    /// Locks the file exclusively, without waiting: a byte beyond the end of any file, so that
    /// reads aren't refused.
    package func lock() -> LockResult {
      var place = unsafe OVERLAPPED()
      unsafe place.OffsetHigh = 0x7FFF_FFFF
      let kind = DWORD(LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY)
      do throws(Errno) {
        try systemSucceeds(.lock) {
          unsafe LockFileEx(handle(rawValue), kind, 0, 1, 0, &place)
        }
        return .taken
      } catch {
        return error == .wouldBlock ? .held : .unsupported
      }
    }

    /// Locks this folder, which is called `name` in `parent`, until `file` is closed: a file beside
    /// it, whose name ends with `.lock`. Folders have no locks, and one that contains an open file
    /// can't be moved. The system removes the file with its descriptor, however the process ends.
    package func lockFolder(
      named name: some Collection<UInt8>, in parent: CInt, _ file: inout FileDescriptor?
    ) -> LockResult {
      if plannedFailure(of: .lock) != nil { return .unsupported }
      do throws(Errno) {
        file = try .opening(parent, Array(name) + ".lock".utf8, .lockFile)
        return .taken
      } catch {
        return error == .busy ? .held : .unsupported
      }
    }

    /// Files have the rights of their folder.
    package func setPermissions(_ mode: UInt32) throws(Errno) {
      if let error = plannedFailure(of: .setMode) { throw error }
    }

    /// Waits until the file is on disk.
    package func sync() throws(Errno) {
      do throws(Errno) {
        try systemSucceeds(.sync) { unsafe FlushFileBuffers(handle(rawValue)) }
      } catch {
        // A folder, whose changes NTFS has in its log.
        if error != .permissionDenied, !error.isUnsupported { throw error }
      }
    }

    /// Does nothing: only administrators may flush a volume, so files are synced one by one.
    package func syncVolume() throws(Errno) {
      if let error = plannedFailure(of: .sync) { throw error }
    }

    /// Waits until the file is on disk, since its volume can't be flushed later.
    package func syncWithoutVolume() throws(Errno) { try sync() }

    /// Whether this is a console.
    package var isTerminal: Bool {
      var mode: DWORD = 0
      return unsafe GetConsoleMode(handle(rawValue), &mode)
    }

    /// The width of this console in columns; nil if it isn't one.
    package var terminalWidth: Int? {
      var info = CONSOLE_SCREEN_BUFFER_INFO()
      guard unsafe GetConsoleScreenBufferInfo(handle(rawValue), &info) else { return nil }
      return Int(info.srWindow.Right) - Int(info.srWindow.Left) + 1
    }
  }
#endif
