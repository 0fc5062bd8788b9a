extension Rule {
  package static let missingRoot = Rule(
    "missing-root", .error, .files, "The source root is not a folder",
    reason: """
      Selectors are relative to the source root: the manifest's `sourceRoot`, which is relative to \
      the manifest's folder, or the working directory if there is none, unless the command names \
      another folder.
      """,
    remedy: "Correct `sourceRoot`, or run the command with another source root.",
    example: #""sourceRoot": "../Asests""#)

  package static let missingFile = Rule(
    "missing-file", .error, .files, "A selected file or folder does not exist",
    reason: """
      The path is looked up below the source root, byte by byte: on Linux and on devices, a name that \
      differs in case, or in how an accent is encoded, is a different name, even if a Mac finds it.
      """,
    remedy: """
      Correct the path. If it is right, the source root is wrong: the message says which one was \
      used and where it was set.
      """,
    example: #""fileSelectors": [{ "file": "credits.txt" }]"#)

  package static let notAFile = Rule(
    "not-a-file", .error, .files, "A selector for a file names a folder",
    reason: "`file` and `fileSource` select one file. To select a folder, use `directory`.",
    remedy: "Use `directory` (or `directorySource` and `directoryDestination`).",
    example: #""fileSelectors": [{ "file": "Textures" }]"#)

  package static let notADirectory = Rule(
    "not-a-directory", .error, .files, "A selector for a folder names a file",
    reason: "`directory` and `directorySource` select a folder with everything in it.",
    remedy: "Use `file` (or `fileSource` and `fileDestination`).",
    example: #""fileSelectors": [{ "directory": "Credits.txt" }]"#)

  package static let danglingLink = Rule(
    "dangling-link", .error, .files, "A dangling symbolic link",
    reason: """
      Packs contain no links: the target of a link is packaged at the link's path. This target does \
      not exist.
      """,
    remedy: "Restore the target, fix the link, or exclude it with `fileExclusion`.")

  package static let linkLoop = Rule(
    "link-loop", .error, .files, "A loop of symbolic links",
    reason: """
      The target of a link is packaged at the link's path. A link to itself, or to a folder that \
      contains it, would never end.
      """,
    remedy: "Fix the link, or exclude it with `fileExclusion`.")

  package static let linkOutsideRoot = Rule(
    "link-outside-root", .error, .files, "A symbolic link points outside the source root",
    reason: """
      Files outside the source root are not packaged: the link's target may be missing or different \
      on another machine, and it may be private.
      """,
    remedy: """
      Copy the target into the repository, set the source root to a folder above both, or exclude \
      the link with `fileExclusion`. In a build system that presents inputs as links, such as \
      Bazel, let links be followed wherever they lead.
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
    "repeated-folder", .error, .files, "A folder is reached by too many links",
    reason: """
      The target of a link is packaged at the link's path, once for each path. A selector may reach a \
      folder by at most 1,000 paths. More are nearly always folders of links to folders of links, \
      whose number doubles at each level.
      """,
    remedy: "Exclude links with `fileExclusion`, or replace them with their targets.")

  package static let specialFile = Rule(
    "special-file", .error, .files, "A socket, a pipe or a device",
    reason: "Packs contain files and folders only. Reading anything else could block forever.",
    remedy: "Remove it, or exclude it with `fileExclusion`.")

  package static let unreadableFile = Rule(
    "unreadable-file", .error, .files, "A file or folder can't be read",
    reason: "The system refuses to open it, for the reason in the message.",
    remedy: "Make it readable (`chmod u+r`), or exclude it with `fileExclusion`.")

  package static let nameNotUTF8 = Rule(
    "name-not-utf8", .error, .files, "A name is not UTF-8",
    reason: """
      Apple's file systems store names as UTF-8 only, so a device can't create this one. Such names \
      usually come from archives made on older systems.
      """,
    remedy: "Rename it (`convmv -f latin1 -t utf8`), or exclude it with `fileExclusion`.")

  package static let destinationClash = Rule(
    "destination-clash", .error, .files, "Two files with the same path in the pack",
    reason: """
      Two selectors map different files to the same path, or a file to a path where another needs a \
      folder. Selecting the same file twice is allowed.
      """,
    remedy: "Change one of the destinations, or exclude one of the files with `fileExclusion`.",
    example: """
      "fileSelectors": [
        { "file": "Textures/a.png" },
        { "fileSource": "build/a.png", "fileDestination": "Textures/a.png" }
      ]
      """)

  package static let pathTooLong = Rule(
    "path-too-long", .error, .files, "A path is too long for devices",
    reason: """
      On Apple's systems, a path can have at most 1,023 bytes (`PATH_MAX` without the terminator), \
      and a name at most 255 (`NAME_MAX`). The path of the folder on the device is added to that.
      """,
    remedy: "Shorten the names, or give the file a shorter destination.")

  package static let tooManyEntries = Rule(
    "too-many-entries", .warning, .files, "A pack has more files than readers accept",
    adjustment: .all,
    reason: """
      To protect against malicious archives, a reader of packs accepts 262,144 files and folders, with \
      67 MB of names, unless another limit is set. Larger packs are made, but each command that reads \
      them needs that limit.
      """,
    remedy: "Divide the pack, or put many small files into one.")

  package static let nothingMatched = Rule(
    "nothing-matched", .error, .files, "A selector matches nothing",
    adjustment: .all,
    reason: """
      A pattern without a match, or an empty folder, is nearly always a typo or an asset that was \
      not built. `*` does not match `/`, case matters, and a leading dot must be written.
      """,
    remedy: "Correct the pattern (`**/` matches any folders), or remove the selector.",
    example: #""fileSelectors": [{ "filePattern": "Audio/*.wva" }]"#)

  package static let unusedExclusion = Rule(
    "unused-exclusion", .warning, .files, "An exclusion excludes nothing",
    reason: """
      No other selector matches what this one excludes. If it contains a typo, the file that it \
      should exclude is shipped.
      """,
    remedy: """
      Correct the path or pattern, which is relative to the source root, or remove the exclusion.
      """,
    example: """
      "fileSelectors": [
        { "directory": "Textures" },
        { "fileExclusion": "Texture/draft.png" }
      ]
      """)

  package static let emptyPack = Rule(
    "empty-pack", .error, .files, "The pack would be empty",
    adjustment: .all,
    reason: """
      Apple's tool makes such a pack without a warning, and the app fails when it looks for its \
      files.
      """,
    remedy: "Add a selector that matches files, or remove exclusions.",
    example: """
      "fileSelectors": [
        { "file": "Credits.txt" },
        { "fileExclusion": "*.txt" }
      ]
      """)

  package static let emptyFile = Rule(
    "empty-file", .warning, .files, "A file is empty",
    reason: """
      Files of 0 bytes are mostly what a full disk, a failed export or an interrupted download left. \
      No picture, sound or JSON file is empty.
      """,
    remedy: """
      Make the file again, or leave it out with `fileExclusion`. If it is meant to be empty, the \
      warning can be ignored.
      """)
}

extension FileRule {
  /// Empty files, which are usually left by a failed tool or download.
  static var empty: FileRule {
    FileRule(rule: .emptyFile, reason: { $0.size == 0 ? "" : nil }) { "\(subject($1)) empty" }
  }
}

extension Selection {
  /// A finding if readers would refuse the pack with these files.
  func entryFindings(of manifest: Manifest) -> [Finding] {
    let limits = ReadingLimits()
    guard size <= Self.maximumSize else { return [] }
    let layout = ArchiveLayout(self, manifest: manifest, modified: .constant)
    guard layout.exceeds(limits) else { return [] }
    return [
      Finding(
        .tooManyEntries,
        "the pack has \(counted(layout.entries.count, "entry", "entries")), and readers accept "
          + "\(grouped(limits.entries)) with names of \(byteCount(UInt64(limits.memory))) by default",
        at: manifest.selectors[0].location)
    ]
  }
}

extension [Finding] {
  /// The findings, with only the first report of each file that could not be read.
  func withoutRepeatedReading() -> [Finding] {
    var seen: Set<String> = []
    return filter { $0.rule != .unreadableFile || seen.insert($0.message).inserted }
  }
}
