extension Rule.Area {
  package static let contents = Rule.Area("Contents of files")
}

extension Rule {
  package static let contentRules: [Rule] = [
    .conflictMarkers, .convertedLineEndings, .sourceArt, .duplicateFiles, .untrackedFile,
    .lostExecuteBit,
  ]

  package static let conflictMarkers = Rule(
    "conflict-markers", .warning, .contents, "A text file with conflict markers of a merge",
    reason: """
      The file has the lines `<<<<<<<`, `=======` and `>>>>>>>` with which Git marks a conflict. A \
      game can't read such a file. Files of up to 4 MB whose extensions are those of text formats are \
      searched.
      """,
    remedy: "Resolve the conflict, and make the pack again.")

  package static let convertedLineEndings = Rule(
    "converted-line-endings", .warning, .contents, "Line endings that Git converted",
    reason: """
      Lines end with CRLF in this file, and with LF in Git's index: `core.autocrlf`, which Git for \
      Windows sets, converts them when files are checked out. The pack differs from one that is made \
      on another system, and so do its digests. Files of up to 4 MB whose extensions are those of text \
      formats are looked at, unless an attribute asks for `eol=crlf`.
      """,
    remedy: """
      Write `* text=auto eol=lf` into `.gitattributes`, remove the files and check them out again, or \
      clone with `core.autocrlf` set to `input`.
      """)

  package static let sourceArt = Rule(
    "source-art", .warning, .contents, "Files of an editor or a game engine's project",
    reason: """
      Documents of editors such as `.psd`, `.xcf` and `.blend`, and import settings such as Unity's \
      `.meta` and Godot's `.import`, are what a game's assets are made from. Games don't read them, \
      and they are often many times larger.
      """,
    remedy: """
      Exclude them by pattern, as in `{ "fileExclusion": "**/*.psd" }`. If the game does read them, \
      name the files with `file` selectors, or turn the rule off.
      """)

  package static let duplicateFiles = Rule(
    "duplicate-files", .warning, .contents, "Files with the same contents",
    reason: """
      The same bytes are in a pack twice, or in two packs that a device can have at once; they are \
      downloaded and stored twice. Files below 4 kB are not compared. Packs for different platforms \
      are never on one device.
      """,
    remedy: """
      Keep one of the files, in a pack that is present whenever either is needed, and let the game read \
      that one.
      """)

  package static let untrackedFile = Rule(
    "untracked-file", .warning, .contents, "A file that Git does not track",
    reason: """
      The file is not in the index of the Git repository: it was never added, or `.gitignore` excludes \
      it. Another clone, or a build server, would make another pack or none. Nothing is checked \
      outside of Git repositories, or if `git` can't be run.
      """,
    remedy: """
      Add the file with `git add`. Turn the rule off for folders of generated files: `"rules": { \
      "untracked-file": { "build": "off" } }` in the project file.
      """)

  package static let lostExecuteBit = Rule(
    "lost-execute-bit", .warning, .contents, "A file that is executable in Git, but not here",
    reason: """
      A copy, an archive or a shared volume lost the bit, and the pack would have the file without it. \
      Where Git noticed that the file system keeps no such bits, as on Windows (`core.filemode` is \
      `false`), packs take them from Git's index.
      """,
    remedy: """
      Set the bit with `chmod +x`, or remove it from the index with `git update-index --chmod=-x`.
      """)
}
