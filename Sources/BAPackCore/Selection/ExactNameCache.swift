/// The exact names in folders. macOS finds `Credits.txt` as `credits.txt`; iOS devices and Linux
/// don't.
package struct ExactNameCache {
  /// The names by folder; nil for folders that can't be listed.
  private var names: [RelativePath: Set<[UInt8]>?] = [:]

  /// An empty cache.
  package init() {}

  /// Whether each component of `path` is in its folder with exactly these bytes. In folders that
  /// can't be listed, every name counts as exact.
  package mutating func isExact(
    _ path: RelativePath, in tree: borrowing SourceTree
  ) throws(SourceError) -> Bool {
    var folder = RelativePath.root
    for component in path.components {
      let name = Array(component)
      guard try list(folder, tree)?.contains(name) ?? true else { return false }
      folder = folder.appending(name)
    }
    return true
  }

  private mutating func list(
    _ folder: RelativePath, _ tree: borrowing SourceTree
  ) throws(SourceError) -> Set<[UInt8]>? {
    if let known = names[folder] { return known }
    var listed: Set<[UInt8]>?
    do throws(SourceError) {
      listed = Set(try tree.names(in: folder))
    } catch {
      guard case .unreadable(let reason) = error,
        [.permissionDenied, .notDirectory].contains(reason.code)
      else { throw error }
    }
    names[folder] = .some(listed)
    return listed
  }
}
