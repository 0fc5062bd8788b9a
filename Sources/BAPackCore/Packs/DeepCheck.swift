/// What the checksums inside a pack's files cover.
package struct DeepCheck: Sendable {
  /// The files of one type.
  package struct Files: Sendable {
    /// The type, in lowercase: `png`, `zip`, `ogg` or `flac`.
    package let type: String
    /// The name in messages.
    package let name: String
    /// The number of files.
    package fileprivate(set) var count = 0
    /// The number of damaged files.
    package fileprivate(set) var damaged = 0
  }

  /// The types that the pack contains.
  package var files: [Files] { all.filter { $0.count > 0 } }
  /// The number of bytes in blocks without a checksum in the format.
  package fileprivate(set) var bytesWithoutChecksum: UInt64 = 0
  /// The number of these bytes that a checksum inside a file covers.
  package fileprivate(set) var bytesCovered: UInt64 = 0

  fileprivate var all = FileChecksums.Kind.allCases.map {
    Files(type: $0.rawValue, name: $0.name)
  }
}

/// Checks the checksums inside the files of a pack, one file at a time.
struct ContentsChecks: Sendable {
  private(set) var result = DeepCheck()
  private let inflater: DeflateChecker
  /// The file that is being read.
  private var current: (entry: EntryHeader, checks: FileChecksums)?
  private var isInCheckedBlock = false

  init(_ input: ArchiveInput, _ limits: ReadingLimits) throws(ArchiveError) {
    inflater = try input.reading { () throws(Errno) in try DeflateChecker(limit: limits.rawSize) }
  }

  mutating func enter(_ block: BlockPlace, hasChecksum: Bool) {
    isInCheckedBlock = hasChecksum
    if !hasChecksum { result.bytesWithoutChecksum += UInt64(block.rawSize) }
  }

  mutating func begin(_ entry: EntryHeader) {
    current =
      entry.kind == .file ? (entry, FileChecksums(size: entry.size, inflater: inflater)) : nil
  }

  mutating func update(_ bytes: RawSpan) {
    let before = current?.checks.log.covered ?? 0
    current?.checks.update(bytes)
    guard !isInCheckedBlock, let log = current?.checks.log else { return }
    // A checksum that began in the previous block may end here.
    result.bytesCovered += min(log.covered - before, UInt64(bytes.byteCount))
  }

  /// Ends the file; returns the damage.
  mutating func end() -> [ArchiveDamage] {
    guard let entry = current?.entry, var checks = current?.checks else { return [] }
    current = nil
    checks.finish()
    guard let kind = checks.kind, let index = FileChecksums.Kind.allCases.firstIndex(of: kind)
    else { return [] }
    result.all[index].count += 1
    let log = checks.log
    if log.problems.isEmpty { return [] }
    result.all[index].damaged += 1
    let more = log.furtherProblems > 0 ? "; \(counted(log.furtherProblems, "more problem"))" : ""
    return log.problems.enumerated().map { index, problem in
      let damage = ArchiveDamage(
        problem.reason, problem.message + (index == log.problems.count - 1 ? more : ""),
        at: ArchivePlace(
          entry: entry.number, stream: entry.contents.map { $0.lowerBound + problem.offset },
          contents: problem.offset, path: entry.path))
      // The limit for inflating members is that of the pack.
      return problem.reason == .limit ? damage.exceeding(.rawSize) : damage
    }
  }

  /// Some bytes of the file are lost.
  mutating func lose() { current = nil }
}
