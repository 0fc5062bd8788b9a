/// Why packs can't be made, read or served, apart from damage and failed system calls.
package enum PackagingError: Error, Hashable, Sendable {
  /// A file has fewer or more bytes than when it was selected.
  case fileChanged(BytePath, expected: UInt64, isShorter: Bool)
  /// A file of the same size was written or replaced since it was selected.
  case fileReplaced(BytePath)
  /// The output exists and must not be replaced.
  case outputExists(BytePath)
  /// The pack is complete, but its record was not written.
  case recordFailed(BytePath, SystemError)
  /// There is not enough memory for a worker.
  case outOfMemory
  /// The archive contains nothing that apps can read.
  case notAssetPack(BytePath)
  /// No file matches the globs.
  case noMatch
  /// Packs are localized in the languages with these tags, of which a device has only one.
  case severalLanguages([String])
  /// Devices have packs in one of these languages, which one depends on their platform.
  case severalPlatforms([String])
  /// There are packs for several regions of the language with the first tag, and it isn't known
  /// which of them a device has.
  case severalRegions(of: String, [String])
  /// No pack is in a language with one of the wanted tags, and the app's primary language, which
  /// would take their place, isn't known.
  case noPrimaryLanguage([String], wanted: [String])
  /// A symbolic link, which is never extracted.
  case link(RelativePath, target: [UInt8], pack: BytePath)
  /// Packs can't be merged, with the reason.
  case clash(String)
  /// A file isn't a report in JSON, with the reason.
  case notAReport(BytePath, String)
  /// A source of the caller breaks its promises, with the reason.
  case source(String)
  /// A value or a request is invalid, with the reason in words.
  case refused(String)

  package init(_ reason: String) { self = .refused(reason) }
}

extension PackagingError: CustomStringConvertible {
  /// What happened, and what to do.
  package var description: String {
    switch self {
    case .fileChanged(let path, let expected, let isShorter):
      "'\(path)' changed while it was packaged: it had \(counted(expected, "byte")) and now has "
        + "\(isShorter ? "fewer" : "more"). Run again when nothing writes to the repository."
    case .fileReplaced(let path):
      "'\(path)' changed while it was packaged: it was written to or replaced. Run again when "
        + "nothing writes to the repository."
    case .outputExists(let path):
      "'\(path)' already exists"
    case .recordFailed(let path, let error):
      "\(error); '\(path)' itself is complete, and without a record it is made again"
    case .outOfMemory:
      "not enough memory"
    case .notAssetPack(let path):
      "'\(path)' is an Apple Archive but not an asset pack: it has no 'Contents'"
    case .noMatch: "no file matches"
    case .severalLanguages(let tags):
      "the packs are in the languages \(quoted(tags)), and a device has those of one"
    case .severalPlatforms(let tags):
      "which of the languages \(quoted(tags)) a device has depends on its platform"
    case .severalRegions(let tag, let tags):
      "there are packs in \(quoted(tags)), and Apple doesn't document which a device with '\(tag)' has"
    case .noPrimaryLanguage(let tags, let wanted):
      "there are packs in \(quoted(tags)), and none for \(quoted(wanted)): a device has those in the app's "
        + "primary language, which is not set"
    case .link(let path, let target, let pack):
      "'\(path)' in '\(pack)' is a symbolic link to '\(printable(target))'; links are not extracted, "
        + "and games can't rely on them"
    case .notAReport(let path, let reason):
      "'\(path)' is not a report in JSON: \(reason)"
    case .clash(let reason):
      "\(reason); devices merge all packs of an app into one folder"
    case .refused(let reason), .source(let reason): reason
    }
  }
}

/// `'a', 'b'`.
private func quoted(_ names: [String]) -> String {
  names.map { "'\(printable($0.utf8))'" }.joined(separator: ", ")
}
