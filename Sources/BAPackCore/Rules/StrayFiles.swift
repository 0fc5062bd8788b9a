/// Files that systems and tools leave behind, and that should not be shipped.
enum StrayFiles {
  /// The files of a selector with the same stray name, their own or that of a folder.
  private struct Group {
    let key: Key
    let first: RelativePath
    var count = 0
    /// The exclusions for them, in the order found.
    var exclusions: [RelativePath] = []
    var known: Set<RelativePath> = []
  }

  private struct Key: Hashable {
    let selector: Int
    /// The name, or a pattern for several names.
    let name: ArraySlice<UInt8>
    let isFolder: Bool
  }

  /// A finding for each selector and name, with the first file.
  static func findings(
    _ files: [SelectedFile], _ manifest: Manifest, _ scope: RuleSettings.Scope
  ) -> [Finding] {
    var groups: [Group] = []
    var known: [Key: Int] = [:]
    for file in files {
      guard let (path, name) = strayPart(of: file.source), !isNamed(file, manifest),
        !scope.isOff(.strayFile, about: file.source)
      else { continue }
      let isFolder = path.bytes.count < file.source.bytes.count
      let key = Key(selector: file.selector, name: name, isFolder: isFolder)
      let index = known[key] ?? groups.count
      if index == groups.count {
        known[key] = index
        groups.append(Group(key: key, first: file.source))
      }
      let exclusion = isFolder ? path : exclusion(of: path, name)
      groups[index].count += 1
      if groups[index].known.insert(exclusion).inserted {
        groups[index].exclusions.append(exclusion)
      }
    }
    return groups.map { finding($0, manifest) }
  }

  /// The exclusion for the file or folder at `path` and similar ones if its own name is stray; nil
  /// otherwise.
  static func exclusion(of path: RelativePath, isFolder: Bool) -> RelativePath? {
    guard let name = strayName(path.name) ?? (isFolder ? nil : outputPattern(path.name)) else {
      return nil
    }
    return isFolder ? path : exclusion(of: path, name)
  }

  /// The first component of `path` that is stray, and the name that it matches; nil if there is
  /// none.
  private static func strayPart(
    of path: RelativePath
  ) -> (path: RelativePath, name: ArraySlice<UInt8>)? {
    for component in path.components {
      let isLast = component.endIndex == path.bytes.endIndex
      guard let name = strayName(component) ?? (isLast ? outputPattern(component) : nil) else {
        continue
      }
      return (RelativePath(unchecked: Array(path.bytes[..<component.endIndex])), name)
    }
    return nil
  }

  /// The pattern for output of this tool: packs, and unfinished files of a killed run
  /// (``AtomicOutput``).
  private static func outputPattern(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    if name.first == ASCII.dot {
      return name.hasSuffix(".tmp") ? Array(".*.tmp".utf8)[...] : nil
    }
    for ending in [".aar", ".aar.record"] where name.count > ending.count && name.hasSuffix(ending)
    {
      return Array("*\(ending)".utf8)[...]
    }
    return nil
  }

  /// `name` itself if it is stray, or the pattern that it matches.
  private static func strayName(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    switch name.first {
    case ASCII.dot:
      // macOS creates one for each file on a volume without extended attributes.
      if name.starts(with: "._".utf8) { return Array("._*".utf8)[...] }
      return hiddenNames.contains { name.elementsEqual($0.utf8) } ? name : nil
    case UInt8(ascii: "T"), UInt8(ascii: "d"), UInt8(ascii: "e"), UInt8(ascii: "n"),
      UInt8(ascii: "_"):
      return plainNames.contains { name.elementsEqual($0.utf8) } ? name : nil
    default:
      return nil
    }
  }

  private static let hiddenNames: [String] = [
    ".DS_Store", ".git", ".svn", ".hg", ".Spotlight-V100", ".Trashes", ".fseventsd",
    ".AppleDouble", ".TemporaryItems", ".vscode", ".idea",
  ]
  private static let plainNames: [String] = [
    "Thumbs.db", "desktop.ini", "ehthumbs.db", "__MACOSX", "node_modules",
  ]

  /// The exclusion for the file at `path` and similar ones. `**` doesn't match folders with a
  /// leading dot, so they need a separate exclusion.
  private static func exclusion(
    of path: RelativePath, _ name: ArraySlice<UInt8>
  ) -> RelativePath {
    let isBelowHidden = path.components.dropLast().contains { $0.first == ASCII.dot }
    guard isBelowHidden, let folder = path.parent else {
      return RelativePath(unchecked: Array("**/".utf8) + name)
    }
    // The folder is literal, although the name may be a pattern.
    return Glob.isPattern(name) ? folder.escaped.appending(name) : folder.appending(name)
  }

  private static func finding(_ group: Group, _ manifest: Manifest) -> Finding {
    let name = printable(group.key.name)
    let like = group.key.isFolder ? "below '\(name)'" : "named '\(name)'"
    let more = group.count > 1 ? " and \(counted(group.count - 1, "more file")) \(like)" : ""
    let shown = group.exclusions.prefix(5)
    var notes = shown.map { Note("exclude it with { \"fileExclusion\": \"\($0)\" }") }
    let rest = group.exclusions.count - shown.count
    if rest > 0 { notes.append(Note("\(counted(rest, "more folder")) to exclude in the same way")) }
    return Finding(
      .strayFile,
      "'\(group.first)'\(more) would be packaged; \(group.count > 1 ? "they are" : "it is") not part of a game",
      at: manifest.selectors[group.key.selector].location, notes: notes, file: group.first)
  }

  /// Whether a selector names exactly this file, which is then intended.
  private static func isNamed(_ file: SelectedFile, _ manifest: Manifest) -> Bool {
    switch manifest.selectors[file.selector].kind {
    case .file, .fileMapping: true
    default: false
    }
  }
}

extension ArraySlice<UInt8> {
  fileprivate func hasSuffix(_ letters: String) -> Bool {
    count >= letters.utf8.count && suffix(letters.utf8.count).elementsEqual(letters.utf8)
  }
}

extension RelativePath {
  /// A pattern that matches only this path.
  fileprivate var escaped: RelativePath {
    let bytes = bytes.flatMap { Glob.isPattern([$0]) ? [ASCII.backslash, $0] : [$0] }
    return RelativePath(unchecked: bytes)
  }
}
