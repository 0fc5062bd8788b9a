/// Empty files, which are usually left by a failed tool or download.
enum EmptyFiles {
  /// A finding for each selector that matches empty files.
  static func findings(
    _ files: [SelectedFile], _ manifest: Manifest, _ scope: RuleSettings.Scope
  ) -> [Finding] {
    var empty = FileGroups<Bool>()
    for file in files where file.size == 0 && !scope.isOff(.emptyFile, about: file.source) {
      empty.add(file, true)
    }
    return empty.groups.sorted { $0.selector < $1.selector }.map { group in
      let first = group.files[0].source
      let others = group.files.count - 1
      let subject =
        others == 0 ? "'\(first)' is" : "'\(first)' and \(counted(others, "more file")) are"
      return Finding(
        .emptyFile, "\(subject) empty", at: manifest.selectors[group.selector].location,
        notes: group.notesOnOthers, file: first)
    }
  }
}
