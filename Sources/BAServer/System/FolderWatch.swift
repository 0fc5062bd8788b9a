import BAPackCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Watches folders for added, removed and renamed entries, and for modified files.
///
/// On Linux this is `inotify(7)`, which reports a file when its writer closes it. On macOS it is
/// `kqueue(2)`, where a folder reports only its entries, and each file must be watched separately.
package final class FolderWatch {
  /// Becomes readable when something has changed.
  package let descriptor: CInt
  /// The open files on macOS, the numbers of watches on Linux.
  private var watches: Set<CInt> = []
  #if canImport(Darwin)
    private var files: [FileStatus.Identity: CInt] = [:]
  #endif

  package init() throws {
    #if canImport(Darwin)
      descriptor = kqueue()
    #else
      descriptor = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
    #endif
    guard descriptor >= 0 else { throw SystemError(.watch, ".") }
  }

  deinit {
    #if canImport(Darwin)
      for file in watches { close(file) }
    #endif
    close(descriptor)
  }

  /// Watches exactly these from now on, also those that were replaced since they were last given:
  /// of a missing one the nearest folder above, and with a link the folders that lead to its target.
  /// Returns whether anything is watched that wasn't before. Throws the first error; the rest is
  /// still watched.
  package func watch(_ sources: PackSources) throws -> Bool {
    var seen: Set<BytePath> = []
    var wanted = sources.folders
    for path in sources.folders.union(sources.files) { follow(path, &seen, &wanted) }
    #if canImport(Darwin)
      wanted.formUnion(sources.files)
    #endif
    let before = watches
    watches = []
    var failure: SystemError?
    for path in wanted.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
      do { try watches.insert(add(path)) } catch {
        if error.code != .noSuchFile { failure = failure ?? error }
      }
    }
    #if canImport(Darwin)
      files = files.filter { watches.contains($0.value) }
      for file in before.subtracting(watches) { close(file) }
    #else
      for watch in before.subtracting(watches) { inotify_rm_watch(descriptor, watch) }
    #endif
    if let failure { throw failure }
    return !watches.isSubset(of: before)
  }

  /// Adds the folders in which a name on the way to `path` is missing or a link, and the folder of
  /// the link's target.
  private func follow(
    _ path: BytePath, _ seen: inout Set<BytePath>, _ folders: inout Set<BytePath>
  ) {
    guard seen.insert(path).inserted else { return }
    let kind = (try? FileStatus.notFollowing(path))?.kind
    if kind == nil { folders.insert(path.folder) }
    if kind == .symbolicLink, let target = try? path.linkTarget() {
      let target = path.folder.appending(target.bytes)
      folders.formUnion([path.folder, target.folder])
      follow(target, &seen, &folders)
    }
    follow(path.folder, &seen, &folders)
  }

  /// Consumes the events that made ``descriptor`` readable. Corresponds to `read(2)` and
  /// `kevent(2)`.
  package func drain() {
    #if canImport(Darwin)
      var none = timespec()
      var events: [kevent] = unsafe Array(repeating: kevent(), count: 64)
      while unsafe kevent(descriptor, nil, 0, &events, 64, &none) == 64 {}
    #else
      while !InputPoll.input(of: descriptor).isEmpty {}
    #endif
  }

  #if canImport(Darwin)
    private func add(_ path: BytePath) throws(SystemError) -> CInt {
      // An open file keeps its identity.
      let identity = try FileStatus.following(path).identity
      if let known = files[identity] { return known }
      let file = unsafe open(path.cString, O_EVTONLY)
      guard file >= 0 else { throw SystemError(.watch, path) }
      files[identity] = file
      let changes = NOTE_WRITE | NOTE_EXTEND | NOTE_DELETE | NOTE_RENAME | NOTE_ATTRIB
      var event = unsafe kevent(
        ident: UInt(file), filter: Int16(EVFILT_VNODE), flags: UInt16(EV_ADD | EV_CLEAR),
        fflags: UInt32(changes), data: 0, udata: nil)
      guard unsafe kevent(descriptor, &event, 1, nil, 0, nil) == 0 else {
        throw SystemError(.watch, path)
      }
      return file
    }
  #else
    /// The number of the watch, which is always the same for the same folder.
    private func add(_ path: BytePath) throws(SystemError) -> CInt {
      let events =
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB
        | IN_DELETE_SELF | IN_MOVE_SELF
      let watch = unsafe inotify_add_watch(descriptor, path.cString, UInt32(events))
      guard watch >= 0 else { throw SystemError(.watch, path) }
      return watch
    }
  #endif
}
