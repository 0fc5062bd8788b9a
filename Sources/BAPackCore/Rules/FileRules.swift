extension Rule {
  package static let missingRoot = Rule(
    "missing-root", .error, .files, "The source root is not a folder")
  package static let missingFile = Rule(
    "missing-file", .error, .files, "A selected file or folder does not exist")
  package static let notAFile = Rule(
    "not-a-file", .error, .files, "A selector for a file names a folder")
  package static let notADirectory = Rule(
    "not-a-directory", .error, .files, "A selector for a folder names a file")
  package static let danglingLink = Rule(
    "dangling-link", .error, .files, "A dangling symbolic link")
  package static let linkLoop = Rule("link-loop", .error, .files, "A loop of symbolic links")
  package static let linkOutsideRoot = Rule(
    "link-outside-root", .error, .files, "A symbolic link points outside the source root")
  package static let outputSelected = Rule(
    "output-selected", .error, .files, "A selector names the file that the pack is written to")
  package static let repeatedFolder = Rule(
    "repeated-folder", .error, .files, "A folder is reached by too many links")
  package static let specialFile = Rule(
    "special-file", .error, .files, "A socket, a pipe or a device")
  package static let unreadableFile = Rule(
    "unreadable-file", .error, .files, "A file or folder can't be read")
  package static let nameNotUTF8 = Rule("name-not-utf8", .error, .files, "A name is not UTF-8")
  package static let destinationClash = Rule(
    "destination-clash", .error, .files, "Two files with the same path in the pack")
  package static let pathTooLong = Rule(
    "path-too-long", .error, .files, "A path is too long for devices")
  package static let tooManyEntries = Rule(
    "too-many-entries", .warning, .files, "A pack has more files than readers accept",
    adjustment: .all)
  package static let nothingMatched = Rule(
    "nothing-matched", .error, .files, "A selector matches nothing", adjustment: .all)
  package static let unusedExclusion = Rule(
    "unused-exclusion", .warning, .files, "An exclusion excludes nothing")
  package static let emptyPack = Rule(
    "empty-pack", .error, .files, "The pack would be empty", adjustment: .all)
  package static let emptyFile = Rule("empty-file", .warning, .files, "A file is empty")
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
