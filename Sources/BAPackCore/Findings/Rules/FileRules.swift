extension Rule.Area {
  package static let files = Rule.Area("Files")
}

extension Rule {
  package static let fileRules: [Rule] = [
    .missingRoot, .missingFile, .notAFile, .notADirectory, .danglingLink, .linkLoop,
    .linkOutsideRoot, .outputSelected, .repeatedFolder, .specialFile, .unreadableFile,
    .nameNotUTF8, .destinationClash, .pathTooLong, .nothingMatched, .unusedExclusion, .emptyPack,
  ]

  package static let missingRoot = Rule(
    "missing-root", .error, .files, "The source root is not a folder",
    reason: """
      Selectors start from the source root: `--root`, else `sourceRoot`, which is relative to the \
      manifest's own folder, else the working directory.
      """,
    remedy: "Correct `sourceRoot`, or name another folder with `--root`.",
    example: """
      "sourceRoot": "../Asests"
      """)

  package static let missingFile = Rule(
    "missing-file", .error, .files, "A selector names nothing that exists",
    reason: """
      The path is looked up below the source root, byte by byte: a name that differs in upper and \
      lower case, or in the way an accent is encoded, is another name on Linux and on devices, even \
      where a Mac finds it.
      """,
    remedy: """
      Correct the path. If it is right, the source root is not: the message says which one was used \
      and where it comes from.
      """,
    example: """
      "fileSelectors": [{ "file": "credits.txt" }]
      """)

  package static let notAFile = Rule(
    "not-a-file", .error, .files, "A selector for a file names a folder",
    reason: "`file`, and `fileSource`, take one file. A folder's files come with `directory`.",
    remedy: "Use `directory` (or `directorySource` and `directoryDestination`).",
    example: """
      "fileSelectors": [{ "file": "Textures" }]
      """)

  package static let notADirectory = Rule(
    "not-a-directory", .error, .files, "A selector for a folder names a file",
    reason: "`directory`, and `directorySource`, take a folder and all that is below it.",
    remedy: "Use `file` (or `fileSource` and `fileDestination`).",
    example: """
      "fileSelectors": [{ "directory": "Credits.txt" }]
      """)

  package static let danglingLink = Rule(
    "dangling-link", .error, .files, "A symbolic link leads to nothing",
    reason: """
      Packs hold no links: what a link leads to is packaged under the link's own path. This one's \
      target does not exist.
      """,
    remedy: "Restore the target, correct the link, or leave it out with `fileExclusion`.")

  package static let linkLoop = Rule(
    "link-loop", .error, .files, "A symbolic link leads back to itself",
    reason: """
      What a link leads to is packaged under the link's own path. A link to itself, or to a folder \
      that it lies in, would never end.
      """,
    remedy: "Correct the link, or leave it out with `fileExclusion`.")

  package static let linkOutsideRoot = Rule(
    "link-outside-root", .error, .files, "A symbolic link leads out of the source root",
    reason: """
      Nothing outside the source root gets into a pack: the link's target may be missing or different \
      on another machine, and it may be private.
      """,
    remedy: """
      Copy the target into the repository, set the source root to a folder above both, or leave the \
      link out with `fileExclusion`.
      """)

  package static let outputSelected = Rule(
    "output-selected", .error, .files, "A selector names the file that the pack is written to",
    reason: """
      The pack would contain the one made before it, which contains the one before that: every run \
      would make another pack of the same files. A link to the output counts as the output. Folders \
      and patterns leave it out.
      """,
    remedy: "Remove the selector, or write the pack to another path.")

  package static let repeatedFolder = Rule(
    "repeated-folder", .error, .files, "Links lead to a folder again and again",
    reason: """
      What a link leads to is packaged under the link's own path, once for each path. A selector may \
      come to one folder by 1,000 paths. More are nearly always folders of links that lead to folders \
      of links: their number doubles at each step, and the walk would not end.
      """,
    remedy: "Leave links out with `fileExclusion`, or replace them by what they lead to.")

  package static let specialFile = Rule(
    "special-file", .error, .files, "A socket, a pipe or a device",
    reason: "Packs hold files and folders. Reading anything else could wait for ever.",
    remedy: "Remove it, or leave it out with `fileExclusion`.")

  package static let unreadableFile = Rule(
    "unreadable-file", .error, .files, "A file or a folder cannot be read",
    reason: "The system refuses to open it; the message has its words. The pack would lack it.",
    remedy: "Give yourself the right to read it, or leave it out with `fileExclusion`.")

  package static let nameNotUTF8 = Rule(
    "name-not-utf8", .error, .files, "A name is not UTF-8",
    reason: """
      Apple's file systems store names in UTF-8 only; a device could not write this one. Such names \
      come from archives made on older systems.
      """,
    remedy: "Rename it (`convmv -f latin1 -t utf8`), or leave it out with `fileExclusion`.")

  package static let destinationClash = Rule(
    "destination-clash", .error, .files, "Two files for one path in the pack",
    reason: """
      Two selectors put different files at the same path, or a file where another needs a folder. \
      Which one should win cannot be told. The same file selected twice is no clash.
      """,
    remedy: "Change one of the destinations, or take one of the files out with `fileExclusion`.",
    example: """
      "fileSelectors": [
        { "file": "Textures/a.png" },
        { "fileSource": "build/a.png", "fileDestination": "Textures/a.png" }
      ]
      """)

  package static let pathTooLong = Rule(
    "path-too-long", .error, .files, "A path is longer than devices take",
    reason: """
      Apple's systems take paths of at most 1,023 bytes (`PATH_MAX` less the terminator), and names of \
      at most 255 bytes (`NAME_MAX`). The pack's own folder on the device comes on top.
      """,
    remedy: "Shorten the names, or move the file up with a destination.")

  package static let nothingMatched = Rule(
    "nothing-matched", .error, .files, "A selector matches nothing",
    reason: """
      A pattern without a match, or an empty folder, is nearly always a slip or an asset that was not \
      built. `*` stops at `/`, case counts, and a leading dot must be written.
      """,
    remedy: "Correct the pattern (`**/` crosses folders), or remove the selector.",
    example: """
      "fileSelectors": [{ "filePattern": "Audio/*.wva" }]
      """)

  package static let unusedExclusion = Rule(
    "unused-exclusion", .warning, .files, "An exclusion takes nothing out",
    reason: """
      No other selector matched what this one excludes. A slip in it would ship the file that it was \
      meant to keep out.
      """,
    remedy: """
      Correct the path or the pattern, which start from the source root, or remove the exclusion.
      """,
    example: """
      "fileSelectors": [
        { "directory": "Textures" },
        { "fileExclusion": "Texture/draft.png" }
      ]
      """)

  package static let emptyPack = Rule(
    "empty-pack", .error, .files, "The pack would hold no files",
    reason: """
      Apple's tool makes such a pack without complaint; the app then fails when it looks for its \
      files.
      """,
    remedy: "Add a selector that matches files, or take exclusions back.",
    example: """
      "fileSelectors": [
        { "file": "Credits.txt" },
        { "fileExclusion": "*.txt" }
      ]
      """)
}
