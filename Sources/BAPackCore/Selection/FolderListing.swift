/// The contents of a folder, as found.
struct FolderListing {
  /// The folder itself.
  let folder: FileStatus.Identity
  /// Sorted names, each with its status or the error from reading it.
  private var items: [Item] = []

  private typealias Item = (name: [UInt8], status: Result<FileStatus, SystemError>)

  /// Reads the status of `names` in `opened`, the folder at `shown`. Files that were deleted
  /// meanwhile are skipped.
  init(
    of names: [[UInt8]], in opened: borrowing FileDescriptor, _ shown: BytePath
  ) throws(SystemError) {
    folder = try shown.attempt(.lookUp, opened.status()).identity
    items.reserveCapacity(names.count)
    for name in names {
      do {
        items.append((name, .success(try opened.status(named: name))))
      } catch {
        if error == .noSuchFile { continue }
        let error = SystemError(.lookUp, shown.appending(name), code: error)
        items.append((name, .failure(error)))
      }
    }
  }

  /// The children whose names match, among those that begin with `prefix`, or with a dot before it
  /// as placeholders do. Fails if the status of one could not be read.
  func children(
    from prefix: [UInt8] = [], where isWanted: ([UInt8]) -> Bool = { _ in true }
  ) throws(SystemError) -> [SourceTree.Child] {
    var ranges = [range(from: prefix)]
    // Of dots alone, the others are among them.
    if !prefix.allSatisfy({ $0 == ASCII.dot }) { ranges.append(range(from: [ASCII.dot] + prefix)) }
    var children: [SourceTree.Child] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      for item in items[range] where isWanted(item.name) {
        children.append(SourceTree.Child(name: item.name, status: try item.status.get()))
      }
    }
    return children
  }

  /// The names that begin with `prefix`, which are sorted.
  private func range(from prefix: [UInt8]) -> Range<Int> {
    if prefix.isEmpty { return items.indices }
    let start = items.partitioningIndex { !$0.name.lexicographicallyPrecedes(prefix) }
    let end = items[start...].partitioningIndex { !$0.name.starts(with: prefix) }
    return start..<end
  }
}

/// A cache of folder listings below one root, for several walks: with many patterns, nearly all of
/// the time would be spent in system calls.
///
/// Listings that don't fit are read again each time. Nothing is evicted: every walk visits folders
/// in the same order, so the least recently used folder is the one that the next walk needs first.
package final class ListingCache: Sendable {
  private struct State {
    /// How many more names can be cached, at about 150 bytes each.
    var namesLeft: Int
    var listings: [RelativePath: FolderListing] = [:]
  }

  private let state: Monitor<State>

  package init(maximumNames: Int = 200_000) { state = Monitor(State(namesLeft: maximumNames)) }

  /// The listing of the folder at `path`, if it is cached.
  subscript(path: RelativePath) -> FolderListing? { state.withLock { $0.listings[path] } }

  /// Reserves room for a number of names; false if there is not enough.
  package func reserve(_ names: Int) -> Bool {
    state.withLock { state in
      guard names <= state.namesLeft else { return false }
      state.namesLeft -= names
      return true
    }
  }

  /// Adds a listing, for which room was reserved.
  func keep(_ listing: FolderListing, of path: RelativePath) {
    state.withLock { $0.listings[path] = listing }
  }
}
