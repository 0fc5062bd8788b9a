import BAPackCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

package struct UserFolders: Sendable {
  /// For the authority, its key and the versions of packs; accessible only to the user.
  package let data: BytePath
  /// For data that can be recreated: packs made from manifests, digests.
  package let cache: BytePath

  package init(data: BytePath, cache: BytePath) {
    self.data = data
    self.cache = cache
  }

  /// The user's folders, in `XDG_DATA_HOME` and `XDG_CACHE_HOME`, or else in the home folder. Nil
  /// without a home folder.
  package static func ofUser() -> UserFolders? {
    func variable(_ name: String) -> BytePath? {
      guard let value = ProcessContext.environment(name), !value.isEmpty else { return nil }
      let path = BytePath(value)
      return path.isAbsolute ? path : nil
    }
    let home = variable("HOME")
    #if canImport(Darwin)
      let (dataPart, cachePart) = ("Library/Application Support", "Library/Caches")
    #else
      let (dataPart, cachePart) = (".local/share", ".cache")
    #endif
    guard let data = variable("XDG_DATA_HOME") ?? home?.appending(dataPart.utf8),
      let cache = variable("XDG_CACHE_HOME") ?? home?.appending(cachePart.utf8)
    else { return nil }
    return UserFolders(
      data: data.appending("ba-serve".utf8), cache: cache.appending("ba-serve".utf8))
  }
}

extension BytePath {
  /// Creates this folder and its parents, accessible only to this user. Corresponds to `mkdir(2)`.
  package func makeFolders() throws {
    if (try? FileStatus.following(self))?.kind == .directory { return }
    if folder != self, folder != "." { try folder.makeFolders() }
    let result = unsafe withBytes { path in unsafe mkdir(path, 0o700) }
    guard result == 0 || errno == EEXIST else { throw SystemError(.createFolder, self) }
  }

  /// Removes the file at this path, if any. Corresponds to `unlink(2)`.
  package func remove() {
    _ = unsafe withBytes { path in unsafe unlink(path) }
  }

  /// Whether the file's mode has any of these bits. Corresponds to `stat(2)`.
  package func permits(_ bits: mode_t) -> Bool {
    var status = stat()
    let result = unsafe withBytes { path in unsafe stat(path, &status) }
    return result == 0 && status.st_mode & bits != 0
  }

  /// Writes a file atomically that only this user may read.
  package func writePrivately(_ bytes: [UInt8]) throws {
    let output = try AtomicOutput(self, replacing: true, isPrivate: true)
    try output.write(bytes)
    try output.publish()
  }

  /// Calls `body` while this process has the lock of the folder, which is created if necessary.
  /// Waits for other processes. Corresponds to `flock(2)`.
  func withLock<Result>(_ body: () throws -> Result) throws -> Result {
    try makeFolders()
    let path = appending("lock".utf8)
    let file = unsafe path.withBytes { unsafe open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
    guard file >= 0 else { throw SystemError(.create, path) }
    defer { closeDescriptor(file) }
    while flock(file, LOCK_EX) != 0 {
      guard errno == EINTR else { throw SystemError(.lock, path) }
    }
    return try body()
  }

  /// Calls `body` with this path as a C string.
  func withBytes<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    unsafe (bytes + [0]).withUnsafeBufferPointer { buffer in
      unsafe buffer.withMemoryRebound(to: CChar.self) { characters in
        // The buffer contains at least the NUL, so it has an address.
        guard let start = characters.baseAddress else { preconditionFailure("empty path") }
        return unsafe body(start)
      }
    }
  }
}

private func closeDescriptor(_ descriptor: CInt) { close(descriptor) }
