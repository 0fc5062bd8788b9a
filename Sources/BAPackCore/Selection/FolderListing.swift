/// What a folder holds, as it was found.
struct FolderListing {
  /// The folder itself.
  let folder: FileStatus.Identity
  /// Names, sorted, each with what it names, or why that could not be told.
  private let items: [(name: [UInt8], status: Result<FileStatus, SystemError>)]

  /// Looks at `names` in `opened`, the folder at `shown`. What vanishes meanwhile is left out.
  init(
    of names: [[UInt8]], in opened: borrowing FileDescriptor, _ shown: FilePath
  ) throws(SystemError) {
    folder = try opened.status(shown).identity
    var items: [(name: [UInt8], status: Result<FileStatus, SystemError>)] = []
    items.reserveCapacity(names.count)
    for name in names {
      do throws(Errno) {
        items.append((name, .success(try opened.statusNotFollowing(name))))
      } catch {
        if error == .noSuchFile { continue }
        let error = SystemError(.lookUp, shown.appending(name), code: error)
        items.append((name, .failure(error)))
      }
    }
    self.items = items
  }

  /// The things whose names `takes` wants. Fails where one of them could not be looked at.
  func children(
    where takes: ([UInt8]) -> Bool = { _ in true }
  ) throws(SystemError) -> [SourceTree.Child] {
    var children: [SourceTree.Child] = []
    for item in items where takes(item.name) {
      children.append(SourceTree.Child(name: item.name, status: try item.status.get()))
    }
    return children
  }
}

/// The listings of folders, for the walks that come by again: with many patterns, nearly all of the
/// time would go to the system.
///
/// What no longer fits is read again each time. Nothing makes room for it: every walk takes the same
/// way, so that the folder not used for longest is the one that the next walk wants first.
package final class KeptListings {
  /// How many names are kept at most, with some 150 bytes for each.
  private var namesLeft: Int
  private var listings: [RelativePath: FolderListing] = [:]

  package init(mostNames: Int = 200_000) { namesLeft = mostNames }

  /// The listing of the folder at `path`, if it is kept.
  subscript(path: RelativePath) -> FolderListing? { listings[path] }

  /// Whether so many names fit; if so they are to be kept.
  package func claim(_ names: Int) -> Bool {
    guard names <= namesLeft else { return false }
    namesLeft -= names
    return true
  }

  /// Keeps a listing that there was room for.
  func keep(_ listing: FolderListing, of path: RelativePath) { listings[path] = listing }
}
