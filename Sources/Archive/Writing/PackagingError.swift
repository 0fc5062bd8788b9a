/// Why packs can't be made, read or served, apart from damage and failed system calls.
public enum PackagingError: Error, Hashable, Sendable {
  /// A system call failed.
  case system(SystemError)
  /// A file has fewer or more bytes than when it was selected.
  case fileChanged(BytePath, expected: UInt64, isShorter: Bool)
  /// A file of the same size was written or replaced since it was selected.
  case fileReplaced(BytePath)
  /// The embedded manifest has this many bytes, more than readers accept.
  case manifestTooLarge(Int)
  /// The output exists and must not be replaced.
  case outputExists(BytePath)
  /// The pack is complete, but its record was not written.
  case recordFailed(BytePath, SystemError)
  /// There is not enough memory for a worker.
  case outOfMemory
  /// A signal asked to stop.
  case interrupted(signal: CInt)
  /// A file isn't a report in JSON, with the reason.
  case notAReport(BytePath, String)
  /// A value or a request is invalid, with the reason in words.
  case refused(String)

  package init(_ reason: String) { self = .refused(reason) }
}

extension PackagingError: CustomStringConvertible {
  /// What happened, and what to do.
  public var description: String {
    switch self {
    case .system(let error):
      "\(error)"
    case .fileChanged(let path, let expected, let isShorter):
      "'\(path)' changed while it was packaged: it had \(counted(expected, "byte")) and now has "
        + "\(isShorter ? "fewer" : "more"). Run again when nothing writes to the repository."
    case .fileReplaced(let path):
      "'\(path)' changed while it was packaged: it was written to or replaced. Run again when "
        + "nothing writes to the repository."
    case .manifestTooLarge(let size):
      "the manifest as it is embedded, in plain JSON, has \(counted(size, "byte")), where "
        + "\(grouped(PackFormat.maximumManifestSize)) can be read; nest 'userInfo' less deeply, or keep its data "
        + "in a file of the pack"
    case .outputExists(let path):
      "'\(path)' already exists"
    case .recordFailed(let path, let error):
      "\(error); '\(path)' itself is complete, and without a record it is made again"
    case .outOfMemory:
      "not enough memory"
    case .interrupted(let signal):
      "stopped by \(Interruption.name(of: signal)); nothing was written"
    case .notAReport(let path, let reason):
      "'\(path)' is not a report in JSON: \(reason)"
    case .refused(let reason): reason
    }
  }
}
