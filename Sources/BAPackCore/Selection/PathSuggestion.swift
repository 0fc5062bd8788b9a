/// An existing path, and how it differs from the missing one.
struct PathSuggestion {
  let path: RelativePath
  /// For example `, which differs in case`; empty if the difference is obvious.
  let difference: String
}

/// Finds the paths that missing ones are most likely typos of.
///
/// Each folder is listed once, and the search ends after a million names: in large folders
/// comparing them would take longer than packaging.
struct SuggestionSearch {
  private var listings: [RelativePath: Listing] = [:]
  private var namesLeft = 1_000_000

  private struct Listing {
    let exact: Set<[UInt8]>
    let names: [String]
  }

  private mutating func listing(
    _ folder: RelativePath, in tree: borrowing SourceTree
  ) -> Listing? {
    if let known = listings[folder] { return known }
    guard let names = try? tree.names(in: folder) else { return nil }
    let listing = Listing(
      exact: Set(names), names: names.compactMap { String(validating: $0, as: UTF8.self) })
    listings[folder] = listing
    return listing
  }

  /// The path that `missing` is most likely a typo of: each missing component is replaced by one
  /// that differs only in case or Unicode normalization, or else by the nearest.
  mutating func suggestion(
    for missing: RelativePath, in tree: borrowing SourceTree
  ) -> PathSuggestion? {
    var path = RelativePath.root
    var isSameLetters = true
    for component in missing.components {
      guard namesLeft > 0, let existing = listing(path, in: tree) else { return nil }
      let wanted = Array(component)
      if existing.exact.contains(wanted) {
        path = path.appending(wanted)
        continue
      }
      let names = existing.names
      namesLeft -= names.count
      let text = String(decoding: wanted, as: UTF8.self)
      // Strings that differ only in normalization are equal.
      if let same = names.first(where: { $0.lowercased() == text.lowercased() }) {
        path = path.appending(same.utf8)
      } else if let near = nearest(to: text, among: names) {
        path = path.appending(near.utf8)
        isSameLetters = false
      } else {
        return nil
      }
    }
    guard isSameLetters else { return PathSuggestion(path: path, difference: "") }
    let written = String(decoding: missing.bytes, as: UTF8.self)
    let isSameCase = written == String(decoding: path.bytes, as: UTF8.self)
    return PathSuggestion(
      path: path,
      difference: isSameCase
        ? ", which differs only in Unicode normalization" : ", which differs in case")
  }
}
