extension Rule.Area {
  package static let selectors = Rule.Area("Selectors")
}

extension Rule {
  package static let selectorRules: [Rule] = [
    .unknownSelector, .conflictingSelector, .incompleteSelector, .emptyPath, .absolutePath,
    .parentPath, .invalidPath, .invalidPattern, .folderAsTop,
  ]

  package static let unknownSelector = Rule(
    "unknown-selector", .error, .selectors, "A selector that says nothing",
    reason: """
      Each object in `fileSelectors` holds `file`, `directory`, `filePattern` or `fileExclusion`, or \
      one of the pairs `fileSource` with `fileDestination` and `directorySource` with \
      `directoryDestination`. Apple's tool stops on any other.
      """,
    remedy: "Write one of the keys, or remove the object.",
    example: """
      "fileSelectors": [{ "folder": "Textures" }]
      """)

  package static let conflictingSelector = Rule(
    "conflicting-selector", .error, .selectors, "A selector of two kinds at once",
    reason: "A selector selects in one way. Which of its keys should count cannot be told.",
    remedy: "Make two selectors of it, each in its own braces.",
    example: """
      "fileSelectors": [{ "file": "Credits.txt", "directory": "Textures" }]
      """)

  package static let incompleteSelector = Rule(
    "incomplete-selector", .error, .selectors, "A source without its destination, or the reverse",
    reason: """
      `fileSource` and `fileDestination` belong together, and so do `directorySource` and \
      `directoryDestination`: the one is where the files are, the other is where the app finds them.
      """,
    remedy: """
      Add the other key. Files that keep their path need one key only: `file` or `directory`.
      """,
    example: """
      "fileSelectors": [{ "fileSource": "build/a.png" }]
      """)

  package static let emptyPath = Rule(
    "empty-path", .error, .selectors, "A path is empty",
    reason: "An empty path names no file. It is what a template looks like that was not filled in.",
    remedy: "Write a path. The source root itself is `\".\"`.",
    example: """
      "fileSelectors": [{ "directory": "" }]
      """)

  package static let absolutePath = Rule(
    "absolute-path", .error, .selectors, "A path begins at the top of the file system",
    reason: """
      A path in a manifest is also the path inside the pack, and it has to mean the same on every \
      machine. It starts from the source root: `--root`, else the manifest's `sourceRoot`, else the \
      working directory.
      """,
    remedy: """
      Write the path from the source root on. To package files from elsewhere, set `sourceRoot` or \
      `--root` to a folder above them.
      """,
    example: """
      "fileSelectors": [{ "file": "/Users/me/Game/Credits.txt" }]
      """)

  package static let parentPath = Rule(
    "parent-path", .error, .selectors, "A path leads upwards with '..'",
    reason: """
      Nothing outside the source root gets into a pack, and no file inside a pack lies above its top. \
      `sourceRoot` alone may hold `..`.
      """,
    remedy: "Move the source root up (`sourceRoot` or `--root`), and write paths from there.",
    example: """
      "fileSelectors": [{ "directory": "../Shared/Textures" }]
      """)

  package static let invalidPath = Rule(
    "invalid-path", .error, .selectors, "A path that cannot name a file in a pack",
    reason: """
      No file system can store a NUL character in a name, and `fileDestination` is the path of the \
      file itself, not of a folder for it. Other control characters are a warning: \
      they come from a path written with backslashes, where `\\t` is a tab and `\\n` a line break.
      """,
    remedy: "Separate folders by slashes, on every system.",
    example: """
      "fileSelectors": [{ "file": "Textures\\title.png" }]
      """)

  package static let invalidPattern = Rule(
    "invalid-pattern", .error, .selectors, "A pattern that cannot be read",
    reason: """
      In a pattern `*` stands for any bytes but `/`, `?` for one, `[a-z]` and `[!a-z]` for one byte of \
      a set or outside it, `**` as a whole part of the path for any folders, and a backslash takes the \
      next byte for itself. Letters beyond ASCII have two bytes or more: `??` matches `é`. A set must \
      be closed, and its ranges must run upwards.
      """,
    remedy: """
      Close the bracket, or write `[[]` for a bracket itself. A name that is to be taken literally \
      needs `file` and no pattern.
      """,
    example: """
      "fileSelectors": [{ "filePattern": "Audio/[a-z.wav" }]
      """)

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
    example: """
      "fileSelectors": [{ "directory": "." }]
      """)
}
