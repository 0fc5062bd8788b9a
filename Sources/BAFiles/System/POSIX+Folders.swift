// The calls of the C library about folders and names.

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

/// Whether two names are equal only if their bytes are. Volumes on macOS usually ignore case, and
/// all of Apple's ignore normalization.
package var namesAreBytes: Bool {
  #if canImport(Darwin)
    return false
  #else
    return true
  #endif
}

/// Whether names with some characters, and those of devices, aren't those of files.
package var namesAreThoseOfWindows: Bool { false }

/// The names in a folder, except `.` and `..`, that are wanted.
func systemNames(
  in folder: CInt, where isWanted: ([UInt8]) -> Bool
) throws(Errno) -> [[UInt8]] {
  // The stream closes the descriptor that it is given.
  let duplicate = try FileDescriptor.duplicating(folder)
  let stream = unsafe try system(.list) { unsafe fdopendir(duplicate.rawValue) }
  duplicate.release()
  defer { unsafe closedir(stream) }
  var names: [[UInt8]] = []
  while true {
    do {
      let entry = unsafe try system(.list) {
        // The end also returns nil, without setting `errno`.
        errno = 0
        return unsafe readdir(stream)
      }
      if let name = unsafe nameBytes(entry), isWanted(name) { names.append(name) }
    } catch {
      if error.rawValue == 0 { return names }
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

func systemMakeFolder(_ folder: CInt, _ name: some Collection<UInt8>) throws(Errno) {
  _ = try system(.makeFolder) {
    unsafe withCBytes(name) { unsafe mkdirat(folder, $0, 0o777) }
  }
}

func systemRemove(
  _ folder: CInt, _ name: some Collection<UInt8>, isFolder: Bool
) throws(Errno) {
  _ = try system(.remove) {
    unsafe withCBytes(name) { unsafe unlinkat(folder, $0, isFolder ? AT_REMOVEDIR : 0) }
  }
}

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

/// Gives a file a second name.
func systemLink(_ old: BytePath, _ new: BytePath, follows: Bool) throws(Errno) {
  _ = try system(.link) {
    unsafe withCBytes(old.bytes) { old in
      unsafe withCBytes(new.bytes) { new in
        unsafe linkat(AT_FDCWD, old, AT_FDCWD, new, follows ? AT_SYMLINK_FOLLOW : 0)
      }
    }
  }
}
