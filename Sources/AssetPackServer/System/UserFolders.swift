import BAPackCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The folders for a user's data.
package struct UserFolders: Sendable {
  /// For the authority, its key and the versions of packs; accessible only to the user.
  package let data: BytePath
  /// For data that can be recreated: packs made from manifests, digests.
  package let cache: BytePath

  /// The folders at these paths.
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
  package func makeFolders() throws(SystemError) {
    if (try? FileStatus.following(self))?.kind == .directory { return }
    if folder != self, folder != "." { try folder.makeFolders() }
    let result = unsafe withBytes { path in unsafe mkdir(path, 0o700) }
    guard result == 0 || errno == EEXIST else { throw SystemError(.createFolder, self) }
  }

  /// Removes the file at this path, if any. Corresponds to `unlink(2)`.
  package func remove() {
    _ = unsafe withBytes { path in unsafe unlink(path) }
  }

  /// Whether only the owner may read or write the file. Corresponds to `stat(2)`.
  package var isPrivate: Bool {
    var status = stat()
    let result = unsafe withBytes { path in unsafe stat(path, &status) }
    return result == 0 && status.st_mode & 0o077 == 0
  }

  /// Writes a file atomically that only this user may read.
  package func writePrivately(_ bytes: [UInt8]) throws(SystemError) {
    let output = try AtomicOutput(self, replacing: true, isPrivate: true)
    try output.write(bytes)
    try output.publish()
  }

  fileprivate func withBytes<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    unsafe (bytes + [0]).withUnsafeBufferPointer { buffer in
      unsafe buffer.withMemoryRebound(to: CChar.self) { characters in
        // The buffer contains at least the NUL, so it has an address.
        guard let start = characters.baseAddress else { preconditionFailure("empty path") }
        return unsafe body(start)
      }
    }
  }
}

/// A lock on a file, released by `deinit`; other processes wait for it.
package struct FileLock: ~Copyable {
  private let descriptor: CInt

  deinit { close(descriptor) }

  /// Creates the file at `path` and its folders if necessary, and waits for its lock. Corresponds to
  /// `flock(2)`.
  package init(_ path: BytePath) throws(SystemError) {
    try path.folder.makeFolders()
    let file = unsafe path.withBytes { unsafe open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
    guard file >= 0 else { throw SystemError(.create, path) }
    while flock(file, LOCK_EX) != 0 {
      guard errno == EINTR else {
        let error = SystemError(.lock, path)
        close(file)
        throw error
      }
    }
    // An initializer that throws after this runs `deinit`.
    descriptor = file
  }
}
