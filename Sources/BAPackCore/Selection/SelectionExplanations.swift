/// Writes the findings about selectors that match nothing, with suggestions.
struct SelectionExplanations {
  private let root: SourceRoot
  /// How many more missing paths get a suggestion: each needs a listing of its folder.
  private var suggestionsLeft = 100
  private var suggestionSearch = SuggestionSearch()
  private var caseSearch = CaseSearch()

  init(_ root: SourceRoot) { self.root = root }

  /// The finding for a selector whose file or folder at `source` is missing.
  mutating func missing(
    _ source: RelativePath, _ kind: FileKind, _ written: Located<String>,
    _ tree: borrowing SourceTree
  ) -> Finding {
    if let finding = FileSelector.foreignPath(written) { return finding }
    let noun = kind == .directory ? "folder" : "file"
    var notes = hints(forMissing: written.value) + [root.explanation]
    var fix: Fix?
    if !containsWildcard(written.value), let near = suggestion(for: source, tree) {
      notes.insert(Note("there is a '\(near.path)'\(near.difference)"), at: 0)
      let replacement = String(decoding: near.path.bytes, as: UTF8.self)
      // Names that JSON would have to escape get no fix.
      if printable(near.path.bytes) == replacement,
        !replacement.contains(where: { "\"'".contains($0) })
      {
        fix = Fix(written.location, replacement, isCertain: !near.difference.isEmpty)
      }
    }
    return Finding(
      .missingFile, "there is no \(noun) '\(source)'", at: written.location, notes: notes, fix: fix)
  }

  private mutating func suggestion(
    for missing: RelativePath, _ tree: borrowing SourceTree
  ) -> PathSuggestion? {
    guard suggestionsLeft > 0 else { return nil }
    suggestionsLeft -= 1
    return suggestionSearch.suggestion(for: missing, in: tree)
  }

  /// The finding for a selector that matches no file that isn't excluded; nothing for exclusions.
  mutating func nothingMatched(
    _ selector: FileSelector, isPartlyExcluded: Bool, _ tree: borrowing SourceTree
  ) -> [Finding] {
    let message: String
    var notes: [Note] = []
    switch selector.kind {
    case .fileExclusion:
      return []
    case .filePattern(let written) where isPartlyExcluded:
      message = "everything that '\(printable(written.value.utf8))' matches is excluded"
    case .filePattern(let written):
      message = "no file matches '\(printable(written.value.utf8))'"
      notes = hints(forUnmatched: written.value) + caseSearch.note(on: written, in: tree)
    case .directory(let written) where isPartlyExcluded,
      .directoryMapping(let written, _) where isPartlyExcluded:
      message = "everything in the folder '\(printable(written.value.utf8))' is excluded"
    case .directory(let written), .directoryMapping(let written, _):
      message = "the folder '\(printable(written.value.utf8))' contains no files"
    case .file(let written), .fileMapping(let written, _):
      message = "'\(printable(written.value.utf8))' is excluded by another selector"
    }
    return [
      Finding(
        .nothingMatched, message, at: selector.location,
        notes: notes + (isPartlyExcluded ? [] : [root.explanation]))
    ]
  }

  /// The finding for the exclusion `written`, which excluded nothing and matches none of the
  /// `files`.
  mutating func unusedExclusion(
    _ written: Located<String>, among files: [SelectedFile]
  ) -> Finding {
    Finding(
      .unusedExclusion,
      "'\(printable(written.value.utf8))' excludes nothing: no selector matches it",
      at: written.location,
      notes: hints(forUnmatched: written.value) + caseSearch.note(on: written, among: files)
        + [root.explanation])
  }
}
