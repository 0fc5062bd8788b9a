extension Rule {
  /// The source root is not a folder.
  public static let missingRoot = Rule(
    "missing-root", .error, .files, "The source root is not a folder")
  /// A selected file or folder does not exist.
  public static let missingFile = Rule(
    "missing-file", .error, .files, "A selected file or folder does not exist")
  /// A selector for a file names a folder.
  public static let notAFile = Rule(
    "not-a-file", .error, .files, "A selector for a file names a folder")
  /// A selector for a folder names a file.
  public static let notADirectory = Rule(
    "not-a-directory", .error, .files, "A selector for a folder names a file")
  /// A dangling symbolic link.
  public static let danglingLink = Rule(
    "dangling-link", .error, .files, "A dangling symbolic link")
  /// A loop of symbolic links.
  public static let linkLoop = Rule("link-loop", .error, .files, "A loop of symbolic links")
  /// A symbolic link points outside the source root.
  public static let linkOutsideRoot = Rule(
    "link-outside-root", .error, .files, "A symbolic link points outside the source root")
  /// A selector names the file that the pack is written to.
  public static let outputSelected = Rule(
    "output-selected", .error, .files, "A selector names the file that the pack is written to")
  /// A folder is reached by too many links.
  public static let repeatedFolder = Rule(
    "repeated-folder", .error, .files, "A folder is reached by too many links")
  /// A socket, a pipe or a device.
  public static let specialFile = Rule(
    "special-file", .error, .files, "A socket, a pipe or a device")
  /// A file or folder can't be read.
  public static let unreadableFile = Rule(
    "unreadable-file", .error, .files, "A file or folder can't be read")
  /// A name is not UTF-8.
  public static let nameNotUTF8 = Rule("name-not-utf8", .error, .files, "A name is not UTF-8")
  /// Two files with the same path in the pack.
  public static let destinationClash = Rule(
    "destination-clash", .error, .files, "Two files with the same path in the pack")
  /// A path is too long for devices.
  public static let pathTooLong = Rule(
    "path-too-long", .error, .files, "A path is too long for devices")
  /// A pack has more files than readers accept.
  public static let tooManyEntries = Rule(
    "too-many-entries", .warning, .files, "A pack has more files than readers accept",
    adjustment: .all)
  /// A selector matches nothing.
  public static let nothingMatched = Rule(
    "nothing-matched", .error, .files, "A selector matches nothing", adjustment: .all)
  /// An exclusion excludes nothing.
  public static let unusedExclusion = Rule(
    "unused-exclusion", .warning, .files, "An exclusion excludes nothing")
  /// The pack would be empty.
  public static let emptyPack = Rule(
    "empty-pack", .error, .files, "The pack would be empty", adjustment: .all)
  /// A file is empty.
  public static let emptyFile = Rule("empty-file", .warning, .files, "A file is empty")
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
