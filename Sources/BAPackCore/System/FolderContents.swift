#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Changes to what a folder holds, by names that stand in it: no link is ever followed, and no path
/// walked, so that nothing outside the folder can be reached. `shown` is the path for messages.
extension FileDescriptor {
  /// Opens the folder `name`, which must not be a link. Corresponds to `openat(2)` with
  /// `O_NOFOLLOW`.
  package func folder(
    named name: some Collection<UInt8>, shown: FilePath
  ) throws(SystemError) -> FileDescriptor {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    return try opening(.openFolder, name, flags, mode: 0, shown)
  }

  /// Makes the file `name`, with mode 0666 or 0777 less the umask; fails where anything has that name
  /// already. Corresponds to `openat(2)` with `O_CREAT` and `O_EXCL`.
  package func creating(
    named name: some Collection<UInt8>, executable: Bool, shown: FilePath
  ) throws(SystemError) -> FileDescriptor {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    return try opening(.create, name, flags, mode: executable ? 0o777 : 0o666, shown)
  }

  /// What has the name `name`, be it a link. Corresponds to `fstatat(2)`.
  package func status(
    named name: some Collection<UInt8>, shown: FilePath
  ) throws(SystemError) -> FileStatus {
    do throws(SystemError) {
      return try statusNotFollowing(Array(name))
    } catch {
      throw SystemError(error.operation, shown, code: error.code)
    }
  }

  private func opening(
    _ operation: SystemError.Operation, _ name: some Collection<UInt8>, _ flags: CInt, mode: mode_t,
    _ shown: FilePath
  ) throws(SystemError) -> FileDescriptor {
    let descriptor = unsafe withCBytes(name) { name in
      repeatingInterrupted { unsafe openat(rawValue, name, flags, mode) }
    }
    guard descriptor >= 0 else { throw SystemError(operation, shown) }
    return FileDescriptor(rawValue: descriptor)
  }

  /// Makes the folder `name`; false where anything has that name already. Corresponds to
  /// `mkdirat(2)`.
  package func makeFolder(
    named name: some Collection<UInt8>, shown: FilePath
  ) throws(SystemError) -> Bool {
    let result = unsafe withCBytes(name) { name in
      repeatingInterrupted { unsafe mkdirat(rawValue, name, 0o777) }
    }
    if result == 0 { return true }
    guard errno == EEXIST else { throw SystemError(.createFolder, shown) }
    return false
  }

  /// Removes a file or an empty folder. Corresponds to `unlinkat(2)`.
  package func remove(
    named name: some Collection<UInt8>, isFolder: Bool, shown: FilePath
  ) throws(SystemError) {
    let result = unsafe withCBytes(name) { name in
      repeatingInterrupted { unsafe unlinkat(rawValue, name, isFolder ? AT_REMOVEDIR : 0) }
    }
    guard result == 0 else { throw SystemError(.remove, shown) }
  }

  /// Writes all of `bytes` at `offset`. Corresponds to `pwrite(2)`.
  package func write(
    _ bytes: RawSpan, at offset: UInt64, to path: FilePath
  ) throws(SystemError) {
    var done = 0
    while done < bytes.byteCount {
      // SAFETY: the rest of the span is read within the closure.
      let sent = unsafe bytes.extracting(droppingFirst: done).withUnsafeBytes { rest in
        repeatingInterrupted {
          unsafe pwrite(rawValue, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
        }
      }
      guard sent >= 0 else { throw SystemError(.write, path) }
      done += sent
    }
  }
}
