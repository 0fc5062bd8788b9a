#if os(Windows)
  // The calls of Windows about names, folders and the status of files.

  import CBAWindows
  import WinSDK
  import ucrt

  // MARK: Names

  /// Volumes usually ignore case.
  package var namesAreBytes: Bool { false }

  /// Whether names with some characters, and those of devices, aren't those of files.
  package var namesAreThoseOfWindows: Bool { true }

  /// The UTF-16 of a path, or with `isPath` false of other text. Surrogates without a partner, which
  /// names may contain, are three bytes each (WTF-8).
  func wide(_ bytes: some Collection<UInt8>, isPath: Bool = true) -> [UInt16] {
    var result: [UInt16] = []
    result.reserveCapacity(bytes.count)
    var rest = bytes.makeIterator()
    while let first = rest.next() {
      if first < 0x80 {
        result.append(isPath && first == ASCII.slash ? UInt16(ASCII.backslash) : UInt16(first))
        continue
      }
      let count = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1
      var scalar = UInt32(first) & (0x3F >> UInt32(count))
      for _ in 0..<count { scalar = scalar << 6 | UInt32(rest.next() ?? 0) & 0x3F }
      if scalar < 0x1_0000 {
        result.append(UInt16(scalar))
      } else {
        result.append(UInt16(truncatingIfNeeded: 0xD7C0 + (scalar >> 10)))
        result.append(UInt16(truncatingIfNeeded: 0xDC00 + (scalar & 0x3FF)))
      }
    }
    return result
  }

  /// The bytes of UTF-16 from the system.
  func narrow(_ units: some Sequence<UInt16>) -> [UInt8] {
    var result: [UInt8] = []
    var high: UInt32?
    func put(_ scalar: UInt32) {
      func byte(_ shift: UInt32) -> UInt8 { UInt8(0x80 | scalar >> shift & 0x3F) }
      switch scalar {
      case 0..<0x80: result.append(UInt8(scalar))
      case 0x80..<0x800: result += [UInt8(0xC0 | scalar >> 6), byte(0)]
      case 0x800..<0x1_0000: result += [UInt8(0xE0 | scalar >> 12), byte(6), byte(0)]
      default: result += [UInt8(0xF0 | scalar >> 18), byte(12), byte(6), byte(0)]
      }
    }
    for unit in units {
      let unit = UInt32(unit)
      if let first = high {
        high = nil
        if (0xDC00..<0xE000).contains(unit) {
          put(0x1_0000 + ((first - 0xD800) << 10) + (unit - 0xDC00))
          continue
        }
        put(first)
      }
      if (0xD800..<0xDC00).contains(unit) { high = unit } else { put(unit) }
    }
    if let high { put(high) }
    return result
  }

  /// Calls `body` with UTF-16 that ends with a NUL.
  func withWide<Result>(
    _ bytes: some Collection<UInt8>, _ body: (UnsafePointer<UInt16>) -> Result
  ) -> Result {
    let units = wide(bytes) + [0]
    // SAFETY: the array contains at least the NUL, so it has an address.
    return unsafe units.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { preconditionFailure("empty string") }
      return unsafe body(start)
    }
  }

  /// A path as NT takes it: the names below an open folder, or a whole path that begins with `\??\`.
  /// What Win32 does with paths is not done: no name is cut, none is a device.
  @safe struct NTName {
    /// The folder that the path is relative to.
    let root: HANDLE?
    private var units: [UInt16]

    /// Fails with ``Errno/invalid`` if no file can have the path.
    init(_ folder: CInt, _ path: some Collection<UInt8>) throws(Errno) {
      let whole: [UInt8]
      if folder == workingDirectory {
        unsafe root = nil
        whole = try Self.fullPath(BytePath(path))
      } else {
        unsafe root = unsafe handle(folder)
        let parts = path.split(separator: ASCII.slash).map { Array($0) }
          .filter { $0 != [ASCII.dot] }
        try Self.check(parts)
        whole = Array(parts.joined(separator: [ASCII.slash]))
      }
      units = wide(whole)
      if units.count > 32_766 { throw Errno(rawValue: ENAMETOOLONG) }
    }

    private static func check(_ parts: [[UInt8]]) throws(Errno) {
      for part in parts where windowsProblem(of: part[...]) != nil { throw .invalid }
    }

    /// `\??\C:\folder\name` or `\??\UNC\server\share\name`, with slashes.
    private static func fullPath(_ path: BytePath) throws(Errno) -> [UInt8] {
      var path = path
      if path.bytes.isEmpty { throw .noSuchFile }
      if path.bytes.starts(with: "//?/UNC/".utf8) {
        path = BytePath("//".utf8 + path.bytes.dropFirst(8))
      } else if path.bytes.starts(with: "//?/".utf8) {
        path = BytePath(path.bytes.dropFirst(4))
      }
      if !path.isAbsolute {
        // `C:name` is relative to a folder that each volume has.
        if path.volumeCount > 0 { throw .invalid }
        path = BytePath(try currentFolder().bytes + [ASCII.slash] + path.bytes)
      } else if path.volumeCount == 0 {
        let current = try currentFolder()
        path = BytePath(current.bytes.prefix(current.volumeCount) + path.bytes)
      }
      let volume = path.bytes.prefix(path.volumeCount)
      var parts: [[UInt8]] = []
      for part in path.bytes.dropFirst(volume.count).split(separator: ASCII.slash) {
        if part.elementsEqual("..".utf8) {
          _ = parts.popLast()
        } else if !part.elementsEqual([ASCII.dot]) {
          parts.append(Array(part))
        }
      }
      try check(parts)
      let isShare = volume.first == ASCII.slash
      if isShare { try check(volume.split(separator: ASCII.slash).map { Array($0) }) }
      return Array((isShare ? "/??/UNC" : "/??/").utf8)
        + (isShare ? volume.dropFirst() : volume) + [ASCII.slash]
        + parts.joined(separator: [ASCII.slash])
    }

    private static func currentFolder() throws(Errno) -> BytePath {
      var buffer = [UInt16](repeating: 0, count: 32_768)
      // SAFETY: the call writes at most as many units as it is told.
      let count = unsafe GetCurrentDirectoryW(DWORD(buffer.count), &buffer)
      if count == 0 { throw .current }
      return BytePath(narrow(buffer.prefix(Int(count))))
    }

    /// Calls `body` with the path as a string of NT.
    func withString<Result>(_ body: (UnsafeMutablePointer<UNICODE_STRING>) -> Result) -> Result {
      var units = units
      // SAFETY: NT reads the text, whose length it is told, and both live until `body` returns.
      return unsafe units.withUnsafeMutableBufferPointer { buffer in
        let size = USHORT(buffer.count * 2)
        var text = unsafe UNICODE_STRING(
          Length: size, MaximumLength: size, Buffer: buffer.baseAddress)
        return unsafe withUnsafeMutablePointer(to: &text) { unsafe body($0) }
      }
    }

    /// Gives the open file `file` this name; `kind` is NT's number for renaming or linking.
    func set(_ file: HANDLE, _ flags: ULONG, _ kind: CInt) throws(Errno) {
      // SAFETY: NT reads the text before the call returns.
      let status = unsafe units.withUnsafeBufferPointer { text in
        unsafe windows_set_name(file, kind, flags, root, text.baseAddress, ULONG(text.count * 2))
      }
      if status < 0 { throw Errno(status: status) }
    }
  }

  // MARK: Folders

  /// The names in a folder, except `.` and `..`, that are wanted.
  func systemNames(
    in folder: CInt, where isWanted: ([UInt8]) -> Bool
  ) throws(Errno) -> [[UInt8]] {
    var names: [[UInt8]] = []
    // Records are aligned to 8 bytes.
    var buffer = [UInt64](repeating: 0, count: 8192)
    var kind = FileFullDirectoryRestartInfo
    while true {
      if let error = plannedFailure(of: .list) { throw error }
      // SAFETY: the call writes whole records, and at most as many bytes as it is told.
      let isFilled = unsafe buffer.withUnsafeMutableBytes { bytes in
        unsafe GetFileInformationByHandleEx(
          handle(folder), kind, bytes.baseAddress, DWORD(bytes.count))
      }
      if !isFilled {
        let error = GetLastError()
        // There are no more; an empty top of a volume has not even itself.
        if error == 18 || error == 2 { return names }
        throw Errno(windows: error)
      }
      kind = FileFullDirectoryInfo
      // SAFETY: each read is checked to be within the buffer.
      unsafe buffer.withUnsafeBytes { bytes in
        var record = 0
        while true {
          // FILE_FULL_DIR_INFO
          let next = Int(unsafe bytes.loadUnaligned(fromByteOffset: record, as: UInt32.self))
          let size = Int(unsafe bytes.loadUnaligned(fromByteOffset: record + 60, as: UInt32.self))
          let name = narrow(
            (0..<size / 2).map {
              unsafe bytes.loadUnaligned(fromByteOffset: record + 68 + 2 * $0, as: UInt16.self)
            })
          if name != [ASCII.dot], name != [ASCII.dot, ASCII.dot], isWanted(name) {
            names.append(name)
          }
          if next == 0 { break }
          record += next
        }
      }
    }
  }

  func systemMakeFolder(_ folder: CInt, _ name: some Collection<UInt8>) throws(Errno) {
    try system(.makeFolder) { () throws(Errno) in
      _ = try systemOpen(
        folder, name, Access.readAttributes, Opening.creating, options: Opening.folder)
    }
  }

  /// With the semantics of POSIX, where the file system has them: the name is gone at once, even if
  /// the file is open.
  func systemRemove(
    _ folder: CInt, _ name: some Collection<UInt8>, isFolder: Bool
  ) throws(Errno) {
    try system(.remove) { () throws(Errno) in
      try whileBusy { () throws(Errno) in
        let kind = isFolder ? Opening.folder : Opening.notFolder
        let file = try systemOpen(
          folder, name, Access.delete | Access.readAttributes,
          options: Opening.forBackup | Opening.link | kind)
        // FILE_DISPOSITION_INFORMATION_EX: remove, as POSIX, whether read-only or not.
        var flags: ULONG = 0x1 | 0x2 | 0x10
        // SAFETY: NT reads the flags before the call returns.
        if unsafe windows_set(file.value, &flags, 4, 64) >= 0 { return }
        var removes: UInt8 = 1
        let status = unsafe windows_set(file.value, &removes, 1, 13)
        if status < 0 { throw Errno(status: status) }
      }
    }
  }

  /// Renames with the semantics of POSIX, where the file system has them: a file that is open can be
  /// replaced. Nothing exchanges two files.
  func systemRename(
    _ folder: CInt, _ old: some Collection<UInt8>,
    to other: CInt, _ new: some Collection<UInt8>, _ mode: RenameMode
  ) throws(Errno) {
    try system(.rename) { () throws(Errno) in
      if mode == .exchanging { throw .notSupported }
      let name = try NTName(other, new)
      try whileBusy { () throws(Errno) in
        let file = try systemOpen(
          folder, old, Access.delete | Access.readAttributes,
          options: Opening.forBackup | Opening.link)
        let replaces: ULONG = mode == .replacing ? 0x1 : 0
        // FILE_RENAME_INFORMATION_EX: as POSIX, and whether read-only or not, which is newer.
        for flags: ULONG in [0x2 | 0x40, 0x2] {
          do throws(Errno) { return unsafe try name.set(file.value, replaces | flags, 65) } catch {
            guard error.isUnsupported else { throw error }
          }
        }
        // FAT, some network volumes, and Windows before 10.
        unsafe try name.set(file.value, replaces, 10)
      }
    }
  }

  /// Gives a file a second name.
  func systemLink(_ old: BytePath, _ new: BytePath, follows: Bool) throws(Errno) {
    try system(.link) { () throws(Errno) in
      let file = try systemOpen(
        workingDirectory, old.bytes, Access.writeAttributes,
        options: Opening.forBackup | (follows ? 0 : Opening.link))
      unsafe try NTName(workingDirectory, new.bytes).set(file.value, 0, 11)
    }
  }

  // MARK: Status

  /// The kind of link that a file is, such as a symbolic link or a junction; nil if it is none.
  func linkTag(_ file: HANDLE) -> DWORD? {
    var info = FILE_ATTRIBUTE_TAG_INFO()
    let size = DWORD(MemoryLayout<FILE_ATTRIBUTE_TAG_INFO>.size)
    guard unsafe GetFileInformationByHandleEx(file, FileAttributeTagInfo, &info, size),
      info.FileAttributes & DWORD(FILE_ATTRIBUTE_REPARSE_POINT) != 0,
      // The bit of tags of files that stand for others.
      info.ReparseTag & 0x2000_0000 != 0
    else { return nil }
    return info.ReparseTag
  }

  extension FileStatus {
    init(_ file: HANDLE) throws(Errno) {
      let type = unsafe GetFileType(file)
      if type != DWORD(FILE_TYPE_DISK) {
        kind = type == DWORD(FILE_TYPE_PIPE) ? .fifo : .device
        (size, modified, changed, linkCount, owner) = (0, 0, 0, 1, 0)
        permissions = 0o666
        identity = Identity(device: 0, inode: UInt64(UInt(bitPattern: file)))
        return
      }
      var basic = FILE_BASIC_INFO(), standard = FILE_STANDARD_INFO()
      // SAFETY: the calls write a structure of the size that they are told.
      guard
        unsafe GetFileInformationByHandleEx(
          file, FileBasicInfo, &basic, DWORD(MemoryLayout<FILE_BASIC_INFO>.size)),
        unsafe GetFileInformationByHandleEx(
          file, FileStandardInfo, &standard, DWORD(MemoryLayout<FILE_STANDARD_INFO>.size))
      else { throw .current }
      let isFolder = basic.FileAttributes & DWORD(FILE_ATTRIBUTE_DIRECTORY) != 0
      kind = unsafe linkTag(file) != nil ? .symbolicLink : isFolder ? .directory : .file
      size = unsafe UInt64(max(0, standard.EndOfFile.QuadPart))
      modified = unsafe nanoseconds(basic.LastWriteTime.QuadPart)
      changed = unsafe nanoseconds(basic.ChangeTime.QuadPart)
      // There are no execute bits, and rights are not nine bits.
      permissions = 0o666
      linkCount = UInt64(standard.NumberOfLinks)
      identity = unsafe try Identity(file)
      // 0 is the user, the administrators and the system; others are told apart.
      owner = unsafe windows_owner(file)
    }
  }

  extension FileStatus.Identity {
    fileprivate init(_ file: HANDLE) throws(Errno) {
      var id = FILE_ID_INFO()
      // SAFETY: the calls write a structure of the size that they are told, or that they declare.
      if unsafe GetFileInformationByHandleEx(
        file, FileIdInfo, &id, DWORD(MemoryLayout<FILE_ID_INFO>.size))
      {
        let (low, high) = unsafe withUnsafeBytes(of: &id.FileId) { bytes in
          unsafe (
            bytes.loadUnaligned(as: UInt64.self),
            bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
          )
        }
        self.init(device: UInt64(id.VolumeSerialNumber), inode: high == 0 ? low : mixed(low, high))
        return
      }
      // FAT and some network volumes.
      var info = BY_HANDLE_FILE_INFORMATION()
      guard unsafe GetFileInformationByHandle(file, &info) else { throw .current }
      self.init(
        device: UInt64(info.dwVolumeSerialNumber),
        inode: UInt64(info.nFileIndexHigh) << 32 | UInt64(info.nFileIndexLow))
    }
  }

  /// Nanoseconds since 1970 for 100 ns since 1601.
  private func nanoseconds(_ ticks: Int64) -> Int64 { (ticks &- 116_444_736_000_000_000) &* 100 }

  extension FileDescriptor {
    /// The status of the open file.
    package func status() throws(Errno) -> FileStatus {
      try system(.status) { () throws(Errno) in
        guard let file = unsafe handle(rawValue) else { throw .invalid }
        return unsafe try FileStatus(file)
      }
    }

    /// Sets the times of the file to now.
    package func touch() throws(Errno) {
      try system(.touch) { () throws(Errno) in
        let share = DWORD(FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)
        let again = unsafe ReOpenFile(
          handle(rawValue), DWORD(Access.writeAttributes), share,
          DWORD(FILE_FLAG_BACKUP_SEMANTICS))
        // INVALID_HANDLE_VALUE is a cast, which Swift can't import.
        guard let again = unsafe again, Int(bitPattern: again) != -1 else { throw .current }
        let file = unsafe Handle(again)
        var now = FILETIME()
        unsafe GetSystemTimePreciseAsFileTime(&now)
        if unsafe !SetFileTime(file.value, nil, nil, &now) { throw .current }
      }
    }
  }

  func systemStatus(
    _ folder: CInt, _ path: some Collection<UInt8>, follows: Bool
  ) throws(Errno) -> FileStatus {
    try system(.status) { () throws(Errno) in
      let options = Opening.forBackup | (follows ? 0 : Opening.link)
      do throws(Errno) {
        let file = try systemOpen(
          folder, path, Access.readAttributes | Access.readOwner, options: options)
        return unsafe try FileStatus(file.value)
      } catch {
        // Who may list a folder may see the status of files in it, but not their owners.
        guard error == .permissionDenied else { throw error }
      }
      let file = try systemOpen(folder, path, Access.readAttributes, options: options)
      return unsafe try FileStatus(file.value)
    }
  }

  /// The current time in nanoseconds since 1970.
  package func systemTime() -> Int64 {
    var time = FILETIME()
    unsafe GetSystemTimePreciseAsFileTime(&time)
    return nanoseconds(Int64(time.dwHighDateTime) << 32 | Int64(time.dwLowDateTime))
  }

  extension BytePath {
    /// Fails if this process may not read the file, following symbolic links.
    package func checkReadable() throws(SystemError) {
      _ = try attempt(.open, FileDescriptor.opening(workingDirectory, bytes, []))
    }

    /// The target of the link at this path, as stored in it.
    package func linkTarget() throws(SystemError) -> BytePath {
      try attempt(
        .readLink,
        system(.status) { () throws(Errno) in
          let file = try systemOpen(
            workingDirectory, bytes, Access.readAttributes,
            options: Opening.forBackup | Opening.link)
          // The size of the largest.
          var buffer = [UInt16](repeating: 0, count: 8192)
          var size: DWORD = 0
          // SAFETY: the call writes at most as many bytes as it is told.
          let isRead = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe DeviceIoControl(
              file.value, 0x9_00A8, nil, 0, bytes.baseAddress, DWORD(bytes.count), &size, nil)
          }
          if !isRead { throw .current }
          let tag = UInt32(buffer[1]) << 16 | UInt32(buffer[0])
          guard tag == 0xA000_000C || tag == 0xA000_0003 else { throw .notSupported }
          // The names follow the offsets, and in symbolic links flags.
          let start = tag == 0xA000_000C ? 10 : 8
          let (offset, count) = (Int(buffer[4]) / 2, Int(buffer[5]) / 2)
          guard start + offset + count <= Int(size) / 2 else { throw .inputOutput }
          let target = narrow(buffer[(start + offset)...].prefix(count))
          let isFull = target.starts(with: #"\??\"#.utf8)
          return BytePath(isFull ? target.dropFirst(4) : target[...])
        })
    }

    /// The absolute path without links, `.` or `..`; every part must exist.
    package func resolved() throws(SystemError) -> BytePath {
      try attempt(
        .lookUp,
        system(.status) { () throws(Errno) in
          let file = try systemOpen(
            workingDirectory, bytes, Access.readAttributes, options: Opening.forBackup)
          var buffer = [UInt16](repeating: 0, count: 32_768)
          // SAFETY: the call writes at most as many units as it is told.
          let count = unsafe GetFinalPathNameByHandleW(
            file.value, &buffer, DWORD(buffer.count), 0)
          if count == 0 { throw .current }
          let path = narrow(buffer.prefix(Int(count)))
          if path.starts(with: #"\\?\UNC\"#.utf8) {
            return BytePath("//".utf8 + path.dropFirst(8))
          }
          return BytePath(path.starts(with: #"\\?\"#.utf8) ? path.dropFirst(4) : path[...])
        })
    }

    /// Makes this folder the working directory of the process.
    package func makeWorkingDirectory() throws(SystemError) {
      try attempt(
        .openFolder,
        systemSucceeds(.status) {
          // SAFETY: the call copies the text.
          unsafe withWide(bytes) { unsafe SetCurrentDirectoryW($0) }
        })
    }
  }
#endif
