/// The contents of a folder, as found.
struct FolderListing {
  /// The folder itself.
  let folder: FileStatus.Identity
  /// Sorted names, each with its status or the error from reading it.
  private var items: [(name: [UInt8], status: Result<FileStatus, SystemError>)] = []

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

  /// The children whose names match. Fails if the status of one could not be read.
  func children(
    where isWanted: ([UInt8]) -> Bool = { _ in true }
  ) throws(SystemError) -> [SourceTree.Child] {
    var children: [SourceTree.Child] = []
    for item in items where isWanted(item.name) {
      children.append(SourceTree.Child(name: item.name, status: try item.status.get()))
    }
    return children
  }
}

/// A cache of folder listings for several walks: with many patterns, nearly all of the time would
/// be spent in system calls.
///
/// Listings that don't fit are read again each time. Nothing is evicted: every walk visits folders
/// in the same order, so the least recently used folder is the one that the next walk needs first.
package final class ListingCache {
  /// How many more names can be cached, at about 150 bytes each.
  private var namesLeft: Int
  private var listings: [RelativePath: FolderListing] = [:]

  package init(maximumNames: Int = 200_000) { namesLeft = maximumNames }

  /// The listing of the folder at `path`, if it is cached.
  subscript(path: RelativePath) -> FolderListing? { listings[path] }

  /// Reserves room for a number of names; false if there is not enough.
  package func reserve(_ names: Int) -> Bool {
    guard names <= namesLeft else { return false }
    namesLeft -= names
    return true
  }

  /// Adds a listing, for which room was reserved.
  func keep(_ listing: FolderListing, of path: RelativePath) { listings[path] = listing }
}
