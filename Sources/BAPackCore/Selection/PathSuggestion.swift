/// A path that exists, and how it differs from one that does not.
struct PathSuggestion {
  let path: RelativePath
  /// For example `, which differs in case`; empty when the difference is plain to see.
  let difference: String
}

extension SourceTree {
  /// The path that `missing` is most likely a slip of: each part that does not exist is replaced by
  /// one that differs in case or Unicode normalization only, else by the nearest.
  func suggestion(for missing: RelativePath) -> PathSuggestion? {
    var path = RelativePath.root
    var isSameLetters = true
    for component in missing.components {
      guard let existing = try? names(in: path) else { return nil }
      let wanted = Array(component)
      if existing.contains(wanted) {
        path = path.appending(wanted)
        continue
      }
      let names = existing.compactMap { String(validating: $0, as: UTF8.self) }
      let text = String(decoding: wanted, as: UTF8.self)
      // Strings are equal when only their normalization differs.
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
        ? ", which differs in Unicode normalization only" : ", which differs in case")
  }
}
