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
  #if canImport(Darwin)
    /// What is open, by path.
    private var open: [BytePath: (file: CInt, identity: FileStatus.Identity)] = [:]
  #else
    private var watched: Set<BytePath> = []
    private var watches: [CInt] = []
  #endif

  /// Watches nothing yet.
  package init() throws(SystemError) {
    #if canImport(Darwin)
      descriptor = kqueue()
    #else
      descriptor = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
    #endif
    guard descriptor >= 0 else { throw SystemError(.watch, ".") }
  }

  deinit {
    #if canImport(Darwin)
      for place in open.values { close(place.file) }
    #endif
    close(descriptor)
  }

  /// Watches exactly these from now on. Throws the first error; the rest is still watched.
  package func watch(folders: Set<BytePath>, files: Set<BytePath>) throws(SystemError) {
    #if canImport(Darwin)
      let wanted = folders.union(files)
      // A descriptor belongs to the file that it was opened for, and not to the one that replaced it.
      for (path, place) in open
      where !wanted.contains(path)
        || (try? FileStatus.following(path))?.identity != place.identity
      {
        close(place.file)
        open[path] = nil
      }
      let added = wanted.subtracting(open.keys)
    #else
      guard folders != watched else { return }
      forget()
      watched = folders
      let added = folders
    #endif
    var failure: SystemError?
    for path in added.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
      do throws(SystemError) { try add(path) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  /// Consumes the events that made ``descriptor`` readable. Corresponds to `read(2)` and
  /// `kevent(2)`.
  package func drain() {
    #if canImport(Darwin)
      var none = timespec()
      var events: [kevent] = unsafe Array(repeating: kevent(), count: 64)
      while unsafe kevent(descriptor, nil, 0, &events, 64, &none) == 64 {}
    #else
      while !InputPoll.read(descriptor).isEmpty {}
    #endif
  }

  #if canImport(Darwin)
    private func add(_ path: BytePath) throws(SystemError) {
      // Before it is opened: if it is replaced in between, it is opened again the next time.
      let identity = try FileStatus.following(path).identity
      let file = unsafe withCharacters(path.bytes + [0]) { unsafe systemOpen($0, O_EVTONLY) }
      guard file >= 0 else { throw SystemError(.watch, path) }
      open[path] = (file, identity)
      let changes = NOTE_WRITE | NOTE_EXTEND | NOTE_DELETE | NOTE_RENAME | NOTE_ATTRIB
      var event = unsafe kevent(
        ident: UInt(file), filter: Int16(EVFILT_VNODE), flags: UInt16(EV_ADD | EV_CLEAR),
        fflags: UInt32(changes), data: 0, udata: nil)
      guard unsafe kevent(descriptor, &event, 1, nil, 0, nil) == 0 else {
        throw SystemError(.watch, path)
      }
    }
  #else
    private func forget() {
      for watch in watches { inotify_rm_watch(descriptor, watch) }
      watches = []
      drain()
    }

    private func add(_ path: BytePath) throws(SystemError) {
      let events =
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB
        | IN_DELETE_SELF | IN_MOVE_SELF
      let watch = unsafe withCharacters(path.bytes + [0]) { text in
        unsafe inotify_add_watch(descriptor, text, UInt32(events))
      }
      guard watch >= 0 else { throw SystemError(.watch, path) }
      watches.append(watch)
    }
  #endif
}

#if canImport(Darwin)
  private func systemOpen(_ path: UnsafePointer<CChar>?, _ flags: CInt) -> CInt {
    guard let path = unsafe path else { return -1 }
    return unsafe open(path, flags)
  }
#endif
