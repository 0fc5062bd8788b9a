/// Writes the findings about selectors that match nothing, with suggestions.
struct SelectionExplanations {
  private let root: SourceRoot
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
    if !containsWildcard(written.value),
      let near = suggestionSearch.suggestion(for: source, in: tree)
    {
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
      .missingFile, "there is no \(noun) '\(source)'", at: written.location,
      notes: [tree.fetching(missing: source)] + notes, fix: fix)
  }

  /// The finding for a selector that matches no file that isn't excluded; nothing for exclusions.
  mutating func nothingMatched(
    _ selector: FileSelector, isPartlyExcluded: Bool, _ tree: borrowing SourceTree
  ) -> [Finding] {
    let message: String
    var notes: [Note] = []
    let shown = "'\(printable(selector.source.value.utf8))'"
    switch selector.kind {
    case .fileExclusion:
      return []
    case .filePattern where isPartlyExcluded:
      message = "everything that \(shown) matches is excluded"
    case .filePattern:
      message = "no file matches \(shown)"
      notes =
        hints(forUnmatched: selector.source.value) + caseSearch.note(on: selector, in: tree)
      if let start = selector.start,
        let near = suggestionSearch.suggestion(for: start, in: tree), near.difference.isEmpty
      {
        notes.insert(Note("there is a '\(near.path)'"), at: 0)
      }
    case .directory:
      message =
        isPartlyExcluded
        ? "everything in the folder \(shown) is excluded" : "the folder \(shown) contains no files"
    case .file:
      message = "\(shown) is excluded by another selector"
    }
    return [
      Finding(
        .nothingMatched, message, at: selector.location,
        notes: notes + (isPartlyExcluded ? [] : [root.explanation]))
    ]
  }

  /// The finding for an exclusion that excluded nothing and matches none of the `files`.
  mutating func unusedExclusion(
    _ exclusion: FileSelector, among files: [SelectedFile]
  ) -> Finding {
    let written = exclusion.source
    return Finding(
      .unusedExclusion,
      "'\(printable(written.value.utf8))' excludes nothing: no selector matches it",
      at: written.location,
      notes: hints(forUnmatched: written.value) + caseSearch.note(on: exclusion, among: files)
        + [root.explanation])
  }
}

extension FileSelector {
  /// A finding if a path that doesn't exist is a URL or a path of another system; otherwise nil.
  fileprivate static func foreignPath(_ written: Located<String>) -> Finding? {
    let text = written.value
    let shown = "'\(printable(text.utf8))'"
    let bytes = Array(text.utf8.prefix(3))
    let advice = Note(
      "write it relative to the source root, so that every clone has the same files")
    if let range = text.firstRange(of: "://"), text[..<range.lowerBound].allSatisfy(\.isLetter) {
      return Finding(
        .missingFile, "\(shown) is a URL; selectors are paths below the source root",
        at: written.location)
    }
    if bytes.count >= 2, ASCII.isLetter(bytes[0]), bytes[1] == UInt8(ascii: ":"),
      bytes.count == 2 || bytes[2] == ASCII.slash || bytes[2] == ASCII.backslash
    {
      return Finding(
        .absolutePath, "\(shown) is an absolute Windows path", at: written.location,
        notes: [advice])
    }
    if bytes.first == UInt8(ascii: "~"), bytes.count == 1 || bytes[1] == ASCII.slash {
      return Finding(
        .missingFile, "'~' is not expanded in \(shown)", at: written.location, notes: [advice])
    }
    return nil
  }
}

/// Hints for a path that doesn't exist.
private func hints(forMissing path: String) -> [Note] {
  var notes: [Note] = []
  if path.utf8.contains(ASCII.backslash) {
    let slashed = path.utf8.map { $0 == ASCII.backslash ? ASCII.slash : $0 }
    notes.append(
      Note("use '/' between folders, on every system: '\(printable(slashed))'"))
  }
  if containsWildcard(path) {
    notes.append(Note("'*' and '?' are literal here; use 'filePattern' for patterns"))
  }
  return notes
}

private func containsWildcard(_ path: String) -> Bool {
  path.utf8.contains { "*?".utf8.contains($0) }
}

/// Hints for a pattern that matches nothing.
private func hints(forUnmatched pattern: String) -> [Note] {
  var notes: [Note] = []
  if pattern.utf8.contains(ASCII.backslash) {
    notes.append(
      Note("a backslash makes the next character literal; use '/' between folders"))
  }
  if let opening = pattern.utf8.firstIndex(of: UInt8(ascii: "{")),
    pattern.utf8[opening...].contains(UInt8(ascii: "}"))
  {
    notes.append(Note("'{' and '}' are literal; write one selector for each alternative"))
  }
  return notes
}

/// Finds what a pattern or an exclusion would match if case were ignored.
private struct CaseSearch {
  /// How many more names are examined for all selectors together, to limit the time.
  private var namesLeft = 50_000

  /// A note with the first file of `tree` that `pattern` matches in another case. Links are not
  /// followed.
  mutating func note(
    on pattern: FileSelector, in tree: borrowing SourceTree
  ) -> [Note] {
    guard let glob = try? Glob(folded(pattern.path)) else { return [] }
    return note(search(.root, glob.start, glob, tree))
  }

  /// A note with the first of `files` that `exclusion` matches in another case.
  mutating func note(on exclusion: FileSelector, among files: [SelectedFile]) -> [Note] {
    guard namesLeft > 0 else { return [] }
    let path = folded(exclusion.path)
    let glob = exclusion.glob == nil ? nil : try? Glob(path)
    let looked = files.prefix(namesLeft)
    namesLeft -= looked.count
    let found = looked.first { file in
      let source = folded(file.source)
      return source.isInside(path) || glob?.matches(source) ?? false
    }
    return note(found?.source)
  }

  private func note(_ found: RelativePath?) -> [Note] {
    found.map { [Note("'\($0)' matches if case is ignored, but case matters")] } ?? []
  }

  private mutating func search(
    _ folder: RelativePath, _ progress: Glob.Progress, _ glob: Glob, _ tree: borrowing SourceTree
  ) -> RelativePath? {
    let listed = try? tree.children(of: folder) { name in
      namesLeft -= 1
      guard namesLeft > 0 else { return false }
      let next = glob.advance(progress, by: folded(name)[...])
      return glob.isComplete(next) || glob.mayMatchBelow(next)
    }
    for child in listed?.1 ?? [] {
      let next = glob.advance(progress, by: folded(child.name)[...])
      let path = folder.appending(child.name)
      switch child.status.kind {
      case .file where glob.isComplete(next):
        return path
      case .directory where glob.mayMatchBelow(next):
        if let found = search(path, next, glob, tree) { return found }
      default:
        continue
      }
    }
    return nil
  }

  private func folded(_ path: RelativePath) -> RelativePath {
    RelativePath(unchecked: folded(path.bytes))
  }

  private func folded(_ name: [UInt8]) -> [UInt8] { Array(caseFolded(name).utf8) }
}

/// Finds the paths that missing ones are most likely typos of.
///
/// Each folder is listed once, and the search ends after a million names: in large folders
/// comparing them would take longer than packaging.
private struct SuggestionSearch {
  private var folders = ExactNameCache()
  private var namesLeft = 1_000_000
  /// How many more missing paths get a suggestion.
  private var suggestionsLeft = 100

  /// The path that `missing` is most likely a typo of: each missing component is replaced by one
  /// that differs only in case or Unicode normalization, or else by the nearest.
  mutating func suggestion(
    for missing: RelativePath, in tree: borrowing SourceTree
  ) -> (path: RelativePath, difference: String)? {
    guard suggestionsLeft > 0 else { return nil }
    suggestionsLeft -= 1
    var path = RelativePath.root
    var isSameLetters = true
    for component in missing.components {
      guard namesLeft > 0, let existing = try? folders.list(path, tree) else { return nil }
      let wanted = Array(component)
      if existing.contains(wanted) {
        path = path.appending(wanted)
        continue
      }
      namesLeft -= existing.count
      let names = existing.compactMap { String(validating: $0, as: UTF8.self) }.sorted()
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
    guard isSameLetters else { return (path, "") }
    let written = String(decoding: missing.bytes, as: UTF8.self)
    let isSameCase = written == String(decoding: path.bytes, as: UTF8.self)
    return (
      path,
      isSameCase ? ", which differs only in Unicode normalization" : ", which differs in case"
    )
  }
}
