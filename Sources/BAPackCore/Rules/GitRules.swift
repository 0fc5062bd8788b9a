extension Rule {
  /// A text file with conflict markers of a merge.
  public static let conflictMarkers = Rule(
    "conflict-markers", .warning, .contents, "A text file with conflict markers of a merge")
  /// Line endings that Git converted.
  public static let convertedLineEndings = Rule(
    "converted-line-endings", .warning, .contents, "Line endings that Git converted")
  /// A file that Git does not track.
  public static let untrackedFile = Rule(
    "untracked-file", .warning, .contents, "A file that Git does not track")
  /// A file that is executable in Git, but not here.
  public static let lostExecuteBit = Rule(
    "lost-execute-bit", .warning, .contents, "A file that is executable in Git, but not here")
}

extension FileRule {
  /// Files that the Git repository around the source root doesn't track.
  static var untracked: FileRule {
    FileRule(rule: .untrackedFile) { "\(subject($1)) not tracked by Git" }
  }

  /// Files that Git has as executable, and that are not.
  static var lostExecuteBit: FileRule {
    FileRule(rule: .lostExecuteBit) { "\(subject($1)) executable in Git, but not here" }
  }

  /// Files whose line endings Git converted.
  static var convertedLineEndings: FileRule {
    FileRule(rule: .convertedLineEndings) { _, files in
      named(files[0].source, of: files.count) + (files.count > 1 ? " end" : " ends")
        + " lines with CRLF here, and with LF in Git"
    }
  }

  /// Files that have conflict markers.
  static var conflictMarkers: FileRule {
    FileRule(rule: .conflictMarkers) { _, files in "'\(files[0].source)' has conflict markers" }
  }
}

package enum ConflictMarkers {
  /// Whether `file` is worth reading: text, and of a size that people merge.
  static func arePossible(in file: SelectedFile) -> Bool {
    (smallest...largest).contains(file.size) && FileType.isText(file.source)
  }

  /// The minimum size of the three lines.
  private static let smallest: UInt64 = 24
  static let largest: UInt64 = 4_000_000

  /// Whether the three marker lines occur in order.
  package static func areIn(_ bytes: [UInt8]) -> Bool {
    guard let first = firstRun(in: bytes) else { return false }
    let markers = ["<<<<<<< ", "=======", ">>>>>>> "].map { Array($0.utf8) }
    var next = 0
    var start = bytes[..<first].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    while start < bytes.count {
      // The first byte rules out most lines.
      if bytes[start] == markers[next][0], bytes[start...].starts(with: markers[next]) {
        let after = start + markers[next].count
        let isWhole =
          next != 1 || after == bytes.count || bytes[after] == 0x0A || bytes[after] == 0x0D
        if isWhole { next += 1 }
        if next == markers.count { return true }
      }
      guard let end = bytes[start...].firstIndex(of: 0x0A) else { return false }
      start = end + 1
    }
    return false
  }

  /// The first run of seven `<`, found by testing every seventh byte. Almost no file has one.
  private static func firstRun(in bytes: [UInt8]) -> Int? {
    let less = UInt8(ascii: "<")
    for middle in stride(from: 6, to: bytes.count, by: 7) where bytes[middle] == less {
      var start = middle
      while start > 0, bytes[start - 1] == less { start -= 1 }
      if bytes[start...].prefix(7).count(where: { $0 == less }) == 7 { return start }
    }
    return nil
  }
}
