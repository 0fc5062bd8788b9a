extension FileSelector {
  /// A finding if a path that doesn't exist is a URL or a path of another system; otherwise nil.
  static func foreignPath(_ written: Located<String>) -> Finding? {
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
func hints(forMissing path: String) -> [Note] {
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

func containsWildcard(_ path: String) -> Bool { path.utf8.contains { "*?".utf8.contains($0) } }

/// Hints for a pattern that matches nothing.
func hints(forUnmatched pattern: String) -> [Note] {
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
struct CaseSearch {
  /// How many more names are examined for all selectors together, to limit the time.
  private var namesLeft = 50_000

  /// A note with the first file of `tree` that `pattern` matches in another case. Links are not
  /// followed.
  mutating func note(
    on pattern: Located<String>, in tree: borrowing SourceTree
  ) -> [Note] {
    guard let path = try? RelativePath.selector(pattern), let glob = try? Glob(folded(path))
    else { return [] }
    return note(search(.root, glob.start, glob, tree))
  }

  /// A note with the first of `files` that `exclusion` matches in another case.
  mutating func note(on exclusion: Located<String>, among files: [SelectedFile]) -> [Note] {
    guard namesLeft > 0, let path = try? RelativePath.selector(exclusion) else { return [] }
    let place = folded(path)
    let glob = Glob.isPattern(path.bytes) ? try? Glob(place) : nil
    let looked = files.prefix(namesLeft)
    namesLeft -= looked.count
    let found = looked.first { file in
      let source = folded(file.source)
      return source.isInside(place) || glob?.matches(source) ?? false
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
