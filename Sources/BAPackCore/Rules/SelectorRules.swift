extension Rule {
  package static let unknownSelector = Rule(
    "unknown-selector", .error, .selectors, "A selector without a selector key",
    reason: """
      Each object in `fileSelectors` contains `file`, `directory`, `filePattern` or `fileExclusion`, \
      or one of the pairs `fileSource` with `fileDestination` and `directorySource` with \
      `directoryDestination`. Apple's tool fails on any other.
      """,
    remedy: "Add one of these keys, or remove the object.",
    example: #""fileSelectors": [{ "folder": "Textures" }]"#)

  package static let conflictingSelector = Rule(
    "conflicting-selector", .error, .selectors, "A selector with keys of two kinds",
    reason: "A selector has one kind. It is unclear which key should apply.",
    remedy: "Split it into two selectors, each in its own braces.",
    example: #""fileSelectors": [{ "file": "Credits.txt", "directory": "Textures" }]"#)

  package static let incompleteSelector = Rule(
    "incomplete-selector", .error, .selectors, "A source without a destination, or the reverse",
    reason: """
      `fileSource` needs `fileDestination`, and `directorySource` needs `directoryDestination`: one \
      is where the files are, the other is where the app finds them.
      """,
    remedy: "Add the missing key, or use `file` or `directory` alone if the files keep their path.",
    example: #""fileSelectors": [{ "fileSource": "build/a.png" }]"#)

  package static let emptyPath = Rule(
    "empty-path", .error, .selectors, "A path is empty",
    reason: "An empty path names no file.",
    remedy: "Write a path. For the source root itself, write `\".\"`.",
    example: #""fileSelectors": [{ "directory": "" }]"#)

  package static let absolutePath = Rule(
    "absolute-path", .error, .selectors, "An absolute path",
    adjustment: .warnings,
    reason: """
      A path in a manifest is also the path in the pack, and must mean the same on every machine. It \
      is relative to the source root: the manifest's `sourceRoot`, or the working directory if there \
      is none, unless the command names another folder.
      """,
    remedy: """
      Write the path relative to the source root. To package files from elsewhere, set `sourceRoot` \
      to a folder above them.
      """,
    example: #""fileSelectors": [{ "file": "/Users/me/Game/Credits.txt" }]"#)

  package static let parentPath = Rule(
    "parent-path", .error, .selectors, "A path with '..'",
    reason: """
      Files outside the source root can't be packaged, and no file can be outside its pack. Only \
      `sourceRoot` may contain `..`.
      """,
    remedy: "Set `sourceRoot` to a folder above, and write paths relative to it.",
    example: #""fileSelectors": [{ "directory": "../Shared/Textures" }]"#)

  package static let invalidPath = Rule(
    "invalid-path", .error, .selectors, "A path that can't name a file in a pack",
    adjustment: .warnings,
    reason: """
      File names can't contain NUL, and `fileDestination` is the path of the file itself, not of a \
      folder for it. Other control characters are a warning: they usually come from a path written \
      with backslashes, where `\\t` is a tab and `\\n` a line break.
      """,
    remedy: "Use `/` between folders, on every system.",
    example: """
      "fileSelectors": [{ "file": "Textures\\title.png" }]
      """)

  package static let invalidPattern = Rule(
    "invalid-pattern", .error, .selectors, "An invalid pattern",
    reason: """
      In a pattern, `*` matches any bytes except `/`, `?` matches one byte, `[a-z]` and `[!a-z]` match \
      one byte in or not in a set, `**` as a whole path component matches any number of folders, and \
      a backslash makes the next byte literal. Characters outside ASCII have two bytes or more: `??` \
      matches `é`. A set must be closed, and its ranges must be ascending.
      """,
    remedy: """
      Close the bracket, or write `[[]` for a literal bracket. To select a file by its literal name, \
      use `file`.
      """,
    example: #""fileSelectors": [{ "filePattern": "Audio/[a-z.wav" }]"#)

  package static let folderAsTop = Rule(
    "folder-as-top", .warning, .selectors, "A whole folder becomes the top of the pack",
    reason: """
      This program packages `"directory": "."` and `"directoryDestination": "."`. Apple's tool, \
      version 1.2, fails on the first with "an item with the same name already exists"; what it makes \
      of the second is not known.
      """,
    remedy: """
      If the manifest is also meant for Apple's tool, name the files and folders at the top one by \
      one. Otherwise the warning can be ignored.
      """,
    example: #""fileSelectors": [{ "directory": "." }]"#)
}

extension Manifest {
  /// The selectors that map a whole folder to the top of the pack, which Apple's tool can't do.
  var foldersAsTop: [Finding] {
    selectors.compactMap { selector in
      guard selector.kind == .directory, selector.packPath == .root,
        let (key, path) = selector.fields.last
      else { return nil }
      return Finding(
        .folderAsTop,
        "Apple's tool \(key == "directory" ? "fails" : "may fail") on '\(key)' "
          + "'\(printable(path.value.utf8))'", at: path.location,
        notes: [Note("name the files and folders at the top one by one")])
    }
  }
}
