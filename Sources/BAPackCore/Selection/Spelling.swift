/// Whether paths are written as the folders have them. A Mac finds `credits.txt` where
/// `Credits.txt` is meant; devices and Linux don't.
package struct Spelling {
  /// The names of folders that were asked about; nil where a folder can't be listed.
  private var names: [RelativePath: Set<[UInt8]>?] = [:]

  /// Knows no folder yet.
  package init() {}

  /// Whether each part of `path` stands in its folder in just these bytes. What can't be listed is
  /// taken as it is written.
  package mutating func isExact(_ path: RelativePath, in tree: borrowing SourceTree) -> Bool {
    var folder = RelativePath.root
    for component in path.components {
      let name = Array(component)
      guard list(folder, tree)?.contains(name) ?? true else { return false }
      folder = folder.appending(name)
    }
    return true
  }

  private mutating func list(
    _ folder: RelativePath, _ tree: borrowing SourceTree
  ) -> Set<[UInt8]>? {
    if let known = names[folder] { return known }
    let listed = (try? tree.names(in: folder)).map { Set($0) }
    names[folder] = .some(listed)
    return listed
  }
}
