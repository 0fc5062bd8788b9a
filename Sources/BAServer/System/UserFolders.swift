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

  /// The user's folders, in `XDG_DATA_HOME` and `XDG_CACHE_HOME`, or else in the home folder.
  package init() throws {
    func variable(_ name: String) -> BytePath? {
      ProcessContext.environment(name).map { BytePath($0) }.flatMap { $0.isAbsolute ? $0 : nil }
    }
    let home = variable("HOME")
    #if canImport(Darwin)
      let (dataPart, cachePart) = ("Library/Application Support", "Library/Caches")
    #else
      let (dataPart, cachePart) = (".local/share", ".cache")
    #endif
    guard let data = variable("XDG_DATA_HOME") ?? home?.appending(dataPart.utf8),
      let cache = variable("XDG_CACHE_HOME") ?? home?.appending(cachePart.utf8)
    else {
      throw PackagingError(
        "there is no home folder: set HOME, or XDG_DATA_HOME and XDG_CACHE_HOME")
    }
    self.data = data.appending("ba-serve".utf8)
    self.cache = cache.appending("ba-serve".utf8)
  }
}

/// Notes that another process uses a folder.
package typealias Waiting = (BytePath) -> Void

extension BytePath {
  /// Creates this folder and its parents, accessible only to this user. Corresponds to `mkdir(2)`.
  package func makeFolders() throws {
    if (try? FileStatus.following(self))?.kind == .directory { return }
    if folder != self, folder != "." { try folder.makeFolders() }
    guard unsafe mkdir(cString, 0o700) == 0 || errno == EEXIST else {
      throw SystemError(.createFolder, self)
    }
  }

  /// Whether the file's mode has any of these bits.
  package func permits(_ bits: UInt32) -> Bool {
    (try? FileStatus.following(self)).map { $0.permissions & bits != 0 } ?? false
  }

  /// Writes a file atomically that only this user may read.
  package func writePrivately(_ bytes: [UInt8]) throws {
    let output = try AtomicOutput(self, replacing: true, isPrivate: true)
    try output.write(bytes)
    try output.publish()
  }

  /// Calls `body` while this process has the lock of the folder, which is created if necessary.
  /// Calls `waiting` if another process has it for a while.
  func withLock<Result>(_ waiting: Waiting, _ body: () throws -> Result) throws -> Result {
    try makeFolders()
    let lock = try FolderLock(self) { waiting(self) }
    let result = try body()
    lock.release()
    return result
  }

  /// The path with a NUL, for calls of the C library.
  var cString: [CChar] { bytes.map(CChar.init(bitPattern:)) + [0] }
}
