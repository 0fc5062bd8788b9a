/// Reads the folders that a walk will come to on other threads.
///
/// The walk visits folders in its own order, takes what was read, and reads a folder itself if nobody
/// has begun to: the result does not depend on the threads. They start when there is enough to do.
package final class ReadAhead: @unchecked Sendable {
  typealias Listing = Result<FolderListing, SystemError>

  /// So many folders make up for starting threads.
  static let fewFolders = 32
  /// So many folders are read before the walk needs them.
  private static let mostReady = 64
  private static let mostThreads = 3

  private enum Progress {
    case waiting
    case running
    case ready(Listing)
  }

  private struct State {
    var folders: [RelativePath: Progress] = [:]
    /// Folders to read, the next one last. The walk may have taken some of them.
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

  /// Reads folders by `read`, with so many threads, by default one for each other processor.
  init(threads: Int?, _ read: @escaping @Sendable (RelativePath) -> Listing) {
    self.threads = threads
    self.read = read
  }

  /// Adds folders that the walk comes to next, in this order.
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
      let count = threads ?? min(Self.mostThreads, Processors.available - 1)
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

  /// The next folder to read; nil while there is none, `.some(nil)` at the end.
  private static func next(_ state: inout State) -> RelativePath?? {
    if state.isOver { return .some(nil) }
    guard state.ready < mostReady else { return nil }
    while let folder = state.queue.popLast() {
      guard case .waiting? = state.folders[folder] else { continue }
      state.folders[folder] = .running
      return folder
    }
    return nil
  }
}
