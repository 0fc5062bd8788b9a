/// Why packs can't be extracted. The target is unchanged, except after ``stopped(_:changed:)`` and
/// ``extracted(_:)``.
public enum ExtractionError: Error, Hashable, Sendable {
  /// A pack can't be read or merged.
  case archive(ArchiveError)
  /// This signal asked to stop.
  case interrupted(CInt)
  /// A system call failed.
  case system(SystemError)
  /// A system call failed after these files had been replaced.
  case stopped(SystemError, changed: [BytePath])
  /// Everything was extracted, but a system call failed after that.
  case extracted(SystemError)
  /// These files, and `more` others, exist already.
  case existing([BytePath], more: Int)
  /// There is a folder where a file should be.
  case folderInTheWay(BytePath)
  /// A file to extract would replace a pack that is read.
  case input(BytePath)
  /// Two paths are the same file on this file system.
  case sameName(BytePath, BytePath)
  /// The archive contains nothing that apps can read.
  case notAssetPack(BytePath)
  /// No file matches the globs.
  case noMatch
  /// A symbolic link, which is never created.
  case link(RelativePath, target: [UInt8], pack: BytePath)
}

extension ExtractionError {
  init(_ error: ArchiveError) {
    self =
      if case .interrupted(let signal) = error.cause { .interrupted(signal) } else {
        .archive(error)
      }
  }
}

extension ExtractionError: CustomStringConvertible {
  /// The error, its location, and what to do.
  public var description: String {
    switch self {
    case .archive(let error): error.description
    case .interrupted(let signal): "stopped by \(Interruption.name(of: signal))"
    case .system(let error) where error.code == .tooManyLinks:
      "'\(error.path)' is a symbolic link, and extracted files don't go through links; remove it"
    case .system(let error): error.description
    case .stopped(let error, let changed):
      "\(error); replaced before that: " + changed.map { "'\($0)'" }.joined(separator: ", ")
    case .extracted(let error): "\(error); all files are extracted"
    case .existing(let paths, let more):
      paths.map { "'\($0)'" }.joined(separator: ", ")
        + (more > 0 ? " and \(counted(more, "more file", "more files"))" : "")
        + (paths.count == 1 && more == 0 ? " exists" : " exist")
    case .folderInTheWay(let path): "'\(path)' is a folder, where a file is to be extracted"
    case .input(let path):
      "'\(path)' is also a pack to extract; extract to another folder"
    case .sameName(let path, let other):
      "'\(path)' and '\(other)' are one name on this file system"
    case .notAssetPack(let path):
      "'\(path)' is an Apple Archive but not an asset pack: it has no 'Contents'"
    case .noMatch: "no file matches"
    case .link(let path, let target, let pack):
      "'\(path)' in '\(pack)' is a symbolic link to '\(printable(target))'; links are not extracted, "
        + "and games can't rely on them"
    }
  }
}
