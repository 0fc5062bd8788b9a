/// Reads folders on other threads before a walk needs them.
///
/// The walk visits folders in its own order and reads a folder itself if no thread has started to,
/// so the result doesn't depend on the threads. They start once there is enough to do.
package final class ReadAhead: @unchecked Sendable {
  typealias Listing = Result<FolderListing, SystemError>

  /// The number of folders that makes starting threads worthwhile.
  static let fewFolders = 32
  /// The maximum number of folders read in advance.
  private static let maximumReady = 64
  private static let maximumThreads = 3

  private enum Progress {
    case waiting
    case running
    case ready(Listing)
  }

  private struct State {
    var folders: [RelativePath: Progress] = [:]
    /// Folders to read, the next one last. The walk may already have read some of them.
    var queue: [RelativePath] = []
    var ready = 0
    var isOver = false
  }

  private let state = Monitor(State())
  private let read: @Sendable (RelativePath) -> Listing
  // Used by the walk's thread only.
  private let threads: Int?
  private var added = 0
  private var helpers: HelperThreads?

  /// Reads folders with `read` on `threads` threads, by default one for each other processor.
  init(threads: Int?, _ read: @escaping @Sendable (RelativePath) -> Listing) {
    self.threads = threads
    self.read = read
  }

  /// Adds the folders that the walk will visit next, in this order.
  func add(_ folders: [RelativePath]) {
    if folders.isEmpty { return }
    state.withLock { state in
      for folder in folders { state.folders[folder] = .waiting }
      state.queue += folders.reversed()
    }
    added += folders.count
    if helpers != nil {
      state.notifyAll()
    } else if added >= Self.fewFolders {
      let count = threads ?? min(Self.maximumThreads, Processors.available - 1)
      helpers = HelperThreads(count) { [self] in work() }
    }
  }

  /// What a folder contains; nil if the walk has to read it.
  func take(_ folder: RelativePath) -> Listing? {
    let listing: Listing? = state.wait { state -> Listing?? in
      switch state.folders[folder] {
      case nil, .waiting:
        state.folders[folder] = nil
        return .some(nil)
      case .running: return nil
      case .ready(let listing):
        state.folders[folder] = nil
        state.ready -= 1
        return listing
      }
    }
    if listing != nil { state.notifyAll() }
    return listing
  }

  /// Ends the threads.
  func end() {
    state.withLock { $0.isOver = true }
    state.notifyAll()
    helpers?.join()
    helpers = nil
  }

  private func work() {
    while let folder = state.wait(for: { Self.next(&$0) }) {
      let listing = read(folder)
      state.withLock { state in
        state.folders[folder] = .ready(listing)
        state.ready += 1
      }
      state.notifyAll()
    }
  }

  /// The next folder to read; nil if there is none yet, `.some(nil)` at the end.
  private static func next(_ state: inout State) -> RelativePath?? {
    if state.isOver { return .some(nil) }
    guard state.ready < maximumReady else { return nil }
    while let folder = state.queue.popLast() {
      guard case .waiting? = state.folders[folder] else { continue }
      state.folders[folder] = .running
      return folder
    }
    return nil
  }
}
