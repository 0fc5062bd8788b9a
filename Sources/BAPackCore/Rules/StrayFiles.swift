extension Rule {
  /// A file left behind by the system or a tool.
  public static let strayFile = Rule(
    "stray-file", .warning, .store, "A file left behind by the system or a tool")
}

extension FileRule {
  /// Files that systems and tools leave behind, and that should not be shipped.
  static var stray: FileRule {
    FileRule(
      rule: .strayFile, allowsNamed: true,
      reason: { file in
        StrayFiles.part(of: file.source).map { "\($0.isFolder ? "below" : "named") '\($0.name)'" }
      },
      message: { part, files in
        named(files[0].source, of: files.count) + (files.count > 1 ? " \(part)" : "")
          + " would be packaged; \(files.count > 1 ? "they are" : "it is") not part of a game"
      },
      notes: { _, files in
        let exclusions = files.compactMap { StrayFiles.part(of: $0.source)?.exclusion }.unique()
        let rest = exclusions.count - 5
        return exclusions.prefix(5).map { Note("exclude it with { \"fileExclusion\": \"\($0)\" }") }
          + (rest > 0
            ? [Note("\(counted(rest, "more folder")) to exclude in the same way")] : [])
      })
  }
}

/// The names of files that systems and tools leave behind.
enum StrayFiles {
  /// The exclusion for the file or folder at `path` and similar ones if its own name is stray; nil
  /// otherwise.
  static func exclusion(of path: RelativePath, isFolder: Bool) -> RelativePath? {
    guard let name = strayName(path.name) ?? (isFolder ? nil : outputPattern(path.name)) else {
      return nil
    }
    return isFolder ? path : exclusion(of: path, name)
  }

  /// A stray file, or one below a stray folder.
  struct Part {
    /// The name of the file or folder, or a pattern for several names.
    let name: String
    let isFolder: Bool
    let exclusion: RelativePath
  }

  /// The first component of `path` that is stray; nil if there is none.
  static func part(of path: RelativePath) -> Part? {
    // Not `components`: that would allocate an array for each of very many files.
    var start = 0
    while start < path.bytes.endIndex {
      let rest = path.bytes[start...]
      let component = rest[..<(rest.firstIndex(of: ASCII.slash) ?? rest.endIndex)]
      start = component.endIndex + 1
      let isLast = component.endIndex == path.bytes.endIndex
      guard let name = strayName(component) ?? (isLast ? outputPattern(component) : nil) else {
        continue
      }
      let stray = RelativePath(unchecked: Array(path.bytes[..<component.endIndex]))
      return Part(
        name: printable(name), isFolder: !isLast,
        exclusion: isLast ? exclusion(of: stray, name) : stray)
    }
    return nil
  }

  /// The pattern for output of this tool: packs, and unfinished files of a killed run
  /// (``AtomicOutput``); and for what DVC and iCloud leave in place of a file.
  private static func outputPattern(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    if name.first == ASCII.dot {
      return [".tmp", ".icloud"].first(where: name.hasSuffix).map { Array(".*\($0)".utf8)[...] }
    }
    let ending = [".aar", ".aar.record", ".dvc"].first {
      name.count > $0.count && name.hasSuffix($0)
    }
    return ending.map { Array("*\($0)".utf8)[...] }
  }

  /// `name` itself if it is stray, or the pattern that it matches.
  private static func strayName(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    // macOS creates one for each file on a volume without extended attributes.
    if name.starts(with: "._".utf8) { return Array("._*".utf8)[...] }
    // The first byte rules out most names.
    guard let first = name.first, ".Tden_".utf8.contains(first) else { return nil }
    return names.contains { name.elementsEqual($0.utf8) } ? name : nil
  }

  private static let names = [
    ".DS_Store", ".git", ".svn", ".hg", ".Spotlight-V100", ".Trashes", ".fseventsd",
    ".AppleDouble", ".TemporaryItems", ".vscode", ".idea", "Thumbs.db", "desktop.ini",
    "ehthumbs.db", "__MACOSX", "node_modules",
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
}

extension ArraySlice<UInt8> {
  fileprivate func hasSuffix(_ letters: String) -> Bool {
    count >= letters.utf8.count && suffix(letters.utf8.count).elementsEqual(letters.utf8)
  }
}

extension RelativePath {
  /// A pattern that matches only this path.
  var escaped: RelativePath {
    let bytes = bytes.flatMap { Glob.isPattern([$0]) ? [ASCII.backslash, $0] : [$0] }
    return RelativePath(unchecked: bytes)
  }
}
