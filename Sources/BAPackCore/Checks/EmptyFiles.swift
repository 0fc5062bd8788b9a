/// Files of no bytes, which are mostly what a failed tool or download left.
enum EmptyFiles {
  /// A finding for each selector that takes empty files.
  static func findings(
    _ files: [SelectedFile], _ manifest: Manifest, _ scope: RuleSettings.Scope
  ) -> [Finding] {
    var groups: [Int: [RelativePath]] = [:]
    for file in files where file.size == 0 && !scope.isOff(.emptyFile, about: file.source) {
      groups[file.selector, default: []].append(file.source)
    }
    return groups.sorted { $0.key < $1.key }.map { selector, paths in
      let others = paths.dropFirst()
      let shown = others.prefix(5)
      var notes: [Note] = []
      if !shown.isEmpty {
        let rest = others.count - shown.count
        notes.append(
          Note(
            "also " + shown.map { "'\($0)'" }.joined(separator: ", ")
              + (rest > 0 ? " and \(counted(rest, "more file"))" : "")))
      }
      let subject =
        others.isEmpty
        ? "'\(paths[0])' is" : "'\(paths[0])' and \(counted(others.count, "more file")) are"
      return Finding(
        .emptyFile, "\(subject) empty", at: manifest.selectors[selector].location, notes: notes,
        file: paths[0])
    }
  }
}
